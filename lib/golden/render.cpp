#include "golden/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "replay/pixel_history.h"
#include "replay/replayer.h"
#include "trace_file/source.h"

namespace dp2trace::golden {
namespace {

using ImageFunction =
    std::function<Status(const replay::ImageInfo& info, const image::Picture& picture)>;

class FunctionSink final : public replay::ImageSink {
 public:
  explicit FunctionSink(ImageFunction on_image) : on_image_(std::move(on_image)) {}
  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    return on_image_(info, picture);
  }

 private:
  ImageFunction on_image_;
};

struct ReplayRun {
  std::string path;
  uint64_t max_memory = 0;
  const DrawingOptions* drawing = nullptr;
  play::Listener* listener = nullptr;
  const bool* is_done = nullptr;  // the replay may end where this has become true
};

struct ReplayEnd {
  std::string error;           // why it gave up, or the trace is not whole; empty where neither
  bool is_incomplete = false;  // not all events could be read
};

// Replays a trace; `look` sees the device after each event.
ReplayEnd ReplayTrace(const ReplayRun& run, DiagnosticList& findings, ImageFunction on_image,
                      const std::function<void(const replay::Replayer&)>& look = {}) {
  trace_file::OpenError error;
  const std::unique_ptr<trace_file::Source> source =
      trace_file::WithResults(trace_file::Source::Open(run.path, run.max_memory, findings, error));
  if (source == nullptr) return {error.status.diagnostic().message};
  FunctionSink sink(std::move(on_image));
  replay::Options options;
  options.listener = run.listener;
  options.renderer = run.drawing->renderer;
  options.raster = run.drawing->raster;
  if (source->size() != 0) options.validation.file_bytes = source->size();
  replay::Replayer replayer(options, findings, sink);
  trace::EventRecord record;
  while (source->Next(record)) {
    if (const Status status = replayer.OnEvent(record.number, record.event); !status.ok())
      return {status.diagnostic().message};
    if (look) look(replayer);
    if (run.is_done != nullptr && *run.is_done) return {};
  }
  if (const Status status = replayer.Finish(); !status.ok()) return {status.diagnostic().message};
  if (look) look(replayer);
  if (!source->is_incomplete()) return {};
  return {source->is_truncated() ? "the trace ends early" : "not all events could be read", true};
}

GoldenImage ImageOf(const replay::ImageInfo& info) {
  return {KeyOf(info), static_cast<uint32_t>(info.format), info.hash, info.raw_hash};
}

bool IsExpected(const ManifestTrace* expected, const GoldenImage& image) {
  if (expected == nullptr) return false;
  const auto found = std::ranges::lower_bound(expected->images, image.key, {}, &GoldenImage::key);
  return found != expected->images.end() && found->key == image.key && found->hash == image.hash;
}

const ImageResult* FirstDifferent(const TraceResult& result) {
  const auto is_different = [](const ImageResult& image) {
    return image.status == GoldenStatus::kDiffer && image.expected->hash != image.actual->hash;
  };
  const auto found = std::ranges::find_if(result.images, is_different);
  return found == result.images.end() ? nullptr : &*found;
}

// A picture of the trace as the replay makes it, with what is known of it.
struct Made {
  replay::ImageInfo info;
  image::Picture picture;
};

std::optional<Made> MakeOne(const std::string& path, uint64_t max_memory,
                            const DrawingOptions& drawing, const ImageKey& key) {
  std::optional<Made> made;
  bool is_done = false;
  DiagnosticList findings;
  const auto keep = [&](const replay::ImageInfo& info, const image::Picture& picture) {
    if (KeyOf(info) != key) return OkStatus();
    made = Made{info, picture};
    is_done = true;
    return OkStatus();
  };
  (void)ReplayTrace({path, max_memory, &drawing, nullptr, &is_done}, findings,
                    keep);  // what it gives up on, the check has reported
  return made;
}

// The draw that gave the pixel (x, y) of the picture its value.
std::optional<CausingDraw> FindDraw(const std::string& path, uint64_t max_memory,
                                    const DrawingOptions& drawing, const replay::ImageInfo& wanted,
                                    uint32_t x, uint32_t y) {
  replay::PixelHistory history(wanted.x + x, wanted.y + y, wanted.slice.value_or(0));
  std::optional<CausingDraw> draw;
  bool is_seen = false;
  bool is_done = false;
  DiagnosticList findings;
  const auto see = [&](const replay::ImageInfo& info, const image::Picture& /*picture*/) {
    is_seen = is_seen || KeyOf(info) == KeyOf(wanted);
    return OkStatus();
  };
  // A present or read changes nothing: after its event the device is as in the picture.
  const auto look = [&](const replay::Replayer& replayer) {
    if (!is_seen || is_done) return;
    is_done = true;
    for (const auto& [id, space] : replayer.device().spaces()) {
      if (!draw)
        draw = history.LastChange(replayer.device(), id, wanted.surface, wanted.face, wanted.level);
    }
  };
  (void)ReplayTrace({path, max_memory, &drawing, &history, &is_done}, findings, see, look);
  return draw;
}

}  // namespace

