// The token that gives a state one of its values: the inverse of device::WriteState, for snapshots.
// Source: lib/opcode/dp2.md 5, 7 to 11, 18 and 20.
#pragma once

#include <vector>

#include "device/context.h"
#include "device/state_value.h"
#include "runtime/core/token.h"
#include "stream/stream.h"

namespace dp2trace::trim {

// All values that a state of this context has, in an order in which they can be set one after the other: objects before what names
// them is the caller's business.
std::vector<device::StateKey> KeysOf(const device::State& state);

// Appends the values that the token sets, where it is one of states, texture stage states, transforms, materials or registers: those that
// AppendStateToken() can take back whatever they were. False: it is another token, or names what there is not.
bool AppendKeys(const stream::Command& command, std::vector<device::StateKey>& keys);

// Appends the token that sets the value; false where no token of the context's driver level says it ("the whole target" as viewport).
bool AppendStateToken(const device::Context& context, device::StateKey key,
                      const device::StateWords& words, runtime::TokenBuffer& out);

}  // namespace dp2trace::trim
