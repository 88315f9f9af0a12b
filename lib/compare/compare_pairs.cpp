#include "compare/compare_pairs.h"

#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "image/heat_map.h"
#include "image/png.h"
#include "os/path.h"

namespace dp2trace::compare {
namespace {

// A link that leads nowhere is there, and cannot be read.
bool IsThere(const std::string& path) {
  std::error_code error;
  return path == "-" || (!path.empty() && std::filesystem::exists(std::filesystem::symlink_status(
                                              ToPath(path), error)));
}

// The picture, or nothing and a failure.
std::optional<image::Picture> Read(const std::string& path, PairResult& result) {
  Result<image::Picture> picture = image::ReadPng(path);
  if (picture.ok()) return std::move(*picture);
  result.failures.emplace_back(path, picture.status());
  return std::nullopt;
}

// Takes the pictures, which may be as large as all the rest.
Status WriteDifference(std::optional<image::Picture> expected, std::optional<image::Picture> actual,
                       const DifferencePlace& place, const image::LooseOptions& options) {
  const Result<image::Picture> difference = image::HeatMap(*expected, *actual, options);
  if (!difference.ok()) return difference.status();
  expected.reset();
  actual.reset();
  if (place.makes_folders) {
    std::error_code ignored;  // writing the file says what is wrong
    std::filesystem::create_directories(ToPath(FolderOf(place.path)), ignored);
  }
  return image::WritePng(place.path, *difference);
}

}  // namespace

PairResult ComparePair(const PicturePair& pair, const DifferencePlace& place,
                       const PairOptions& options) {
  PairResult result;
  result.pair = pair;
  const bool has_expected = IsThere(pair.expected);
  if (has_expected != IsThere(pair.actual)) {
    result.state = has_expected ? PairState::kMissing : PairState::kExtra;
    return result;
  }
  std::optional<image::Picture> expected = Read(pair.expected, result);
  std::optional<image::Picture> actual = Read(pair.actual, result);
  if (!expected || !actual) return result;
  result = ComparePictures(*expected, *actual, options);
  result.pair = pair;
  const bool is_shown =
      result.state == PairState::kDifferent || result.state == PairState::kAccepted;
  if (!is_shown || place.path.empty()) return result;
  const Status written = WriteDifference(std::exchange(expected, std::nullopt),
                                         std::exchange(actual, std::nullopt), place, options.loose);
  if (written.ok()) {
    result.difference_file = place.path;
  } else {
    result.failures.emplace_back(place.path, written);
  }
  return result;
}

}  // namespace dp2trace::compare
