// Findings that only follow from something that has been reported: a draw that meets a binding which a refused record was to set, or one
// mistake that every draw meets again. Source: lib/style.md 2.6; lib/opcode/dp2.md 22.
#pragma once

#include <cstdint>
#include <map>

#include "device/context.h"
#include "validate/findings.h"

namespace dp2trace::validate {

// What was reported of a context: defects that last until a binding changes.
struct FollowUpMemory {
  std::map<Rule, uint64_t> reported;  // by rule: the state of the bindings then
};

// The findings about one token of a context. Not kept beyond it.
class FollowUps final : public FindingFilter {
 public:
  // `call` tells the calls of the context apart; `has_format_of_call`: the token draws vertices in the format of its call. All outlive the
  // object.
  FollowUps(const device::Context& context, uint64_t call, bool has_format_of_call,
            FollowUpMemory& memory)
      : context_(&context),
        call_(call),
        has_format_of_call_(has_format_of_call),
        memory_(&memory) {}

  bool Keeps(const Diagnostic& finding) const override;
  bool IsRepeat(const Diagnostic& finding) const override;

 private:
  const device::Context* context_;
  uint64_t call_;
  bool has_format_of_call_;
  FollowUpMemory* memory_;
};

}  // namespace dp2trace::validate
