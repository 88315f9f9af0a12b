#include "trace_model/scratch_device.h"

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

}  // namespace dp2trace::trace_model
