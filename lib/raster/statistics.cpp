#include "raster/statistics.h"

namespace dp2trace::raster {

std::string_view Name(Stage stage) {
  constexpr std::string_view kNames[kStageCount] = {"none",   "decode", "check", "apply",
                                                    "vertex", "setup",  "bin",   "cover",
                                                    "shade",  "output", "wait"};
  return kNames[static_cast<size_t>(stage)];
}

void RendererStatistics::Add(const RendererStatistics& other) {
  pixels += other.pixels;
  texels += other.texels;
  for (const auto& [reason, count] : other.handed_on)
    handed_on[reason] += count;
  for (const auto& [part, count] : other.slow)
    slow[part] += count;
  for (size_t i = 0; i < kStageCount; ++i)
    times[i] += other.times[i];
}

}  // namespace dp2trace::raster
