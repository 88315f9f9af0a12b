// The texture render states of execute buffers and DirectX 5 (1, 3, 17, 18, 21, 43 to 46, 49), as the writes to texture stage 0
// that they stand for, and the wrap states 5 and 6.
// Source: lib/opcode/dp2.md 7.4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "d3d/states.h"

namespace dp2trace::d3d {

struct StageWrite {
  TextureStageState state = TextureStageState::TextureMap;
  uint32_t value = 0;
  bool operator==(const StageWrite&) const = default;
};

// Up to six writes to stage 0, in order.
class StageWrites {
 public:
  void Add(TextureStageState state, uint32_t value) { writes_[count_++] = {state, value}; }
  template <class Enum>
  void Add(TextureStageState state, Enum value) {
    Add(state, Value(value));
  }
  std::span<const StageWrite> items() const { return {writes_.data(), count_}; }

 private:
  std::array<StageWrite, 6> writes_;
  size_t count_ = 0;
};

// What setting the render state to `value` writes; nothing for other render states and for values outside the enumeration. Filters
// are numbered as in a context of `runtime_version`. `texture_has_alpha` matters only for TEXTUREMAPBLEND MODULATE. Stage 1 is
// left as it is.
StageWrites LegacyStageWrites(uint32_t render_state, uint32_t value, uint32_t runtime_version,
                              bool texture_has_alpha);

// The bit of WRAP0 that render states 5 (WRAPU) and 6 (WRAPV) set or clear; 0 for others.
uint32_t LegacyWrapBit(uint32_t render_state);

}  // namespace dp2trace::d3d
