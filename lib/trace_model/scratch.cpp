#include "trace_model/scratch.h"

#include "rules/rule.h"
#include "rules/rule_info.h"

namespace dp2trace::trace_model {

play::RunnerOptions SilentOptions(const WorkBounds& bounds) {
  play::RunnerOptions options;
  for (const RuleInfo& row : AllRules())
    options.rules.Mute(row.rule);
  options.device.surfaces.keeps_pixels = false;
  options.max_steps = bounds.max_steps;
  options.file_bytes = bounds.file_bytes;
  return options;
}

Status CheckWork(const play::Player& player) {
  if (!player.has_ended()) return OkStatus();
  return Failure(Rule::kReplayWork001, "the trace takes more work than --max-steps allows");
}

}  // namespace dp2trace::trace_model
