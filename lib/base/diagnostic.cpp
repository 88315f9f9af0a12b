#include "base/diagnostic.h"

#include <fmt/format.h>

#include <utility>

namespace dp2trace {

Diagnostic MakeDiagnostic(Rule rule, std::string message) {
  Diagnostic diagnostic;
  diagnostic.rule = rule;
  diagnostic.severity = Info(rule).severity;
  diagnostic.message = std::move(message);
  return diagnostic;
}

std::string FormatDiagnostic(std::string_view file, const Diagnostic& diagnostic) {
  std::string text(file);
  if (diagnostic.event) {
    text += fmt::format(":{}", *diagnostic.event);
    if (diagnostic.offset) text += fmt::format("+{:#06x}", *diagnostic.offset);
  } else if (diagnostic.line != 0) {
    text += fmt::format(":{}", diagnostic.line);
  } else if (diagnostic.offset) {
    text += fmt::format(":{:#06x}", *diagnostic.offset);
  }
  text += fmt::format(": {}: {} [{}]", Name(diagnostic.severity), diagnostic.message,
                      Info(diagnostic.rule).id);
  if (!diagnostic.path.empty()) text += fmt::format(" ({})", diagnostic.path);
  return text;
}

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
