// The rules of tokens, by operation: which function weighs which token before it is applied.
#pragma once

#include <span>

#include "device/draw.h"
#include "validate/command_view.h"

namespace dp2trace::validate {

// A row of a topic: `check` sees every token of the operation.
struct CommandRule {
  opcode::Op op;
  void (*check)(const CommandView& view);
};

// All rules of a token, its combination at a draw among them. Called before the token is applied.
void CheckCommand(const CommandView& view);
// What the token draws, once its data are found; called while it is applied.
void CheckDrawn(const CommandView& view, const device::Draw& draw);

}  // namespace dp2trace::validate
