#include "verify/recording_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "rules/rule.h"
#include "rules/rule_info.h"

namespace dp2trace::verify {

namespace {

constexpr size_t kNamedDraws = 8;  // of a picture that an error kept from being drawn

}  // namespace

RecordingChecks::RecordingChecks(CheckOptions options, const validate::RuleSet& rules)
    : options_(std::move(options)), rules_(rules) {}

Status RecordingChecks::AfterEvent(const trace::Event& event) {
  DP2TRACE_RETURN_IF_ERROR(RefusedOfFrame::AfterEvent(event));
  end_.OnEvent(player().position().event, event);
  if (const auto* const picture = std::get_if<trace::Picture>(&event); picture != nullptr)
    OnPicture(*picture);
  return OkStatus();
}

void RecordingChecks::Finish(bool has_end) {
  end_.CheckReturn(has_end, rules_, player().findings());
  end_.CheckBegin(has_end, rules_, player().findings());
  end_.CheckLost(rules_, player().findings());
  if (!options_.lists_leaks) return;
  if (!rules_.Wants(Rule::kRecordLeak001))
    rules_.SetSeverity(Rule::kRecordLeak001, Info(Rule::kRecordLeak001).severity);
  leaks_ = end_.CheckLeaks(player().device(), rules_, player().findings());
}

bool RecordingChecks::IsRefusal(const Diagnostic& finding) const {
  return finding.severity == Severity::kError &&
         std::ranges::any_of(refused(), [&](const history::RefusedDraw& draw) {
           return draw.event == finding.event && draw.rule == Info(finding.rule).id &&
                  draw.message == finding.message;
         });
}

void RecordingChecks::NameRefused(PictureResult& result) const {
  const std::vector<history::RefusedDraw>& draws = refused();
  const size_t named = std::min(draws.size(), kNamedDraws);
  result.refused.assign(draws.begin(), draws.begin() + static_cast<ptrdiff_t>(named));
  result.more_refused = draws.size() - named;
}

void RecordingChecks::OnPicture(const trace::Picture& event) {
  const uint64_t number = player().position().event;
  validate::EventFindings findings(player().findings(), rules_, number);
  PictureResult& result = pictures_.emplace_back();
  result.sequence = pictures_.size();
  result.event = number;
  result.space = event.space;
  result.surface = event.handle;
  Result<PicturePair> pair = PairPictures(player().device(), event);
  if (!pair.ok()) {
    findings.Add(Rule::kRecordPicture002, "handle", pair.status().diagnostic().message);
    return;
  }
  result.is_compared = true;
  result.face = pair->face;
  result.level = pair->level;
  result.area = pair->area;
  const image::LooseOptions loose = {
      .tolerance = static_cast<uint8_t>(std::min<uint32_t>(options_.tolerance, 255)),
      .edge_pixels = options_.edge_pixels};
  result.difference = Compare(*pair, loose);
  result.is_different = result.difference.pixels > options_.max_pixels;
  if (!result.is_different) return;
  result.diagnosis = image::Diagnose(pair->replay, pair->driver, loose);
  if (result.diagnosis && result.diagnosis->fault == image::PictureFault::kHalfPixel) {
    const auto moved = image::FindMoved(pair->replay, pair->driver, loose, *result.diagnosis);
    if (!moved.empty()) {
      const auto [left, top] = std::pair(pair->area.left, pair->area.top);
      const image::MovedPixel& first = moved.front();
      result.moved = {left + first.x, top + first.y, left + first.from_x, top + first.from_y};
    }
  }
  NameRefused(result);
  findings.Add(Rule::kRecordPicture001, "data",
               fmt::format("picture {} of surface {}: {}{}{}", result.sequence, event.handle,
                           Describe(result.difference, pair->area, options_.tolerance),
                           result.diagnosis ? "; diagnosis: " + image::Describe(*result.diagnosis)
                                            : std::string(),
                           RefusedClause()));
  if (options_.on_difference) options_.on_difference(result.sequence, *pair);
}

}  // namespace dp2trace::verify
