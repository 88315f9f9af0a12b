// Rules about what a draw needs and finds gone: objects that were destroyed while they were bound, numbers that name something else by now.
// Source: lib/opcode/dp2.md 12.3.
#pragma once

#include <array>
#include <cstdint>

#include "device/binding.h"
#include "validate/command_view.h"

namespace dp2trace::validate {

// Which bindings have been objected to.
struct BindingMemory {
  // One more than the version of the binding, at the last finding about it; 0: none.
  std::array<uint32_t, device::kBindingCount> reported = {};
};

// DP2-SURF-003, DP2-BIND-003, DP2-RT-002, DP2-RT-003, DP2-TSS-006, DP2-VSH-021: once for each binding, at the first draw that needs it.
void CheckBindingsAtDraw(const CommandView& view);

}  // namespace dp2trace::validate
