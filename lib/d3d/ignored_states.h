// States that no picture depends on here, and why: ignored_states.def.
// Source: lib/opcode/dp2.md 7 and 8; lib/raster/rendering.md.
#pragma once

#include <cstdint>
#include <string_view>

#include "d3d/states.h"

namespace dp2trace::d3d {

// Of IgnoredState::drawn_as: no value of the state changes a picture.
inline constexpr uint32_t kDrawsAlike = 0xFFFFFFFF;

struct IgnoredState {
  uint32_t code;
  bool is_render;
  uint32_t drawn_as;  // the value that pictures are drawn by
  std::string_view why;
};

// The row of a state of the tables of states.h, or null: the state is modelled.
const IgnoredState* FindIgnoredState(const StateInfo& info);
// The same, of a state that is set to this value; null for the value that pictures are drawn by.
const IgnoredState* FindIgnoredValue(const StateInfo& info, uint32_t value);

}  // namespace dp2trace::d3d
