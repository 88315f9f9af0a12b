#include "rules/silent_rules.h"

namespace dp2trace {
namespace {

struct Silence {
  Rule rule;
  std::string_view reason;
};
constexpr Silence kSilences[] = {
    {Rule::kKmtState018, "a trace is one sequence of finished calls"},
    {Rule::kKmtAlloc019, "residency is not recorded"},
    {Rule::kKmtSubmit004, "what a driver asks for as private data is not recorded"},
    {Rule::kKmtOpq001, "it says of opaque payloads that no rule runs"},
    {Rule::kKmtDp2005, "tokens start at CommandOffset by definition"},
};

}  // namespace

std::string_view SilenceOf(Rule rule) {
  for (const Silence& row : kSilences) {
    if (row.rule == rule) return row.reason;
  }
  return {};
}

}  // namespace dp2trace
