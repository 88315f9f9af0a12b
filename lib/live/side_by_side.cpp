#include "live/side_by_side.h"

#include <string_view>
#include <utility>

#include "base/work_budget.h"
#include "blame/explain.h"
#include "blame/follow.h"
#include "blame/report.h"
#include "compare/compare_forms.h"
#include "compare/compare_pictures.h"
#include "diff/diff.h"
#include "json/append.h"
#include "rules/rule.h"

namespace dp2trace::live {
namespace {

// The report of a verb, which ends with a line end, and its text; where the picture lies in its surface.
std::string Answer(std::string_view name, std::string_view text, std::string_view report,
                   const image::Area& area = {}) {
  json::Builder out;
  out.Raw('{');
  json::AppendString(out, "text", text);
  json::AppendCount(out, "left", area.left);
  json::AppendCount(out, "top", area.top);
  out.Key(name);
  out.Raw(report.substr(0, report.find_last_not_of('\n') + 1));
  out.Raw('}');
  return std::move(out.string());
}

// Of all plays together.
play::Options WithBudget(play::Options play, WorkBudget& work) {
  play.validation.work = &work;
  return play;
}

Status ReadSide(TraceFeed& feed, diff::DiffSide& side) {
  Status status;
  const auto source = feed.Open(nullptr, status);
  if (source == nullptr) return status;
  side.open = [&feed] {
    Status unread;  // null says it
    return feed.Open(nullptr, unread);
  };
  return diff::FindObjects(*source, feed.watch().walk(), side);
}

}  // namespace

Result<std::string> CompareText(const ComparedPlace& place, const Beside& beside, TraceFeed& feed) {
  WorkBudget work(play::StepsOf(place.play.validation));
  const Result<blame::Frame> frame =
      blame::RecordFrame({.last_draw = place.suspect.draw, .play = WithBudget(place.play, work)},
                         place.suspect.span, feed);
  if (!frame.ok()) return frame.status();
  if (!frame->absence.empty()) return Failure(kCannotRead, frame->absence);
  const uint8_t tolerance = place.place.tolerance;
  compare::PairResult result = compare::ComparePictures(frame->picture, *beside.picture,
                                                        {.loose = {.tolerance = tolerance}});
  result.pair.name = TextOf(place.place);
  const compare::Compared compared = {
      .expected = result.pair.name, .actual = beside.name, .tolerance = tolerance};
  return Answer("compare", compare::ReportText(compared, {result}), compare::ReportJson({result}));
}

Result<std::string> BlameText(const std::string& trace, const ComparedPlace& place,
                              const Beside& beside, TraceFeed& feed) {
  WorkBudget work(play::StepsOf(place.play.validation));
  blame::SearchOptions options;
  options.tolerance.loose.tolerance = place.place.tolerance;
  options.play = WithBudget(place.play, work);
  blame::Suspect suspect = place.suspect;
  suspect.picture = *beside.picture;
  const Result<blame::Explanation> found = blame::Explain(options, suspect, feed);
  if (!found.ok()) return found.status();
  if (!found->frame.absence.empty()) return Failure(kCannotRead, found->frame.absence);
  if (!found->likeness.ok()) return found->likeness.status();
  return Answer("blame", blame::ReportText(found->frame, found->blame, suspect.search),
                blame::ReportJson(trace, found->frame, found->blame, suspect.search),
                found->frame.layers.area());
}

Result<std::string> DiffText(const std::string& trace, const Beside& beside, TraceFeed& a,
                             TraceFeed& b) {
  diff::DiffSide side_a;
  diff::DiffSide side_b;
  DP2TRACE_RETURN_IF_ERROR(ReadSide(a, side_a));
  DP2TRACE_RETURN_IF_ERROR(ReadSide(b, side_b));
  const Result<diff::DiffResult> result = diff::Diff(side_a, side_b, {}, a.watch().walk());
  if (!result.ok()) return result.status();
  return Answer("diff", diff::DiffText(*result), diff::DiffJson(trace, beside.name, *result));
}

}  // namespace dp2trace::live
