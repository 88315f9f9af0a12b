#include "verify/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

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
    : options_(options),
      findings_(&findings),
      replayer_(ReplayOptions(options), findings, images_) {}

Status Verifier::OnEvent(uint64_t number, const trace::Event& event) {
  DP2TRACE_RETURN_IF_ERROR(replayer_.OnEvent(number, event));
  end_.OnEvent(number, event);
  const auto* const picture = std::get_if<trace::Picture>(&event);
  return picture != nullptr ? OnPicture(number, *picture) : OkStatus();
}

Status Verifier::Finish() {
  DP2TRACE_RETURN_IF_ERROR(replayer_.Finish());
  validate::RuleSet rules = options_.replay.validation.rules;
  end_.CheckReturn(rules, *findings_);
  if (!options_.lists_leaks) return OkStatus();
  if (!rules.Wants(Rule::kRecordLeak001))
    rules.SetSeverity(Rule::kRecordLeak001, Info(Rule::kRecordLeak001).severity);
  leaks_ = end_.CheckLeaks(replayer_.device(), rules, *findings_);
  return OkStatus();
}

PictureResult* Verifier::first_different() {
  const auto found = std::ranges::find_if(
      pictures_, [](const PictureResult& p) { return p.difference.pixels != 0; });
  return found == pictures_.end() ? nullptr : &*found;
}

Status Verifier::OnPicture(uint64_t number, const trace::Picture& event) {
  validate::EventFindings findings(*findings_, options_.replay.validation.rules, number);
  PictureResult& result = pictures_.emplace_back();
  result.sequence = pictures_.size();
  result.event = number;
  result.space = event.space;
  result.surface = event.handle;
  Result<PicturePair> pair = PairPictures(replayer_.device(), event);
  if (!pair.ok()) {
    findings.Add(Rule::kRecordPicture002, "handle", pair.status().diagnostic().message);
    return OkStatus();
  }
  result.is_compared = true;
  result.face = pair->face;
  result.level = pair->level;
  result.area = pair->area;
  result.difference = Compare(*pair, options_.tolerance);
  if (result.difference.pixels == 0) return OkStatus();
  result.diagnosis = image::Diagnose(
      pair->replay, pair->driver,
      {.tolerance = static_cast<uint8_t>(std::min<uint32_t>(options_.tolerance, 255))});
  findings.Add(Rule::kRecordPicture001, "data",
               fmt::format("picture {} of surface {}: {}{}", result.sequence, event.handle,
                           Describe(result.difference, pair->area, options_.tolerance),
                           result.diagnosis ? "; diagnosis: " + image::Describe(*result.diagnosis)
                                            : std::string()));
  if (options_.on_difference) options_.on_difference(result.sequence, *pair);
  return OkStatus();
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
