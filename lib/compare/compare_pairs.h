// Comparison of pictures on disk: two files, or those of two folders.
#pragma once

#include <optional>
#include <string>
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

// Where the picture of the differences of a pair goes; an empty path: nowhere.
struct DifferencePlace {
  std::string path;
  bool makes_folders = false;
};

struct PairOptions {
  image::LooseOptions loose = {};
  uint64_t max_pixels = 0;  // so many pixels may differ in pictures of equal size
};

// Compares one pair; writes a heat map where the pixels differ. A file that is named and not there is like one that is not named.
PairResult ComparePair(const PicturePair& pair, const DifferencePlace& place,
                       const PairOptions& options = {});

}  // namespace dp2trace::compare
