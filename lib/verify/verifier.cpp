#include "verify/verifier.h"

#include <algorithm>
#include <string_view>

#include "rules/rule.h"
#include "rules/rule_info.h"

namespace dp2trace::verify {
namespace {

constexpr std::string_view kGroups[] = {"TRACE-", "JSON-", "REPLAY-", "RECORD-", "IO-"};

Selection Nothing() {
  std::string error;
  return *Selection::Parse("none", error);
}

replay::Options ReplayOptions(const Options& options) {
  replay::Options replay = options.replay;
  replay.frames = Nothing();
  replay.validation.checks_recording = true;
  for (const RuleInfo& row : AllRules()) {
    if (!IsAboutRecordings(row.rule)) replay.validation.rules.Mute(row.rule);
  }
  return replay;
}

}  // namespace

bool IsAboutRecordings(Rule rule) {
  const RuleInfo& row = Info(rule);
  return rule == Rule::kDp2Surf017 || rule == Rule::kDp2Surf018 ||
         row.family == RuleFamily::kHandles ||
         std::ranges::any_of(kGroups,
                             [&](std::string_view group) { return row.id.starts_with(group); });
}

Verifier::Verifier(const Options& options, DiagnosticList& findings)
    : replayer_(ReplayOptions(options), findings, images_),
      checks_(options.checks, options.replay.validation.rules, findings) {}

Status Verifier::OnEvent(uint64_t number, const trace::Event& event) {
  DP2TRACE_RETURN_IF_ERROR(replayer_.OnEvent(number, event));
  checks_.OnEvent(number, event, replayer_.device());
  return OkStatus();
}

Status Verifier::Finish() {
  DP2TRACE_RETURN_IF_ERROR(replayer_.Finish());
  checks_.Finish(replayer_.device());
  return OkStatus();
}

PictureResult* Verifier::first_different() {
  const auto found =
      std::ranges::find_if(pictures(), [](const PictureResult& p) { return p.is_different; });
  return found == pictures().end() ? nullptr : &*found;
}

CauseFinder::CauseFinder(const Options& options, const PictureResult& picture)
    : picture_(picture),
      history_(picture.difference.first->x, picture.difference.first->y, 0),
      player_({options.replay.validation, options.replay.renderer, options.replay.raster},
              {&history_, this}) {}

Status CauseFinder::AfterEvent(const trace::Event& /*event*/) {
  if (player_.position().event != picture_.event) return OkStatus();
  draw_ = history_.LastChange(player_.device(), picture_.space, picture_.surface, picture_.face,
                              picture_.level);
  return OkStatus();
}

}  // namespace dp2trace::verify
