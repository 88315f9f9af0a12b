#include "verify/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/plain_text.h"
#include "rules/rule.h"
#include "rules/rule_info.h"

namespace dp2trace::verify {
namespace {

constexpr std::string_view kGroups[] = {"TRACE-", "JSON-", "REPLAY-", "RECORD-", "IO-"};

// What the runtime makes is well formed, and of the levels that it and the driver have: bytes that cannot be walked, and operations of another
// level, are recorded wrongly, or with a wrong header.
constexpr Rule kRules[] = {Rule::kDp2Surf017,  Rule::kDp2Surf018,  Rule::kKmtDp2001,
                           Rule::kKmtDp2003,   Rule::kKmtDp2004,   Rule::kDp2Level001,
                           Rule::kDp2Level002, Rule::kDp2Level004, Rule::kDp2Level005,
                           Rule::kDp2Level007, Rule::kDp2Level008, Rule::kDp2Fvf011};

Selection Nothing() {
  std::string error;
  return *Selection::Parse("none", error);
}

// Errors of all kinds are found: they say which draws the replay refuses.
replay::Options ReplayOptions(const Options& options, RecordingChecks& checks) {
  replay::Options replay = options.replay;
  replay.frames = Nothing();
  replay.listeners = {&checks};
  replay.validation.checks_recording = true;
  validate::RuleSet& rules = replay.validation.rules;
  for (const RuleInfo& row : AllRules()) {
    if (!IsAboutRecordings(row.rule) && rules.severity(row.rule) != Severity::kError)
      rules.Mute(row.rule);
  }
  return replay;
}

}  // namespace

bool IsAboutRecordings(Rule rule) {
  const RuleInfo& row = Info(rule);
  const bool ends_call = row.severity == Severity::kError && row.id.starts_with("DP2-STREAM-");
  return ends_call || row.family == RuleFamily::kHandles ||
         std::ranges::find(kRules, rule) != std::end(kRules) ||
         std::ranges::any_of(kGroups,
                             [&](std::string_view group) { return row.id.starts_with(group); });
}

bool HasEnd(const DiagnosticList& reading) {
  return std::ranges::find(reading.items(), Rule::kTrace019, &Diagnostic::rule) ==
         reading.items().end();
}

Verifier::Verifier(const Options& options, DiagnosticList& findings)
    : findings_(&findings),
      checks_(options.checks, options.replay.validation.rules),
      replayer_(ReplayOptions(options, checks_), found_, images_) {}

bool Verifier::IsHeld(const Diagnostic& finding) {
  if (finding.rule != Rule::kReplaySurface001) return false;
  const auto [cause, is_new] = surfaces_.try_emplace(finding.expected, Cause{.first = finding});
  if (!is_new) ++cause->second.count;
  return true;
}

void Verifier::Report() {
  if (found_.empty()) return;
  for (Diagnostic& finding : std::exchange(found_, DiagnosticList()).Take()) {
    if (!IsAboutRecordings(finding.rule) && !checks_.IsRefusal(finding)) continue;
    if (IsHeld(finding)) continue;
    // A wrong header makes all tokens of a kind wrong.
    const bool is_of_level = Info(finding.rule).group() == "DP2-LEVEL";
    if (is_of_level && !levels_.insert(finding.message).second) continue;
    findings_->Add(std::move(finding));
  }
}

Status Verifier::OnEvent(uint64_t number, const trace::Event& event) {
  Status status = replayer_.OnEvent(number, event);
  Report();
  return status;
}

Status Verifier::Finish(bool has_end) {
  DP2TRACE_RETURN_IF_ERROR(replayer_.Finish());
  checks_.Finish(has_end);
  Report();
  for (auto& [expected, cause] : std::exchange(surfaces_, {})) {
    if (cause.count > 1)
      cause.first.message +=
          fmt::format("; so it is with {}", Counted(cause.count - 1, "later surface"));
    findings_->Add(std::move(cause.first));
  }
  return OkStatus();
}

PictureResult* Verifier::first_different() {
  const auto found =
      std::ranges::find_if(pictures(), [](const PictureResult& p) { return p.is_different; });
  return found == pictures().end() ? nullptr : &*found;
}

CauseFinder::CauseFinder(const Options& options, const PictureResult& picture)
    : picture_(picture),
      moved_(picture.moved.value_or(image::MovedPixel())),
      history_(picture.difference.first->x, picture.difference.first->y, 0),
      edge_(moved_.x, moved_.y, 0),
      beside_(moved_.from_x, moved_.from_y, 0),
      player_({options.replay.validation, options.replay.renderer, options.replay.raster},
              {&history_, &edge_, &beside_, this}) {}

std::optional<replay::CausingDraw> CauseFinder::LastChange(
    const replay::LastWriterFinder& history) const {
  return history.LastChange(player_.device(), picture_.space, picture_.surface, picture_.face,
                            picture_.level);
}

Status CauseFinder::AfterEvent(const trace::Event& /*event*/) {
  if (player_.position().event != picture_.event) return OkStatus();
  draw_ = LastChange(history_);
  if (picture_.moved) edge_draw_ = replay::DrawOfEdge(LastChange(edge_), LastChange(beside_));
  return OkStatus();
}

}  // namespace dp2trace::verify
