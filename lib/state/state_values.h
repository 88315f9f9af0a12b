// Single values of a state as text. What the words mean stands in the tables of d3d/ and opcode/.
#pragma once

#include <cstdint>
#include <string>

#include "base/enum_info.h"
#include "device/context.h"
#include "device/state_value.h"

namespace dp2trace::state {

// The name of the value, or the number.
std::string NameOrNumber(const EnumInfo& names, uint32_t value);

bool SameValue(const device::State& a, const device::State& b, device::StateKey key);

// The value that the state has for the key. Objects are those of the context.
std::string ValueText(const device::Context& context, const device::State& state,
                      device::StateKey key);

}  // namespace dp2trace::state
