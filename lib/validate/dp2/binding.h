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

}  // namespace dp2trace::validate
