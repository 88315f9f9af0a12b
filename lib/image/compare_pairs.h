// Comparison of pictures on disk: two files, or those of two folders.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "image/compare.h"
#include "image/picture_pairs.h"

namespace dp2trace::image {

enum class PairState { kEqual, kDifferent, kMissing, kExtra, kUnreadable };
// "equal", "different", ...
std::string_view Name(PairState state);

struct PairResult {
  PicturePair pair;
  PairState state = PairState::kUnreadable;
  Comparison comparison;
  std::string difference_file;                           // where one was written
  std::vector<std::pair<std::string, Status>> failures;  // files that could not be read or written
};

// Where the picture of the differences of a pair goes; an empty path: nowhere.
struct DifferencePlace {
  std::string path;
  bool makes_folders = false;
};

// Compares one pair; writes a difference picture where the pixels differ.
PairResult ComparePair(const PicturePair& pair, const DifferencePlace& place);

}  // namespace dp2trace::image
