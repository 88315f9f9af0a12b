// What everybody who passes findings on knows of a rule: that it is a number with a severity. The table stands in rules/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dp2trace {

enum class Severity : uint8_t { kAdvice, kWarning, kError };
inline constexpr size_t kSeverityCount = 3;

// "advice", "warning", "error".
std::string_view Name(Severity severity);

// A row of the rule table; rules/rule.h has the enumerators. Opaque here, so that a new rule does not rebuild who only passes it on.
enum class Rule : uint16_t;

// What base itself reports: the rows TRACE-001 (a file cannot be read) and IO-001 (it cannot be written).
inline constexpr Rule kCannotRead{0};
inline constexpr Rule kCannotWrite{1};

}  // namespace dp2trace
