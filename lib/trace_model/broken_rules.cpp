#include "trace_model/broken_rules.h"

#include "play/player.h"

namespace dp2trace::trace_model {

// Adds what the model breaks. False where it cannot be run to its end.
bool LintModel(const Model& model, play::RunnerOptions options, WorkBudget& work,
               DiagnosticList& findings) {
  options.work = &work;
  play::Player player({.validation = options, .raster = {}}, findings, {});
  const BuiltTrace trace(model);
  bool is_whole = true;
  uint64_t number = 0;
  for (const trace::Event& event : trace.events()) {
    is_whole = player.OnEvent(number++, event).ok();
    if (!is_whole) break;
  }
  player.Finish();
  return is_whole && !player.device().work().is_spent();
}

std::set<Rule> FindBroken(const Model& model, WorkBudget& work, validate::Preset preset) {
  play::RunnerOptions options;
  options.rules = validate::RuleSet(preset);
  DiagnosticList findings;
  (void)LintModel(model, options, work, findings);  // what was found before counts
  std::set<Rule> broken;
  for (const Diagnostic& finding : findings.items())
    broken.insert(finding.rule);
  for (const auto& [rule, count] : findings.dropped_by_rule())
    broken.insert(rule);
  return broken;
}

std::set<Rule> FindBroken(const Model& model, validate::Preset preset) {
  WorkBudget work(device::StepsFor(0));
  return FindBroken(model, work, preset);
}

}  // namespace dp2trace::trace_model
