#include "base/diagnostic.h"

#include <utility>

namespace dp2trace {

bool DiagnosticList::Keeps(Rule rule) const {
  if (items_.size() >= limits_.all) return false;
  if (limits_.per_rule == UINT64_MAX) return true;
  const auto kept = kept_by_rule_.find(rule);
  return (kept == kept_by_rule_.end() ? 0 : kept->second) < limits_.per_rule;
}

void DiagnosticList::Add(Diagnostic diagnostic) {
  if (!items_.empty() && items_.back() == diagnostic) return;
  ++counts_[static_cast<size_t>(diagnostic.severity)];
  if (!Keeps(diagnostic.rule)) {
    ++dropped_;
    ++dropped_by_rule_[diagnostic.rule];
    return;
  }
  if (limits_.per_rule != UINT64_MAX) ++kept_by_rule_[diagnostic.rule];
  items_.push_back(std::move(diagnostic));
}

}  // namespace dp2trace
