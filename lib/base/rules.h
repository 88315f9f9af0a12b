// The rule table: every finding of every layer is reported under a row of rules.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dp2trace {

enum class Severity : uint8_t { kAdvice, kWarning, kError };
inline constexpr size_t kSeverityCount = 3;

// "advice", "warning", "error".
std::string_view Name(Severity severity);

enum class Rule : uint16_t {
#define DP2TRACE_RULE(enumerator, id, severity, source, summary) enumerator,
#include "base/rules.def"
#undef DP2TRACE_RULE
};

struct RuleInfo {
  Rule rule;
  std::string_view id;  // GROUP-TOPIC-NNN; never changes
  Severity severity;
  std::string_view source;   // section of the specification and the public document
  std::string_view summary;  // one line: what is objected to
};

const RuleInfo& Info(Rule rule);
std::optional<Rule> FindRule(std::string_view id);
// All rows, in table order.
std::span<const RuleInfo> AllRules();

}  // namespace dp2trace
