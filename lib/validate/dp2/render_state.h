// Rules about render states: DP2-RS-*.
// Source: lib/opcode/dp2.md 7 and 25.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "validate/command_view.h"
#include "validate/dp2/render_state_checks.h"

namespace dp2trace::validate {

// What these rules remember of a context.
struct RenderStateMemory {
  // What was set since the last draw: DP2-RS-039.
  uint32_t draw = 1;  // number of the draw that comes next, as far as sets can tell
  // The draw before which the state was set last.
  std::array<uint32_t, d3d::kRenderStateCount> set_before = {};
  std::array<uint32_t, d3d::kRenderStateCount> values = {};

  std::bitset<d3d::kRenderStateCount> reported_ignored;  // REPLAY-STATE-001

  enum class Scene : uint8_t { kUnused, kOpen, kClosed };
  Scene scene = Scene::kUnused;  // SCENECAPTURE

  // DP2-RS-029: whether the driver may manage a texture, in the event in which that was looked at.
  uint64_t managed_event = 0;
  bool may_be_managed = true;

  // Values may have changed without a token that sets them.
  void Forget() { ++draw; }
};

// The states and objects that a draw, patch or clear combines.
void CheckRenderStateAtDraw(const CommandView& view);
}  // namespace dp2trace::validate
