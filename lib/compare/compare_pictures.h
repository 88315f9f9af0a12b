// Comparison of two pictures in memory, and what is known of a pair of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "compare/picture_pairs.h"
#include "image/diagnosis.h"
#include "image/loose_compare.h"

namespace dp2trace::compare {

enum class PairState {
  kEqual,     // within the tolerance
  kAccepted,  // different, but in no more pixels than are allowed
  kDifferent,
  kMissing,  // only the expected one is there
  kExtra,    // only the actual one
  kUnreadable,
  kOutside  // the region that is compared has no pixel of either
};
// "equal", "accepted", "different", ...
std::string_view Name(PairState state);

struct PairResult {
  PicturePair pair;
  PairState state = PairState::kUnreadable;
  image::LooseComparison comparison;
  std::optional<image::Diagnosis> diagnosis;             // of kDifferent
  std::string difference_file;                           // where one was written
  std::vector<std::pair<std::string, Status>> failures;  // files that could not be read or written
};

struct PairOptions {
  image::LooseOptions loose = {};
  uint64_t max_pixels = 0;  // so many pixels may differ in pictures of equal size
};

// Two pictures that have been read: state, comparison and diagnosis.
PairResult ComparePictures(const image::Picture& expected, const image::Picture& actual,
                           const PairOptions& options = {});

}  // namespace dp2trace::compare
