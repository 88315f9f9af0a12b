#include "golden/accept.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/plain_text.h"

namespace dp2trace::golden {
namespace {

std::string DescribeChange(const ImageResult& image) {
  const std::string name = NameOf(image.key);
  switch (image.status) {
    case GoldenStatus::kNew:
      return fmt::format("{} is added: {}", name, image.actual->hash);
    case GoldenStatus::kMissing:
      return fmt::format("{} is removed: {}", name, image.expected->hash);
    default:
      break;
  }
  if (image.expected->hash != image.actual->hash)
    return fmt::format("{}: {} -> {}", name, image.expected->hash, image.actual->hash);
  return fmt::format("{}: stored bits {} -> {}", name, image.expected->raw_hash,
                     image.actual->raw_hash);
}

std::vector<GoldenImage> ImagesOf(const TraceResult& result,
                                  std::optional<GoldenImage> ImageResult::*side) {
  std::vector<GoldenImage> images;
  for (const ImageResult& image : result.images) {
    if (image.*side) images.push_back(*(image.*side));
  }
  return images;
}

// The entry that the result asks for; tags and exemptions stay.
void Take(const TraceResult& result, ManifestTrace& entry) {
  entry.path = result.path;
  entry.hash = result.hash;
  entry.findings = result.findings;
  entry.images = ImagesOf(result, &ImageResult::actual);
}

void Change(const TraceResult& result, ManifestTrace& entry, std::vector<std::string>& changes) {
  if (result.hash != entry.hash) {
    changes.push_back(
        fmt::format("~ {}: the file: {} -> {}", result.path, entry.hash, result.hash));
  }
  for (const ImageResult& image : result.images) {
    if (image.status != GoldenStatus::kMatch)
      changes.push_back(fmt::format("~ {}: {}", result.path, DescribeChange(image)));
  }
  for (const CountDifference& difference : Differences(result.findings, result.expected_findings)) {
    changes.push_back(fmt::format("~ {}: {}: {} -> {}", result.path, difference.rule,
                                  difference.expected, Counted(difference.actual, "finding")));
  }
  if (result.status == GoldenStatus::kUnexpectedPass) {
    changes.push_back(fmt::format("~ {}: no failure is expected any more", result.path));
    entry.expected_fail.reset();
  }
  Take(result, entry);
}

// Whether the manifest has of the trace what the check expected. Without a replay a result has no pictures. `entry` may be null.
bool IsAsChecked(const TraceResult& result, const ManifestTrace* entry) {
  if (entry == nullptr) return result.expected_hash.empty();
  return entry->hash == result.expected_hash && entry->findings == result.expected_findings &&
         (result.images.empty() || entry->images == ImagesOf(result, &ImageResult::expected));
}

// Whether the result has been accepted already.
bool IsAccepted(const TraceResult& result, const ManifestTrace* entry) {
  if (entry == nullptr) return result.hash.empty();
  return entry->hash == result.hash && entry->findings == result.findings &&
         entry->images == ImagesOf(result, &ImageResult::actual);
}

}  // namespace

void Accept(const TraceResult& result, Manifest& manifest, Acceptance& acceptance) {
  const auto place =
      std::ranges::lower_bound(manifest.traces, result.path, {}, &ManifestTrace::path);
  const bool is_known = place != manifest.traces.end() && place->path == result.path;
  switch (Info(result.status).acceptance) {
    case AcceptAction::kNothing:
      return;
    case AcceptAction::kRefused:
      acceptance.refused.push_back(
          fmt::format("{}: {}: {}", result.path, Name(result.status), result.message));
      return;
    case AcceptAction::kTaken:
      break;
  }
  const ManifestTrace* const entry = is_known ? &*place : nullptr;
  const bool is_excused =
      is_known && result.status == GoldenStatus::kUnexpectedPass && place->expected_fail;
  if (IsAccepted(result, entry) && !is_excused) return;
  if (!IsAsChecked(result, entry)) {
    acceptance.refused.push_back(fmt::format(
        "{}: its entry has changed since the check: run golden check again", result.path));
    return;
  }
  if (result.hash.empty()) {
    if (is_known) manifest.traces.erase(place);
    acceptance.changes.push_back(fmt::format("- {}", result.path));
    ++acceptance.removed;
  } else if (is_known) {
    Change(result, *place, acceptance.changes);
    ++acceptance.changed;
  } else {
    Take(result, *manifest.traces.emplace(place));
    acceptance.changes.push_back(
        fmt::format("+ {}: {}", result.path, Counted(result.images.size(), "picture")));
    ++acceptance.added;
  }
}

}  // namespace dp2trace::golden
