#include "golden/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "golden/trace_replay.h"

namespace dp2trace::golden {
namespace {

bool IsExpected(const ManifestTrace* expected, const GoldenImage& image) {
  if (expected == nullptr) return false;
  const auto found = std::ranges::lower_bound(expected->images, image.key, {}, &GoldenImage::key);
  return found != expected->images.end() && found->key == image.key && found->hash == image.hash;
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
  record.failure = end.failure;
  TakeFindings(findings, record);
  return record;
}

bool IsExplicable(const PictureStore& store, const TraceResult& result) {
  const std::optional<size_t> first = FirstDifferent(result);
  return first && store.Has(result.images[*first].expected->hash);
}

void ExplainDifference(const std::string& path, uint64_t max_memory, const PictureStore& store,
                       const DrawingOptions& drawing, TraceResult& result) {
  const std::optional<size_t> first = FirstDifferent(result);
  if (!first) return;
  ImageResult& image = result.images[*first];
  const Result<image::Picture> expected = store.Read(image.expected->hash, image.expected->format);
  if (!expected.ok()) {
    result.message += fmt::format(" (the store's picture {} is damaged)", image.expected->hash);
    return;
  }
  const std::optional<Made> made = MakeOne(path, max_memory, drawing, image.key);
  if (!made) return;
  Explain(path, max_memory, drawing, made->info, image::Compare(*expected, made->picture), image,
          result.message);
}

}  // namespace dp2trace::golden
