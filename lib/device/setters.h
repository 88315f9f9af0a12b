// Which token gave each value of a context to it last: kept with the values, so that a finding can name it.
// Source: lib/opcode/dp2.md 7 to 11, 14, 18 and 20.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "device/state_value.h"

namespace dp2trace::device {

struct Setter {
  uint64_t event = 0;   // 0: no token ever did
  uint32_t offset = 0;  // of the token, bytes from the start of the command buffer
};

// Lights, transforms and registers have one setter for all of a kind.
class Setters {
  template <class Self>
  static auto& Slot(Self& self, StateKey key) {
    constexpr uint32_t kStates = d3d::kTextureStageStateCount;
    switch (key.kind) {
      case StateKind::kRender:
        return self.render[key.index];
      case StateKind::kStage:
        return self.stages[key.index / kStates][key.index % kStates];
      case StateKind::kStream:
        return self.streams[key.index];
      case StateKind::kStreamDivider:
        return self.dividers[key.index];
      case StateKind::kClipPlane:
        return self.clip_planes[key.index];
      default:
        return self.others[static_cast<size_t>(key.kind)];
    }
  }

 public:
  std::array<Setter, d3d::kRenderStateCount> render = {};  // by number
  std::array<std::array<Setter, d3d::kTextureStageStateCount>, kStageSlotCount> stages = {};
  std::array<Setter, kStreamCount> streams = {}, dividers = {};
  std::array<Setter, kClipPlaneCount> clip_planes = {};
  std::array<Setter, kTargetCount + 1> targets = {};  // the depth surface last
  std::array<Setter, kStateKindCount> others = {};    // by kind

  const Setter& Of(StateKey key) const { return Slot(*this, key); }
  // The shader of level 8 is declaration and code in one.
  void Note(StateKey key, Setter setter) {
    Slot(*this, key) = setter;
    if (key.kind != StateKind::kVertexShader) return;
    Slot(*this, {StateKind::kVertexDeclaration, 0}) = setter;
    Slot(*this, {StateKind::kVertexFunction, 0}) = setter;
  }
};

}  // namespace dp2trace::device
