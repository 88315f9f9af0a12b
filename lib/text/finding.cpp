#include "text/finding.h"

#include <fmt/format.h>

#include <iterator>

#include "rules/rule_info.h"
#include "text/value.h"

namespace dp2trace::text {
namespace {

void AppendText(std::string& out, std::string_view key, std::string_view value) {
  out += key;
  AppendQuoted(out, value);
}

}  // namespace

void AppendFindingMembers(std::string& out, const Diagnostic& finding) {
  AppendText(out, "\"rule\":", Info(finding.rule).id);
  AppendText(out, ",\"severity\":", Name(finding.severity));
  if (finding.event) fmt::format_to(std::back_inserter(out), ",\"event\":{}", *finding.event);
  if (finding.offset) fmt::format_to(std::back_inserter(out), ",\"offset\":{}", *finding.offset);
  if (finding.length != 0)
    fmt::format_to(std::back_inserter(out), ",\"length\":{}", finding.length);
  if (finding.line != 0) fmt::format_to(std::back_inserter(out), ",\"line\":{}", finding.line);
  if (finding.column != 0)
    fmt::format_to(std::back_inserter(out), ",\"column\":{}", finding.column);
  if (!finding.path.empty()) AppendText(out, ",\"path\":", finding.path);
  AppendText(out, ",\"message\":", finding.message);
  if (!finding.actual.empty()) AppendText(out, ",\"actual\":", finding.actual);
  if (!finding.expected.empty()) AppendText(out, ",\"expected\":", finding.expected);
}

}  // namespace dp2trace::text
