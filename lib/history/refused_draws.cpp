#include "history/refused_draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"
#include "history/numbers.h"
#include "rules/rule.h"
#include "rules/rule_info.h"

namespace dp2trace::history {
namespace {

constexpr size_t kMaxDraws = 1024;

// What stops a draw without being an error: it has nothing to draw.
bool IsEmptyDraw(Rule rule) {
  return rule == Rule::kDp2Draw002 || rule == Rule::kDp2Draw011 || rule == Rule::kDp2Prim008;
}

}  // namespace

const Diagnostic* FindRefusal(std::span<const Diagnostic> findings, uint64_t event, uint64_t draw,
                              bool is_whole) {
  const auto stops = [&](const Diagnostic& finding) {
    return finding.event == event &&
           (finding.severity == Severity::kError || IsEmptyDraw(finding.rule));
  };
  auto found = std::ranges::find_if(
      findings, [&](const Diagnostic& finding) { return stops(finding) && finding.draw == draw; });
  if (found == findings.end() && is_whole) found = std::ranges::find_if(findings, stops);
  return found == findings.end() ? nullptr : &*found;
}

void RefusedDraws::Add(uint64_t draw, uint64_t event, uint64_t offset) {
  if (draws_.size() + undrawn_.size() < kMaxDraws)
    undrawn_.push_back({draw, event, offset, {}, {}});
}

void RefusedDraws::OnApplied(const play::Position& position) {
  if (position.token != nullptr && !tokens_.is_drawn())
    Add(position.draw, position.event, position.offset);
}

void RefusedDraws::AfterEvent(play::Player& player) {
  const uint64_t event = player.position().event;
  const bool is_refused = !tokens_.HasAnyOf(event);  // as a whole
  if (is_refused) {
    for (const trace::DrawToken& draw : player.draws().draws())
      Add(draw.number, event, draw.offset);
  }
  for (RefusedDraw& draw : std::exchange(undrawn_, {})) {
    const Diagnostic* const error =
        FindRefusal(player.findings().items(), event, draw.draw, is_refused);
    if (error == nullptr) continue;
    draw.rule = Info(error->rule).id;
    draw.message = error->message;
    draws_.push_back(std::move(draw));
  }
}

Status RefusedOfFrame::BeforeEvent(const trace::Event& /*event*/) {
  const uint64_t frame = player().position().frame;
  if (!player().draws().draws().empty() && std::exchange(frame_, frame) != frame) refused_ = {};
  return OkStatus();
}

Status RefusedOfFrame::AfterEvent(const trace::Event& /*event*/) {
  refused_.AfterEvent(player());
  return OkStatus();
}

std::string RefusedOfFrame::RefusedClause() const {
  const std::vector<RefusedDraw>& draws = refused();
  if (draws.empty()) return {};
  const RefusedDraw& first = draws.front();
  std::string text =
      fmt::format("; draw {} was not drawn ({}): {}", first.draw, first.rule, Plain(first.message));
  if (draws.size() > 1)
    text += fmt::format(" (and {} of the frame)", Counted(draws.size() - 1, "more draw"));
  return text;
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
