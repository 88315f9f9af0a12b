// A replay of one trace inside a worker of `golden check`: its pictures, and the draw after a pixel of one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "base/status.h"
#include "golden/golden.h"
#include "golden/render.h"
#include "golden/result.h"
#include "image/compare.h"
#include "image/picture.h"
#include "replay/replayer.h"

namespace dp2trace::golden {

using ImageFunction =
    std::function<Status(const replay::ImageInfo& info, const image::Picture& picture)>;

struct ReplayRun {
  std::string path;
  uint64_t max_memory = 0;
  const DrawingOptions* drawing = nullptr;
  play::Listener* listener = nullptr;
  const bool* is_done = nullptr;  // the replay may end where this has become true
};

struct ReplayEnd {
  std::string error;  // why it gave up, or the trace is not whole; empty where neither
  GoldenStatus failure = GoldenStatus::kRenderError;  // with an error: what it is
};

// Replays a trace; `look` sees the device after each event.
ReplayEnd ReplayTrace(const ReplayRun& run, DiagnosticList& findings, ImageFunction on_image,
                      const std::function<void(const replay::Replayer&)>& look = {});

// A picture of the trace as the replay makes it, with what is known of it.
struct Made {
  replay::ImageInfo info;
  image::Picture picture;
  std::string refused = {};  // history::RefusedOfFrame::RefusedClause()
};
// Nothing where the replay does not get there.
std::optional<Made> MakeOne(const std::string& path, uint64_t max_memory,
                            const DrawingOptions& drawing, const ImageKey& key);

// The draw that gave the pixel (x, y) of the picture its value.
std::optional<CausingDraw> FindDraw(const std::string& path, uint64_t max_memory,
                                    const DrawingOptions& drawing, const replay::ImageInfo& wanted,
                                    uint32_t x, uint32_t y);

// The place of the first picture that has other pixels than expected; nothing where none has.
std::optional<size_t> FirstDifferent(const TraceResult& result);
// Gives a picture its comparison and the draw that wrote its first different pixel, and says both in the message.
void Explain(const std::string& path, uint64_t max_memory, const DrawingOptions& drawing,
             const replay::ImageInfo& info, image::Comparison comparison, ImageResult& image,
             std::string& message);

}  // namespace dp2trace::golden
