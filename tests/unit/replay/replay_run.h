// Replays a trace that is written as JSON, and keeps its pictures.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "replay/replayer.h"

namespace dp2trace::testing {

struct KeptImage {
  replay::ImageInfo info;
  image::Picture picture;
};

struct ReplayRun {
  std::vector<KeptImage> images;
  DiagnosticList findings;
  replay::Statistics statistics;

  // "frame-000001.png surface-7-f0-l0.png"
  std::string Files() const;
  // The picture of a file; fails the test where there is none.
  const KeptImage& File(std::string_view name) const;
  // A pixel as RRGGBB digits.
  std::string Pixel(std::string_view file, uint32_t x, uint32_t y) const;
  // The ids of all findings, in order.
  std::string Rules() const;
};

// `events` are the elements of the array after the header.
ReplayRun Replay(std::string_view events, const replay::Options& options = {});

// An 8x8 target 1 with context 1.
inline constexpr std::string_view kTarget =
    R"({"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"context_create","context":1,"target":1},)";

// A clear of the 8x8 target as the event of a call; `more` are further members of the event.
std::string ClearCall(std::string_view color, std::string_view more = "", uint64_t context = 1);

}  // namespace dp2trace::testing
