#include "base/rules.h"

#include <algorithm>

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
#include "base/rules.def"
#undef DP2TRACE_RULE
};

}  // namespace

std::string_view Name(Severity severity) {
  switch (severity) {
    case Severity::kAdvice:
      return "advice";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "error";
}

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

std::string_view Describe(Fault fault) {
  switch (fault) {
    case Fault::kStream:
      return "the stream is invalid";
    case Fault::kSupport:
      return "legal, but rare or rarely supported";
    case Fault::kResult:
      return "the recorded result disagrees with the documents";
    case Fault::kFile:
      return "the file is at fault, not what it records";
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

const RuleInfo& Info(Rule rule) {
  return kRules[static_cast<size_t>(rule)];
}

std::optional<Rule> FindRule(std::string_view id) {
  const auto* row = std::ranges::find(kRules, id, &RuleInfo::id);
  if (row == std::end(kRules)) return std::nullopt;
  return row->rule;
}

std::span<const RuleInfo> AllRules() {
  return kRules;
}

}  // namespace dp2trace
