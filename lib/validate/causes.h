// Findings about a state in force: the values that they check, and which token set each. All draws that meet such a state have one cause.
// Source: lib/style.md 2.6; lib/opcode/dp2.md 25 (a rule about two states fires when a draw uses them).
#pragma once

#include <cstdint>
#include <vector>

#include "base/diagnostic.h"
#include "d3d/states.h"
#include "device/context.h"
#include "opcode/opcode.h"

namespace dp2trace::validate {

// What tells the occurrences of a rule apart that has no other numbers: a stage, a stream, a slot.
using Detail = uint32_t;
// The detail of a finding about one state, whose setter is to blame. `number`, 0 to 31, tells findings about the same state apart.
inline constexpr uint32_t kDetailNumbers = 5, kDetailStageBits = 8;
inline constexpr uint32_t kDetailOfRender = 0x8000, kDetailOfStage = 0x4000;
constexpr Detail DetailOf(d3d::RenderState state, uint32_t number) {
  return (kDetailOfRender | d3d::Value(state)) << kDetailNumbers | number;
}
constexpr Detail DetailOf(uint32_t slot, d3d::TextureStageState state, uint32_t number) {
  return (kDetailOfStage | slot << kDetailStageBits | d3d::Value(state)) << kDetailNumbers | number;
}

// Whether findings of the rule are about values that earlier tokens set, and not about the words of the one at which they are reported.
bool IsAboutState(Rule rule);

// Fills in the cause of a finding about a state in force that a token of the operation meets, and who set the values. The name of the operation,
// with which the message begins, is not part of it. Nothing where the token has the value itself: the vertex format of its call.
void AddCause(const device::Context& context, const opcode::OpInfo& op, Detail detail,
              Diagnostic& finding);

}  // namespace dp2trace::validate
