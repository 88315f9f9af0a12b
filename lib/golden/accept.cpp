#include "golden/accept.h"

#include <fmt/format.h>

#include <algorithm>
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

// The entry that the result asks for; tags and exemptions stay.
void Take(const TraceResult& result, ManifestTrace& entry) {
  entry.path = result.path;
  entry.hash = result.hash;
  entry.findings = result.findings;
  entry.images.clear();
  for (const ImageResult& image : result.images) {
    if (image.actual) entry.images.push_back(*image.actual);
  }
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
