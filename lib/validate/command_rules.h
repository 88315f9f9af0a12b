// The rules of tokens, by operation: which function checks which token before it is applied.
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

class RecordingRules;

// All rules of a token, its combination at a draw among them. Called before the token is applied.
void CheckCommand(const CommandView& view);

// Stands between a token that is applied and what draws: checks what is drawn, once its data are found, and passes it on.
class DrawnRules final : public device::DrawSink {
 public:
  // All outlive the object; nothing is drawn where `sink` is null.
  DrawnRules(const CommandView& view, RecordingRules& recording, device::DrawSink* sink)
      : view_(&view), recording_(&recording), sink_(sink) {}
  void OnDraw(const device::Draw& draw) override;
  void OnPatch(const device::PatchDraw& patch) override;
  void OnClear(const device::ClearDraw& clear) override;

 private:
  const CommandView* view_;
  RecordingRules* recording_;
  device::DrawSink* sink_;
};

}  // namespace dp2trace::validate
