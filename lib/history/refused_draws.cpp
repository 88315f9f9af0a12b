#include "history/refused_draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"
#include "history/numbers.h"
#include "rules/rule_info.h"

namespace dp2trace::history {
namespace {

constexpr size_t kMaxDraws = 1024;

}  // namespace

void RefusedDraws::OnApplied(const play::Position& position) {
  if (position.token != nullptr && !is_drawn_ && draws_.size() + undrawn_.size() < kMaxDraws)
    undrawn_.push_back({position.draw, position.event, position.offset, {}, {}});
}

// Draws without an error have nothing to draw.
void RefusedDraws::AfterEvent(const DiagnosticList& findings) {
  for (RefusedDraw& draw : std::exchange(undrawn_, {})) {
    const auto error = std::ranges::find_if(findings.items(), [&](const Diagnostic& finding) {
      return finding.severity == Severity::kError && finding.event == draw.event &&
             finding.draw == draw.draw;
    });
    if (error == findings.items().end()) continue;
    draw.rule = Info(error->rule).id;
    draw.message = error->message;
    draws_.push_back(std::move(draw));
  }
}

std::string RefusedText(const std::vector<RefusedDraw>& draws) {
  constexpr size_t kNamed = 8;
  std::string out;
  for (size_t i = 0; i < std::min(draws.size(), kNamed); ++i) {
    out += fmt::format("draw {} was not drawn: {} [{}]\n", draws[i].draw, Plain(draws[i].message),
                       draws[i].rule);
  }
  if (draws.size() > kNamed)
    out += fmt::format("... and {} of the frame\n", Counted(draws.size() - kNamed, "more draw"));
  return out;
}

std::string RefusedJson(const std::vector<RefusedDraw>& draws) {
  return JsonArray(draws, [](const RefusedDraw& draw) {
    JsonObject object;
    object.Add("draw", draw.draw).Add("event", draw.event).Add("offset", draw.offset);
    object.AddText("rule", draw.rule).AddText("message", draw.message);
    return object.Take();
  });
}

}  // namespace dp2trace::history
