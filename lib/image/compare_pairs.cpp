#include "image/compare_pairs.h"

#include <filesystem>
#include <optional>
#include <system_error>

#include "image/png.h"

namespace dp2trace::image {
namespace {

// The picture, or nothing and a failure.
std::optional<Picture> Read(const std::string& path, PairResult& result) {
  Result<Picture> picture = ReadPng(path);
  if (picture.ok()) return std::move(*picture);
  result.failures.emplace_back(path, picture.status());
  return std::nullopt;
}

Status WriteDifference(const Picture& expected, const Picture& actual,
                       const DifferencePlace& place) {
  const Result<Picture> difference = DifferencePicture(expected, actual);
  if (!difference.ok()) return difference.status();
  if (place.makes_folders) {
    std::error_code ignored;  // writing the file says what is wrong
    std::filesystem::create_directories(std::filesystem::path(place.path).parent_path(), ignored);
  }
  return WritePng(place.path, *difference);
}

}  // namespace

std::string_view Name(PairState state) {
  constexpr std::string_view kNames[] = {"equal", "different", "missing", "extra", "unreadable"};
  return kNames[static_cast<size_t>(state)];
}

PairResult ComparePair(const PicturePair& pair, const DifferencePlace& place) {
  PairResult result;
  result.pair = pair;
  if (pair.expected.empty() || pair.actual.empty()) {
    result.state = pair.actual.empty() ? PairState::kMissing : PairState::kExtra;
    return result;
  }
  const std::optional<Picture> expected = Read(pair.expected, result);
  const std::optional<Picture> actual = Read(pair.actual, result);
  if (!expected || !actual) return result;
  result.comparison = Compare(*expected, *actual);
  result.state = result.comparison.equal() ? PairState::kEqual : PairState::kDifferent;
  if (result.comparison.equal() || place.path.empty()) return result;
  const Status written = WriteDifference(*expected, *actual, place);
  if (written.ok()) {
    result.difference_file = place.path;
  } else {
    result.failures.emplace_back(place.path, written);
  }
  return result;
}

}  // namespace dp2trace::image
