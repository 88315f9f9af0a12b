#include <fmt/format.h>

#include <algorithm>

#include "base/plain_text.h"
#include "d3d/notation.h"
#include "history/numbers.h"
#include "history/report.h"

namespace dp2trace::history {
namespace {

std::string AreaText(const image::Area& area) {
  return d3d::RectangleText(area.left, area.top, area.right, area.bottom);
}

std::string MarkerWords(const trace::MarkerText& marker) {
  std::string words = "marker";
  if (!marker.text.empty()) words += " \"" + Plain(marker.text) + "\"";
  if (marker.position) words += fmt::format(" at {}", *marker.position);
  if (!marker.source.empty()) words += " of " + Plain(marker.source);
  return words;
}

// "event 3, offset 0x10: draw 2.1, DRAWPRIMITIVE"
std::string HeadOf(const Operation& operation, uint64_t primitive) {
  std::string head = fmt::format("event {}", operation.event);
  if (operation.offset) head += fmt::format(", offset {:#x}", *operation.offset);
  head += ": ";
  if (operation.draw != 0) head += DrawName(operation, primitive) + ", ";
  head += operation.name;
  return head;
}

void AppendClear(std::string& out, const raster::ProbedClear& clear) {
  out += " ";
  if (clear.clears_color) out += " color " + d3d::ColorText(clear.color);
  if (clear.clears_depth) out += fmt::format(" depth {}", FloatText(clear.depth));
  if (clear.clears_stencil) out += fmt::format(" stencil {}", clear.stencil);
  out += '\n';
}

void AppendBlit(std::string& out, const BlitSource& blit) {
  if (blit.fill) {
    out += fmt::format("  fills {} with {}\n", AreaText(blit.to), d3d::ColorText(*blit.fill));
    return;
  }
  out += fmt::format("  from surface {}, face {}, level {}, {} to {}", blit.handle, blit.face,
                     blit.level, AreaText(blit.from), AreaText(blit.to));
  if (blit.pixel) out += fmt::format(": pixel {},{}", blit.pixel->first, blit.pixel->second);
  out += '\n';
}

void AppendValue(std::string& out, const Operation& operation) {
  if (operation.writes || operation.after != operation.before) {
    out += fmt::format("  -> {}\n", operation.after ? ValueText(*operation.after) : "no surface");
  } else {
    out += "  -> unchanged\n";
  }
}

// Primitives that cover the pixel and never become fragments: one line for a run of equal ones.
size_t AppendMissed(std::string& out, const Operation& operation, size_t first) {
  const auto& fragments = operation.fragments;
  size_t end = first;
  while (end < fragments.size() && fragments[end].samples == 0 &&
         fragments[end].fate == fragments[first].fate)
    ++end;
  constexpr size_t kNamed = 8;
  out += HeadOf(operation, fragments[first].primitive);
  for (size_t i = first + 1; i < std::min(end, first + kNamed); ++i)
    out += fmt::format(", {}.{}", operation.draw, fragments[i].primitive);
  if (end - first > kNamed) out += fmt::format(" and {} more", end - first - kNamed);
  out += fmt::format("\n  {} the pixel, but {}\n", end - first > 1 ? "cover" : "covers",
                     raster::Words(fragments[first].fate));
  return end;
}

void AppendOperation(std::string& out, const Operation& operation) {
  if (operation.fragments.empty()) {
    out += HeadOf(operation, 0) + "\n";
    if (operation.clear) AppendClear(out, *operation.clear);
    if (operation.blit) AppendBlit(out, *operation.blit);
  }
  for (size_t i = 0; i < operation.fragments.size();) {
    const raster::ProbedFragment& fragment = operation.fragments[i];
    if (fragment.samples == 0) {
      i = AppendMissed(out, operation, i);
      continue;
    }
    out += HeadOf(operation, fragment.primitive);
    if (fragment.instance != 0) out += fmt::format(", instance {}", fragment.instance);
    out += '\n';
    AppendFragment(out, operation, fragment);
    ++i;
  }
  AppendValue(out, operation);
}

}  // namespace

std::string ReportText(const History& history) {
  std::string out = fmt::format(
      "frame {}{}{}, pixel {},{} of surface {}, face {}, level {}{} ({}, {}x{}{})\n", history.frame,
      history.is_unfinished ? " (unfinished)" : "",
      history.read != 0 ? fmt::format(" up to read {}", history.read) : std::string(),
      history.pixel.x, history.pixel.y, history.pixel.handle, history.pixel.face,
      history.pixel.level,
      history.pixel.slice != 0 ? fmt::format(", slice {}", history.pixel.slice) : std::string(),
      history.format, history.width, history.height,
      history.samples > 1 ? fmt::format(", {} samples", history.samples) : std::string());
  out += RefusedText(history.refused);
  out += fmt::format("before the frame: {}\n",
                     history.before ? ValueText(*history.before) : "no surface");
  std::optional<trace::MarkerText> marker;
  for (const Operation& operation : history.operations) {
    if (operation.marker && operation.marker != marker)
      out += MarkerWords(*operation.marker) + "\n";
    marker = operation.marker;
    AppendOperation(out, operation);
  }
  if (history.dropped_fragments != 0)
    out += fmt::format("not listed: {}\n", Counted(history.dropped_fragments, "more fragment"));
  return out + Because(history) + "\n";
}

}  // namespace dp2trace::history
