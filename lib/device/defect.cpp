#include "device/defect.h"

#include "rules/rule.h"

namespace dp2trace::device {

Defect EventDefect(Rule rule, std::string path, std::string message, std::string actual,
                   std::string expected) {
  return {.rule = rule,
          .path = std::move(path),
          .message = std::move(message),
          .actual = std::move(actual),
          .expected = std::move(expected)};
}

Defect EventDefect(const std::string& path, const Status& status) {
  const Diagnostic& found = status.diagnostic();
  return EventDefect(found.rule, found.path.empty() ? path : found.path, found.message,
                     found.actual, found.expected);
}

Diagnostic FindingOf(const Defect& defect, uint64_t event) {
  Diagnostic finding = MakeDiagnostic(defect.rule, defect.message);
  finding.event = event;
  finding.path = defect.path;
  finding.offset = defect.offset;
  finding.length = defect.length;
  finding.is_whole = defect.is_whole;
  finding.actual = defect.actual;
  finding.expected = defect.expected;
  return finding;
}

}  // namespace dp2trace::device
