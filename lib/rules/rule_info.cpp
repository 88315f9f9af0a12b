#include "rules/rule_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/plain_text.h"
#include "rules/place.h"
#include "rules/rule.h"

namespace dp2trace {
namespace {

constexpr RuleInfo kRules[] = {
#define DP2TRACE_RULE(enumerator, id, severity, fault, family, scope, since, status, source, \
                      summary, reason, remedy)                                               \
  {Rule::enumerator,                                                                         \
   id,                                                                                       \
   Severity::severity,                                                                       \
   Fault::fault,                                                                             \
   RuleFamily::family,                                                                       \
   RuleScope::scope,                                                                         \
   since,                                                                                    \
   status,                                                                                   \
   source,                                                                                   \
   summary,                                                                                  \
   reason,                                                                                   \
   remedy},
#include "rules/rules.def"
#undef DP2TRACE_RULE
};

// The place of each rule in the table: those that base knows have the first numbers, not the first rows.
constexpr auto kRows = [] {
  std::array<uint16_t, std::size(kRules)> rows{};
  for (size_t row = 0; row < rows.size(); ++row) {
    rows[static_cast<size_t>(kRules[row].rule)] = static_cast<uint16_t>(row);
  }
  return rows;
}();

}  // namespace

std::string_view Name(Fault fault) {
  switch (fault) {
    case Fault::kStream:
      return "stream";
    case Fault::kSupport:
      return "support";
    case Fault::kResult:
      return "result";
    case Fault::kFile:
      return "file";
    case Fault::kLimit:
      return "limit";
  }
  return "stream";
}

std::string_view Describe(Fault fault, Severity severity) {
  switch (fault) {
    case Fault::kStream:
      return severity == Severity::kError ? "the stream is invalid"
                                          : "the stream is not as documented; drivers accept it";
    case Fault::kSupport:
      return "legal, but rare or rarely supported";
    case Fault::kResult:
      return "the recorded result disagrees with the documents";
    case Fault::kFile:
      return "the file is incomplete or malformed";
    case Fault::kLimit:
      return "a limit of dp2trace is hit";
  }
  return "";
}

std::string_view Name(RuleFamily family) {
  switch (family) {
    case RuleFamily::kNone:
      return "";
    case RuleFamily::kFlags:
      return "flags";
    case RuleFamily::kHandles:
      return "handles";
    case RuleFamily::kMipExtents:
      return "mip-extents";
  }
  return "";
}

std::string_view Name(RuleScope scope) {
  switch (scope) {
    case RuleScope::kAlways:
      return "all";
    case RuleScope::kLevel6:
      return "DDI 6";
    case RuleScope::kUpToLevel7:
      return "DDI 6-7";
    case RuleScope::kFromLevel7:
      return "DDI 7-9";
    case RuleScope::kLevel8:
      return "DDI 8";
    case RuleScope::kFromLevel8:
      return "DDI 8-9";
    case RuleScope::kLevel9:
      return "DDI 9";
    case RuleScope::kLevel9Ex:
      return "DDI 9, Direct3D 9Ex";
    case RuleScope::kPackets:
      return "packets";
    case RuleScope::kVista:
      return "packets, vista";
    case RuleScope::kFromWin8:
      return "packets, win8 and later";
    case RuleScope::kFromWin10:
      return "packets, win10 and later";
  }
  return "all";
}

size_t RowOf(Rule rule) {
  return kRows[static_cast<size_t>(rule)];
}

const RuleInfo& Info(Rule rule) {
  return kRules[RowOf(rule)];
}

std::optional<Rule> FindRule(std::string_view id) {
  const auto* row = std::ranges::find(kRules, id, &RuleInfo::id);
  if (row == std::end(kRules)) return std::nullopt;
  return row->rule;
}

Diagnostic MakeDiagnostic(Rule rule, std::string message) {
  Diagnostic diagnostic;
  diagnostic.rule = rule;
  diagnostic.severity = Info(rule).severity;
  diagnostic.message = std::move(message);
  return diagnostic;
}

std::string FormatPlace(std::string_view file, const Diagnostic& diagnostic) {
  std::string text = Plain(file);
  if (diagnostic.line != 0) {
    text += fmt::format(":{}", diagnostic.line);
    if (diagnostic.column != 0) text += fmt::format(":{}", diagnostic.column);
    return text;
  }
  const std::string place = PlaceInTrace(diagnostic);
  return place.empty() ? text : text + ": " + place;
}

std::string FormatDiagnostic(std::string_view file, const Diagnostic& diagnostic) {
  std::string text =
      fmt::format("{}: {}: {} [{}]", FormatPlace(file, diagnostic), Name(diagnostic.severity),
                  Plain(diagnostic.message), Info(diagnostic.rule).id);
  std::string where = Plain(diagnostic.path);
  const auto add = [&where](std::string_view name, uint64_t number) {
    if (number != 0) where += fmt::format("{}{} {}", where.empty() ? "" : ", ", name, number);
  };
  add("frame", diagnostic.frame);
  add("draw", diagnostic.draw);
  return where.empty() ? text : fmt::format("{} ({})", text, where);
}

std::span<const RuleInfo> AllRules() {
  return kRules;
}

}  // namespace dp2trace
