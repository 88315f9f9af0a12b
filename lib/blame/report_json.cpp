#include <fmt/format.h>

#include <span>

#include "blame/report.h"
#include "blame/written.h"
#include "history/numbers.h"
#include "json/output.h"
#include "text/report_list.h"

namespace dp2trace::blame {
namespace {

using history::JsonArray;
using history::JsonObject;

std::string OperationJson(const Operation& operation) {
  JsonObject object;
  object.AddText("kind", history::Name(operation.kind));
  if (operation.draw != 0) object.Add("draw", operation.draw);
  object.Add("event", operation.event);
  if (operation.offset) object.Add("offset", *operation.offset);
  object.AddText("operation", operation.name);
  if (operation.marker) {
    JsonObject marker;
    marker.AddText("text", operation.marker->text);
    marker.AddText("source", operation.marker->source);
    if (operation.marker->position) marker.Add("position", *operation.marker->position);
    object.AddRaw("marker", marker.Take());
  }
  return object.Take();
}

std::string NestedReadingJson(const NestedReading& nested) {
  constexpr uint32_t kNamed = 64;
  const uint32_t count = nested.reading->count;
  const uint32_t first = count > kNamed ? count - kNamed : 0;
  JsonObject object;
  object.Add("depth", uint64_t{nested.depth});
  object.Add("surface", uint64_t{nested.surface->handle});
  object.AddText("as", nested.reading->as);
  object.AddRaw("written_by", JsonArray(std::span(nested.surface->by).subspan(first, count - first),
                                        OperationJson));
  object.Add("written_before", uint64_t{first});
  return object.Take();
}

std::string CandidateJson(const Frame& frame, const Candidate& candidate) {
  JsonObject object;
  object.AddRaw("operation", OperationJson(frame.operations[candidate.operation]));
  object.AddText("measured_by", candidate.is_by_cover ? "covered" : "written");
  object.Add("region_pixels", candidate.pixels);
  object.Add("region_pixels_written", candidate.written);
  object.Add("differing_pixels", candidate.wrong);
  object.Add("pixels", candidate.reached);
  object.AddRaw("fit", fmt::format("{:.6f}", candidate.fit));
  object.AddRaw("reads", JsonArray(FindReadings(frame, frame.operations[candidate.operation]),
                                   NestedReadingJson));
  return object.Take();
}

std::string RegionJson(const Frame& frame, const BlamedRegion& region) {
  const image::Area& area = region.where.area;
  JsonObject first;
  first.Add("x", uint64_t{region.first.x}).Add("y", uint64_t{region.first.y});
  first.AddRaw("replay", json::ColorJson(region.first.expected));
  first.AddRaw("picture", json::ColorJson(region.first.actual));
  JsonObject object;
  object.AddRaw("rectangle", json::RectangleJson(area.left, area.top, area.right, area.bottom));
  object.Add("pixels", region.where.pixels);
  object.AddBool("rest", region.where.is_rest);
  object.AddRaw("first", first.Take());
  object.Add("unwritten_pixels", region.unwritten);
  object.AddRaw("candidates", JsonArray(region.candidates, [&](const Candidate& candidate) {
                  return CandidateJson(frame, candidate);
                }));
  object.Add("candidates_not_listed", region.further_candidates);
  return object.Take();
}

std::string FactJson(const Frame& frame, const Blame& blame, const SharedFact& shared) {
  JsonObject object;
  object.AddText("name", frame.facts.at(shared.fact).name);
  object.AddText("value", frame.facts.at(shared.fact).value);
  object.Add("wrong_draws", shared.wrong).Add("right_draws", shared.right);
  object.AddText("text", SentenceOf(blame.common, shared, frame.facts));
  return object.Take();
}

std::string ChangeJson(const Change& change) {
  JsonObject object;
  object.AddText("name", change.name);
  if (!change.before.empty()) object.AddText("before", change.before);
  if (!change.after.empty()) object.AddText("after", change.after);
  if (change.is_negated) object.AddBool("negated", true);
  object.AddRaw("draws",
                JsonArray(change.draws, [](uint64_t draw) { return fmt::format("{}", draw); }));
  object.AddText("text", TextOf(change));
  return object.Take();
}

std::string LevelJson(const BlamedLevel& level) {
  JsonObject object;
  object.Add("draw", level.draw).Add("sampler", uint64_t{level.sampler});
  object.Add("texture", uint64_t{level.texture}).Add("level", uint64_t{level.level});
  object.Add("wrong_pixels", level.wrong).Add("right_pixels", level.right);
  object.Add("right_pixels_that_sample", level.right_that_sample);
  if (level.is_right_of_others) object.AddBool("right_pixels_of_other_draws", true);
  return object.Take();
}

std::string DrawsJson(const Frame& frame, const std::vector<uint32_t>& draws) {
  return JsonArray(draws,
                   [&](uint32_t place) { return fmt::format("{}", frame.operations[place].draw); });
}

std::string SearchJson(const Search& search) {
  JsonObject object;
  if (search.first_draw != 0) {
    object.Add("first_draw", search.first_draw);
    if (search.last_right_draw != 0) object.Add("last_right_draw", search.last_right_draw);
    object.AddBool("exact", search.is_exact);
  }
  if (search.first_frame != 0) object.Add("first_frame", search.first_frame);
  if (search.last_right_frame != 0) object.Add("last_right_frame", search.last_right_frame);
  if (search.first_read != 0) object.Add("first_read", search.first_read);
  object.Add("pictures", search.pictures);
  return object.Take();
}

}  // namespace

std::string ReportJson(std::string_view trace, const Frame& frame, const Blame& blame,
                       const Search& search) {
  const image::LooseComparison& comparison = blame.comparison;
  std::string out = json::OutputHead("blame", trace);
  out += fmt::format(
      ",\"frame\":{},\"unfinished\":{},\"surface\":{},\"format\":\"{}\",\"width\":{},\"height\":{},\n"
      "\"equal\":{},\"compared_pixels\":{},\"differing_pixels\":{},\"tolerated_pixels\":{}",
      frame.number, frame.is_unfinished, frame.surface, frame.format, frame.picture.width,
      frame.picture.height, blame.is_equal(), comparison.compared_pixels,
      comparison.beyond.differing_pixels, comparison.tolerated_pixels);
  if (blame.diagnosis) out += ",\n\"diagnosis\":" + image::DiagnosisJson(*blame.diagnosis);
  if (!blame.edge_draws.empty()) out += ",\n\"edge_draws\":" + DrawsJson(frame, blame.edge_draws);
  if (!frame.refused.empty()) out += ",\n\"refused\":" + history::RefusedJson(frame.refused);
  if (frame.read != 0) out += fmt::format(",\n\"read\":{}", frame.read);
  if (frame.last_draw != 0) out += fmt::format(",\n\"after_draw\":{}", frame.last_draw);
  if (!frame.copies.empty()) out += ",\n\"copied_by\":" + JsonArray(frame.copies, OperationJson);
  if (search.pictures != 0) out += ",\n\"search\":" + SearchJson(search);
  text::AppendList(out, "regions", blame.regions, [&](std::string& to, const BlamedRegion& region) {
    to += RegionJson(frame, region);
  });
  out += fmt::format(",\n\"wrong_draws\":{},\n\"right_draws\":{},\n\"unclear_draws\":{}",
                     DrawsJson(frame, blame.wrong_draws), DrawsJson(frame, blame.right_draws),
                     blame.unclear_draws);
  if (blame.changes) {
    const Changes& changes = *blame.changes;
    out += fmt::format(",\n\"right_frame\":{},\n\"matched_draws\":{},\n\"unmatched_draws\":{}",
                       changes.right_frame, changes.matched, changes.unmatched);
    text::AppendList(out, "changes", changes.changes,
                     [](std::string& to, const Change& change) { to += ChangeJson(change); });
    out += fmt::format(",\n\"changes_not_listed\":{}", changes.further_changes);
  }
  if (blame.level) out += ",\n\"level\":" + LevelJson(*blame.level);
  text::AppendList(
      out, "common", blame.common.facts,
      [&](std::string& to, const SharedFact& shared) { to += FactJson(frame, blame, shared); });
  out += fmt::format(",\n\"common_not_listed\":{}}}\n", blame.common.further_facts);
  return out;
}

}  // namespace dp2trace::blame
