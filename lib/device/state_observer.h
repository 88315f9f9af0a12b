// Who wants to know where the values of a state come from. The device itself does not remember.
// Source: lib/opcode/dp2.md 7 to 11, 18 and 20.
#pragma once

#include "device/state_value.h"
#include "stream/stream.h"

namespace dp2trace::device {

struct Context;
class StateBlock;

class StateObserver {
 public:
  virtual ~StateObserver() = default;
  // A context begins; its state holds the defaults, its targets those of the event.
  virtual void OnContext(const Context& context) = 0;
  // `command` is about to write the value. `block`: it executes this state block; null: the value stands in the token.
  virtual void OnSet(const Context& context, const stream::Command& command, StateKey key,
                     const StateWords& words, const StateBlock* block) = 0;
};

}  // namespace dp2trace::device
