// The result of a bench as text and as JSON.
#include <fmt/format.h>

#include <map>
#include <string>

#include "base/plain_text.h"
#include "bench/bench.h"
#include "raster/stage_clock.h"
#include "text/value.h"

namespace dp2trace::bench {

using raster::Stage;

namespace {

double Rate(uint64_t count, const BenchResult& result) {
  return result.seconds <= 0
             ? 0
             : static_cast<double>(count) * static_cast<double>(result.loops) / result.seconds;
}

struct Count {
  const char* name;
  uint64_t BenchResult::*value;
};
constexpr Count kCounts[] = {
    {"frames", &BenchResult::frames},       {"draws", &BenchResult::draws},
    {"triangles", &BenchResult::triangles}, {"vertices", &BenchResult::vertices},
    {"pixels", &BenchResult::pixels},       {"texels", &BenchResult::texels}};

// Stages in the order of a draw's life.
constexpr Stage kStages[] = {Stage::kDecode, Stage::kCheck, Stage::kApply, Stage::kVertex,
                             Stage::kSetup,  Stage::kBin,   Stage::kCover, Stage::kShade,
                             Stage::kOutput, Stage::kWait};

double MillisecondsOf(const raster::StageTimes& stages, Stage stage) {
  return static_cast<double>(stages[static_cast<size_t>(stage)]) * 1e-6;
}

}  // namespace

std::string BenchText(const BenchResult& result) {
  std::string text = fmt::format("{} of {} in {:.3f} s\n", Counted(result.loops, "loop"),
                                 Counted(result.frames, "frame"), result.seconds);
  if (result.is_cut)
    text +=
        "  a frame took too long, or all more work than --max-steps allows: the counts are of what was played of the last loop\n";
  for (const Count& count : kCounts) {
    text += fmt::format("  {:<10} {:>12} per loop {:>15.1f} per second\n", count.name,
                        result.*count.value, Rate(result.*count.value, result));
  }
  text += fmt::format("  frame      min {:.3f} ms, median {:.3f} ms, 95th percentile {:.3f} ms\n",
                      result.frame.minimum * 1e3, result.frame.median * 1e3,
                      result.frame.percentile_95 * 1e3);
  if (result.stages) {
    text += "  stages of one more loop, all threads together, ms:\n   ";
    for (const Stage stage : kStages)
      text += fmt::format(" {} {:.3f}", Name(stage), MillisecondsOf(*result.stages, stage));
    text += "\n";
  }
  for (const auto& [reason, count] : result.handed_on)
    text += fmt::format("  drawn by the reference: {}, {}\n", Counted(count, "draw"), reason);
  for (const auto& [part, count] : result.slow)
    text += fmt::format("  partly pixel by pixel: {}, {}\n", Counted(count, "draw"), part);
  return text;
}

std::string BenchJson(std::string_view trace, const BenchResult& result) {
  std::string json = "{\"trace\": ";
  text::AppendQuoted(json, trace);
  json += fmt::format(", \"loops\": {}, \"seconds\": {:.6f}, \"complete\": {}", result.loops,
                      result.seconds, !result.is_cut);
  for (const Count& count : kCounts)
    json += fmt::format(", \"{}\": {}", count.name, result.*count.value);
  json += ", \"per_second\": {";
  for (const Count& count : kCounts) {
    json += fmt::format("{}\"{}\": {:.1f}", &count == kCounts ? "" : ", ", count.name,
                        Rate(result.*count.value, result));
  }
  json += fmt::format("}}, \"frame_ms\": {{\"min\": {:.6f}, \"median\": {:.6f}, \"p95\": {:.6f}}}",
                      result.frame.minimum * 1e3, result.frame.median * 1e3,
                      result.frame.percentile_95 * 1e3);
  if (result.stages) {
    json += ", \"stages_ms\": {";
    for (const Stage stage : kStages) {
      json += fmt::format("{}\"{}\": {:.6f}", stage == kStages[0] ? "" : ", ", Name(stage),
                          MillisecondsOf(*result.stages, stage));
    }
    json += "}";
  }
  const auto add = [&json](const char* name, const std::map<std::string, uint64_t>& counts) {
    json += fmt::format(", \"{}\": {{", name);
    const char* separator = "";
    for (const auto& [key, count] : counts) {
      json += fmt::format("{}\"{}\": {}", separator, key, count);
      separator = ", ";
    }
    json += "}";
  };
  add("handed_on", result.handed_on);
  add("slow", result.slow);
  return json + "}";
}

}  // namespace dp2trace::bench
