// The rules that a model breaks, found by running it without drawing.
#pragma once

#include <cstdint>
#include <set>

#include "base/diagnostic.h"
#include "base/rule.h"
#include "base/work_budget.h"
#include "play/runner.h"
#include "trace_model/model.h"
#include "validate/rule_set.h"

namespace dp2trace::trace_model {

// Adds what the model breaks. False where it cannot be run to its end.
bool LintModel(const Model& model, play::RunnerOptions options, WorkBudget& work,
               DiagnosticList& findings);

// The rules that a trace breaks, of those that the preset has: errors and warnings. Up to where it cannot be run any further, or the work
// is spent.
std::set<Rule> FindBroken(const Model& model, WorkBudget& work,
                          validate::Preset preset = validate::Preset::kRecommended);
// With as much work as a small file may take.
std::set<Rule> FindBroken(const Model& model,
                          validate::Preset preset = validate::Preset::kRecommended);

}  // namespace dp2trace::trace_model
