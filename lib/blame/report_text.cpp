#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/plain_text.h"
#include "blame/report.h"
#include "blame/written.h"
#include "d3d/notation.h"

namespace dp2trace::blame {
namespace {

// "event 7, offset 0x10".
std::string PlaceText(const Operation& operation) {
  std::string text = fmt::format("event {}", operation.event);
  if (operation.offset) text += fmt::format(", offset 0x{:x}", *operation.offset);
  return text;
}

std::string WhereText(const DifferentRegion& where) {
  const image::Area& area = where.area;
  return fmt::format("{} in {}{}", Counted(where.pixels, "pixel"),
                     d3d::RectangleText(area.left, area.top, area.right, area.bottom),
                     where.is_rest ? ", all smaller regions together" : "");
}

std::string CandidateText(const Candidate& candidate, const DifferentRegion& where) {
  const std::string_view of = where.is_rest ? "their" : "its";
  if (candidate.is_by_cover) {
    return fmt::format(
        "covers {} of {} {}, but wrote {} of these (the others failed a test, were culled, or have the same colour); {} of the {} pixels that it covers are wrong; fit {:.3f}",
        candidate.pixels, of, Counted(where.pixels, "pixel"), candidate.written, candidate.wrong,
        candidate.reached, candidate.fit);
  }
  return fmt::format("wrote {} of {} {}; {} of the {} pixels that show it are wrong; fit {:.3f}",
                     candidate.pixels, of, Counted(where.pixels, "pixel"), candidate.wrong,
                     candidate.reached, candidate.fit);
}

// "draw 2", "the clear of draw 1", "BLT (event 7, offset 0x10)", "the uploads of events 6 to 12": from the writer on, and how many it names.
std::string WriterText(std::span<const Operation> by, size_t& count) {
  const Operation& first = by.front();
  count = 1;
  if (first.kind == history::Kind::kUpload) {
    while (count < by.size() && by[count].kind == history::Kind::kUpload)
      ++count;
    if (count == 1) return fmt::format("the upload of event {}", first.event);
    return fmt::format("the uploads of events {} to {}", first.event, by[count - 1].event);
  }
  if (first.kind == history::Kind::kClear) return fmt::format("the clear of draw {}", first.draw);
  if (first.draw != 0) return fmt::format("draw {}", first.draw);
  return fmt::format("{} ({})", first.name, PlaceText(first));
}

// Of many writers those that wrote last.
void AppendNestedReading(std::string& out, const Frame& frame, const Operation& operation,
                         std::string_view indent) {
  constexpr size_t kNamed = 8;
  for (const NestedReading& nested : FindReadings(frame, operation)) {
    std::vector<std::string> names;
    const auto by = std::span(nested.surface->by).first(nested.reading->count);
    for (size_t i = 0, count = 0; i < by.size(); i += count)
      names.push_back(WriterText(by.subspan(i), count));
    const size_t first = names.size() > kNamed ? names.size() - kNamed : 0;
    out += fmt::format("{}{:{}}reads surface {} ({}), which this frame wrote: ", indent, "",
                       2 * nested.depth, nested.surface->handle, nested.reading->as);
    if (first != 0) out += fmt::format("{} before, ", first);
    out += fmt::format("{}\n",
                       fmt::join(names.begin() + static_cast<ptrdiff_t>(first), names.end(), ", "));
  }
}

void AppendRegion(std::string& out, size_t number, const Frame& frame, const BlamedRegion& region) {
  out += fmt::format("region {}: {}; first at {},{}: replay {}, picture {}\n", number,
                     WhereText(region.where), region.first.x, region.first.y,
                     d3d::ColorText(region.first.expected), d3d::ColorText(region.first.actual));
  size_t rank = 0;
  for (const Candidate& candidate : region.candidates) {
    const Operation& operation = frame.operations[candidate.operation];
    out += fmt::format("  {}. {}\n     {}\n", ++rank, OperationText(operation),
                       CandidateText(candidate, region.where));
    AppendNestedReading(out, frame, operation, "     ");
  }
  if (region.further_candidates != 0)
    out += fmt::format("  ... and {} more\n", region.further_candidates);
  if (region.unwritten != 0)
    out += fmt::format("  nothing in this frame wrote {} of the pixels\n", region.unwritten);
}

void AppendCommon(std::string& out, const Frame& frame, const Blame& blame) {
  const Common& common = blame.common;
  out += fmt::format("draws with wrong pixels: {}; right: {}; unclear: {}\n", common.wrong_draws,
                     common.right_draws, blame.unclear_draws);
  if (common.wrong_draws == 0) return;
  if (common.right_draws == 0) {
    out += "no draw is known to be right, so what the wrong ones share gives no hint\n";
    return;
  }
  for (const SharedFact& shared : common.facts)
    out += SentenceOf(common, shared, frame.facts) + "\n";
  if (common.further_facts != 0) out += fmt::format("... and {} more\n", common.further_facts);
  if (common.facts.empty() && !blame.level)
    out += "nothing that was looked at tells the wrong draws from the right ones\n";
}

// "draw 5", "draws 5, 6 and 9 more".
std::string DrawsText(const std::vector<uint64_t>& draws) {
  constexpr size_t kNamed = 5;
  const auto named = std::span(draws).first(std::min(draws.size(), kNamed));
  std::string text =
      fmt::format("{} {}", draws.size() == 1 ? "draw" : "draws", fmt::join(named, ", "));
  if (draws.size() > kNamed) text += fmt::format(" and {} more", draws.size() - kNamed);
  return text;
}

// "diagnosis: edges lie half a pixel off, to the right, along the edges of draws 2, 5\n".
std::string DiagnosisText(const Frame& frame, const Blame& blame) {
  std::string text = "diagnosis: " + image::Describe(*blame.diagnosis);
  std::vector<uint64_t> draws;
  for (const uint32_t place : blame.edge_draws)
    draws.push_back(frame.operations[place].draw);
  if (!draws.empty()) text += ", along the edges of " + DrawsText(draws);
  return text + "\n";
}

void AppendChanges(std::string& out, const Changes& changes) {
  out += fmt::format("since frame {}, which is right, ", changes.right_frame);
  if (changes.matched != 0) {
    out += fmt::format(
        "{} of {}",
        changes.changes.empty() ? "nothing that was looked at has changed" : "these have changed",
        Counted(changes.matched, "wrong draw"));
  }
  if (changes.unmatched != 0) {
    const std::string count = changes.matched == 0 ? Counted(changes.unmatched, "wrong draw")
                                                   : fmt::format("; {}", changes.unmatched);
    out += fmt::format("{} {} not in that frame", count, changes.unmatched == 1 ? "is" : "are");
  }
  out += changes.changes.empty() ? "\n" : ":\n";
  for (const Change& change : changes.changes)
    out += fmt::format("  {} ({})\n", Plain(TextOf(change)), DrawsText(change.draws));
  if (changes.further_changes != 0)
    out += fmt::format("  ... and {} more\n", changes.further_changes);
}

void AppendLevel(std::string& out, const BlamedLevel& level) {
  const std::string right =
      level.right_that_sample == 0 ? "none" : fmt::format("{}", level.right_that_sample);
  out += fmt::format(
      "level {} of texture {} (sampler {}): draw {} samples it in each of {}{} in {} of {}\n",
      level.level, level.texture, level.sampler, level.draw, Counted(level.wrong, "wrong pixel"),
      level.is_right_of_others ? "; other draws that have a texture of it sample it" : " and",
      right, Counted(level.right, "right pixel"));
}

void AppendSearch(std::string& out, const Search& search) {
  if (search.first_draw != 0) {
    out += fmt::format("the first draw whose picture differs is {}", search.first_draw);
    if (search.last_right_draw == 0) {
      out += "; no earlier draw of its target has a picture";
    } else {
      out += fmt::format("; that of draw {} is right{}", search.last_right_draw,
                         search.is_exact ? "" : ", those between have no picture");
    }
    out += fmt::format(" ({} compared)\n", Counted(search.pictures, "picture"));
  } else if (search.first_frame != 0 || search.first_read != 0) {
    out += fmt::format("the first {} whose picture differs is {} ({} compared)\n",
                       search.first_frame != 0 ? "frame" : "read",
                       search.first_frame != 0 ? search.first_frame : search.first_read,
                       Counted(search.pictures, "picture"));
  }
}

}  // namespace

std::string OperationText(const Operation& operation) {
  std::string text;
  if (operation.draw != 0) text = fmt::format("draw {}, ", operation.draw);
  text += fmt::format("{} ({})", operation.name, PlaceText(operation));
  if (operation.marker) {
    text += fmt::format(", marker \"{}\"", Plain(operation.marker->text));
    if (!operation.marker->source.empty())
      text += fmt::format(" of {}", Plain(operation.marker->source));
    if (operation.marker->position) text += fmt::format(" at {}", *operation.marker->position);
  }
  return text;
}

std::string ReportText(const Frame& frame, const Blame& blame, const Search& search) {
  std::string out;
  AppendSearch(out, search);
  out += fmt::format("frame {}{}", frame.number, frame.is_unfinished ? " (unfinished)" : "");
  if (frame.read != 0) out += fmt::format(" up to read {}", frame.read);
  if (frame.last_draw != 0) out += fmt::format(" after draw {}", frame.last_draw);
  out += fmt::format(", surface {} ({}, {}x{}): ", frame.surface, frame.format, frame.picture.width,
                     frame.picture.height);
  const image::LooseComparison& comparison = blame.comparison;
  if (blame.is_equal()) {
    out += comparison.tolerated_pixels == 0
               ? "equal\n"
               : fmt::format("equal within the tolerance; {} differ{} by up to {}\n",
                             Counted(comparison.tolerated_pixels, "pixel"),
                             comparison.tolerated_pixels == 1 ? "s" : "",
                             comparison.largest_tolerated);
    return out;
  }
  out += fmt::format("{} of {} pixels differ, in {}\n", comparison.beyond.differing_pixels,
                     comparison.compared_pixels, Counted(blame.regions.size(), "region"));
  out += history::RefusedText(frame.refused);
  if (blame.diagnosis) out += DiagnosisText(frame, blame);
  if (!frame.copies.empty()) {
    out += "the picture as a whole was copied from there by ";
    for (size_t i = frame.copies.size(); i-- > 0;)
      out += OperationText(frame.copies[i]) + (i == 0 ? "\n" : ", then by ");
  }
  size_t number = 0;
  for (const BlamedRegion& region : blame.regions)
    AppendRegion(out, ++number, frame, region);
  if (blame.changes) AppendChanges(out, *blame.changes);
  if (blame.level) AppendLevel(out, *blame.level);
  AppendCommon(out, frame, blame);
  return out;
}

}  // namespace dp2trace::blame
