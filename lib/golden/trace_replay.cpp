#include "golden/trace_replay.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "history/refused_draws.h"
#include "replay/last_writer_finder.h"
#include "trace_file/source.h"

namespace dp2trace::golden {
namespace {

class FunctionSink final : public replay::ImageSink {
 public:
  explicit FunctionSink(ImageFunction on_image) : on_image_(std::move(on_image)) {}
  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    return on_image_(info, picture);
  }

 private:
  ImageFunction on_image_;
};

}  // namespace

ReplayEnd ReplayTrace(const ReplayRun& run, DiagnosticList& findings, ImageFunction on_image,
                      const std::function<void(const replay::Replayer&)>& look) {
  trace_file::OpenError error;
  const std::unique_ptr<trace_file::Source> source =
      trace_file::WithResults(trace_file::Source::Open(run.path, run.max_memory, findings, error));
  if (source == nullptr) return {error.status.diagnostic().message};
  FunctionSink sink(std::move(on_image));
  replay::Options options;
  options.listeners = {run.listener};
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
  return {source->is_truncated() ? "the trace ends early" : "not all events could be read",
          GoldenStatus::kIncomplete};
}

std::optional<Made> MakeOne(const std::string& path, uint64_t max_memory,
                            const DrawingOptions& drawing, const ImageKey& key) {
  std::optional<Made> made;
  bool is_done = false;
  DiagnosticList findings;
  history::RefusedOfFrame refused;
  const auto keep = [&](const replay::ImageInfo& info, const image::Picture& picture) {
    if (KeyOf(info) != key) return OkStatus();
    made = Made{info, picture};
    is_done = true;
    return OkStatus();
  };
  (void)ReplayTrace({path, max_memory, &drawing, &refused, &is_done}, findings,
                    keep);  // what it gives up on, the check has reported
  if (made) made->refused = refused.RefusedClause();
  return made;
}

std::optional<CausingDraw> FindDraw(const std::string& path, uint64_t max_memory,
                                    const DrawingOptions& drawing, const replay::ImageInfo& wanted,
                                    uint32_t x, uint32_t y) {
  replay::LastWriterFinder history(wanted.x + x, wanted.y + y, wanted.slice.value_or(0));
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

std::optional<size_t> FirstDifferent(const TraceResult& result) {
  const auto found = std::ranges::find_if(result.images, [](const ImageResult& image) {
    return image.status == GoldenStatus::kDiffer && image.expected->hash != image.actual->hash;
  });
  if (found == result.images.end()) return std::nullopt;
  return static_cast<size_t>(found - result.images.begin());
}

void Explain(const std::string& path, uint64_t max_memory, const DrawingOptions& drawing,
             const replay::ImageInfo& info, image::Comparison comparison, ImageResult& image,
             std::string& message) {
  const std::string before = Describe(image);
  image.comparison = std::move(comparison);
  if (const auto& first = image.comparison->first)
    image.draw = FindDraw(path, max_memory, drawing, info, first->x, first->y);
  const size_t place = message.find(before);
  if (place != std::string::npos) message.replace(place, before.size(), Describe(image));
}

}  // namespace dp2trace::golden