bool MustKeep(const PictureKeeping& keeping, const ManifestTrace* expected,
              const GoldenImage& image) {
  if (keeping.actual == nullptr || (!keeping.keeps_all && IsExpected(expected, image)))
    return false;
  return !keeping.actual->Has(image.hash) && !keeping.store->Has(image.hash);
}

RenderRecord RenderTrace(const std::string& path, uint64_t max_memory,
                         const ManifestTrace* expected, const PictureKeeping& keeping,
                         const DrawingOptions& drawing) {
  const auto start = std::chrono::steady_clock::now();
  RenderRecord record;
  DiagnosticList findings;
  const auto keep = [&](const replay::ImageInfo& info, const image::Picture& picture) {
    record.images.push_back({ImageOf(info), info.event});
    const GoldenImage& image = record.images.back().image;
    if (!MustKeep(keeping, expected, image)) return OkStatus();
    return keeping.actual->Write(image.hash, picture).status();
  };
  const ReplayEnd end = ReplayTrace({path, max_memory, &drawing}, findings, keep);
  record.error = end.error;
  record.is_incomplete = end.is_incomplete;
  std::ranges::sort(record.images, {},
                    [](const RenderedImage& rendered) { return rendered.image.key; });
  TakeFindings(findings, record);
  const auto spent = std::chrono::steady_clock::now() - start;
  record.milliseconds =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(spent).count());
  return record;
}

bool IsExplicable(const PictureStore& store, const TraceResult& result) {
  const ImageResult* const image = FirstDifferent(result);
  return image != nullptr && store.Has(image->expected->hash);
}

void ExplainDifference(const std::string& path, uint64_t max_memory, const PictureStore& store,
                       const DrawingOptions& drawing, TraceResult& result) {
  const ImageResult* const first = FirstDifferent(result);
  if (first == nullptr) return;
  ImageResult& image = result.images[static_cast<size_t>(first - result.images.data())];
  const std::string before = Describe(image);
  const Result<image::Picture> expected = store.Read(image.expected->hash, image.expected->format);
  if (!expected.ok()) {
    result.message += fmt::format(" (the store's picture {} is damaged)", image.expected->hash);
    return;
  }
  const std::optional<Made> made = MakeOne(path, max_memory, drawing, image.key);
  if (!made) return;
  image.comparison = image::Compare(*expected, made->picture);
  if (image.comparison->first) {
    image.draw = FindDraw(path, max_memory, drawing, made->info, image.comparison->first->x,
                          image.comparison->first->y);
  }
  const size_t place = result.message.find(before);
  if (place != std::string::npos) result.message.replace(place, before.size(), Describe(image));
}

}  // namespace dp2trace::golden
