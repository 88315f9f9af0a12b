#include "validate/rules_call.h"

#include <fmt/format.h>

namespace dp2trace::validate {
namespace {

// DP2-CALL-001; DP2-CTX-003 where the context lived once.
void CheckContext(const EventView& view, const trace::Dp2& call) {
  if (view.device.FindContext(call.space, call.context) != nullptr) return;
  if (view.device.WasContextDestroyed(call.space, call.context)) {
    view.findings.Add(Rule::kDp2Ctx003, "context", fmt::format("context {:#x} was destroyed; the call is not executed", call.context),
                      fmt::format("{:#x}", call.context));
    return;
  }
  view.findings.Add(Rule::kDp2Call001, "context", fmt::format("context {:#x} does not exist; the call is not executed", call.context),
                    fmt::format("{:#x}", call.context));
}

}  // namespace

std::span<const CommandRule> CallRules() { return {}; }

void CheckCallEvent(const EventView& view, const trace::Dp2& event) {
  CheckContext(view, event);
}

}  // namespace dp2trace::validate
