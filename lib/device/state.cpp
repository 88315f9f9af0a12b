#include "device/state.h"

#include <algorithm>

namespace dp2trace::device {
namespace {

// The API generation whose defaults hold: that of the runtime, where it is older than the driver. Source: lib/opcode/dp2.md 2.6 and 7.2.
uint32_t DefaultsLevel(uint32_t level, uint32_t runtime_version) {
  const uint32_t runtime_level = runtime_version <= 2 ? 6 : runtime_version + 4;
  return std::min(level, runtime_level);
}

uint32_t StageOfSlot(uint32_t slot) {
  return slot < d3d::kPixelSamplerCount
             ? slot
             : d3d::kDisplacementMapSampler + slot - d3d::kPixelSamplerCount;
}

}  // namespace

State::State(uint32_t level, uint32_t runtime_version, bool has_depth) {
  const uint32_t defaults_level = DefaultsLevel(level, runtime_version);
  for (uint32_t i = 0; i < d3d::kRenderStateCount; ++i)
    render[i] = d3d::DefaultRenderState(i, defaults_level, has_depth);
  for (uint32_t slot = 0; slot < kStageSlotCount; ++slot) {
    for (uint32_t i = 0; i < d3d::kTextureStageStateCount; ++i)
      stages[slot][i] = d3d::DefaultTextureStageState(i, StageOfSlot(slot), runtime_version);
  }
  transforms.fill(kIdentity);
  stream_dividers.fill(1);
}

}  // namespace dp2trace::device
