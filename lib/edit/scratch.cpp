#include "edit/scratch.h"

#include "rules/rule_info.h"

namespace dp2trace::edit {

replay::RunnerOptions SilentOptions() {
  replay::RunnerOptions options;
  for (const RuleInfo& row : AllRules())
    options.rules.Mute(row.rule);
  options.device.surfaces.keeps_pixels = false;
  return options;
}

}  // namespace dp2trace::edit
