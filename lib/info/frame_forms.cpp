// Statistics of frames as a table and as JSON.
#include <fmt/format.h>

#include "info/frame_statistics.h"
#include "json/builder.h"
#include "json/output.h"
#include "trace/event_kind.h"

namespace dp2trace::info {
namespace {

// "40 dp2, 12 surface_update": the largest first would move columns about; the order is that of the codes.
std::string BytesByKind(const FrameStatistics& frame) {
  std::string text;
  for (const auto& [code, size] : frame.bytes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", trace::EventName(code), size);
  }
  return text;
}

void Add(const FrameStatistics& frame, FrameStatistics& sum) {
  sum.draws += frame.draws;
  sum.primitives += frame.primitives;
  sum.states_set += frame.states_set;
  sum.states_redundant += frame.states_redundant;
  sum.pixels += frame.pixels;
  sum.target_pixels += frame.target_pixels;
  for (const auto& [code, size] : frame.bytes)
    sum.bytes[code] += size;
}

void AppendRow(std::string& out, std::string_view name, const FrameStatistics& frame,
               std::string_view textures) {
  out +=
      fmt::format("{:>7}{:>8}{:>12}{:>9}{:>10}{:>11}{:>10.2f}{:>9}{:>11}  {}\n", name, frame.draws,
                  frame.primitives, frame.states_set, frame.states_redundant, frame.pixels,
                  frame.overdraw(), textures, frame.all_bytes(), BytesByKind(frame));
}

}  // namespace

std::string FramesText(const std::vector<FrameStatistics>& frames) {
  std::string out = fmt::format("{:>7}{:>8}{:>12}{:>9}{:>10}{:>11}{:>10}{:>9}{:>11}  {}\n", "frame",
                                "draws", "primitives", "states", "redundant", "pixels", "overdraw",
                                "textures", "bytes", "bytes by event");
  FrameStatistics sum;
  for (const FrameStatistics& frame : frames) {
    const std::string name = fmt::format("{}{}", frame.number, frame.is_unfinished ? "*" : "");
    AppendRow(out, name, frame, fmt::format("{}", frame.textures));
    Add(frame, sum);
  }
  if (frames.size() > 1) AppendRow(out, "all", sum, "");
  if (!frames.empty() && frames.back().is_unfinished) out += "* no present ends it\n";
  return out;
}

std::string FramesJson(std::string_view trace, const std::vector<FrameStatistics>& frames) {
  json::Builder text;
  text.Raw(json::OutputHead("info-frames", trace));
  text.Raw(",\"frames\":[");
  for (const FrameStatistics& frame : frames) {
    text.Separate();
    text.Raw(fmt::format(
        R"({}{{"frame":{},"first_event":{},"last_event":{},"unfinished":{},"draws":{},"primitives":{},)"
        R"("states_set":{},"states_redundant":{},"pixels":{},"target_pixels":{},"overdraw":{:.4f},)"
        R"("textures":{},"texture_bytes":{},"bytes":{},"bytes_by_event":{{)",
        '\n', frame.number, frame.first_event, frame.last_event, frame.is_unfinished, frame.draws,
        frame.primitives, frame.states_set, frame.states_redundant, frame.pixels,
        frame.target_pixels, frame.overdraw(), frame.textures, frame.texture_bytes,
        frame.all_bytes()));
    for (const auto& [code, size] : frame.bytes) {
      text.Key(trace::EventName(code));
      text.Number(size);
    }
    text.Raw("}}");
  }
  text.Raw("\n]}\n");
  return text.string();
}

}  // namespace dp2trace::info
