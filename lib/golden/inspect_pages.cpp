#include "golden/inspect_pages.h"

#include <fmt/format.h>

#include <utility>

#include "golden/trace_list.h"

namespace dp2trace::golden {
namespace {

// "#f=3&d=12&x=10&y=20"
std::string PlaceOf(uint64_t frame, const ImageResult& image) {
  std::string place = fmt::format("#f={}", frame);
  if (image.draw) place += fmt::format("&d={}", image.draw->number);
  if (image.comparison && image.comparison->first)
    place += fmt::format("&x={}&y={}", image.comparison->first->x, image.comparison->first->y);
  return place;
}

}  // namespace

bool InspectPages::IsUsable(const std::string& path, const TraceResult& result) {
  const auto [found, is_new] = usable_.try_emplace(path, false);
  if (!is_new) return found->second;
  const Result<std::string> hash = HashOfTrace(path);
  if (!hash.ok() || *hash != result.hash) {
    maker_.on_absent(fmt::format(
        "{}: {}: its frames cannot be inspected", path,
        hash.ok() ? "it is not the trace that was checked" : hash.status().diagnostic().message));
    return false;
  }
  return found->second = true;
}

Result<std::string> InspectPages::Add(const std::string& folder, const TraceResult& result,
                                      const ImageResult& image) {
  const std::string path = traces_ + result.path;
  if (!IsUsable(path, result)) return std::string();
  const std::optional<uint64_t> frame = image.key.kind == replay::ImageKind::kFrame
                                            ? image.key.sequence
                                            : maker_.frame_of(path, image.event);
  if (!frame) return std::string();
  const uint64_t shown = maker_.shows_any_frame ? 0 : *frame;
  const auto [page, is_new] = pages_.try_emplace({result.hash, shown});
  if (is_new && written_ == most_) {
    ++left_out_;
  } else if (is_new) {
    std::string place = fmt::format("{}/{}", kInspectFolder, result.hash);
    if (!maker_.shows_any_frame) place += fmt::format("-{}", shown);
    Result<std::string> written = maker_.write({.trace = path,
                                                .name = result.path,
                                                .folder = folder,
                                                .page = std::move(place),
                                                .frame = shown});
    if (!written.ok()) return written.status();
    page->second = std::move(*written);
    written_ += page->second.empty() ? 0U : 1U;
  }
  return page->second.empty() ? std::string() : page->second + PlaceOf(*frame, image);
}

}  // namespace dp2trace::golden
