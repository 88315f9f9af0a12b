// Comparison of pictures on disk: two files, or those of two folders.
#pragma once

#include <string>

#include "compare/compare_pictures.h"
#include "compare/picture_pairs.h"

namespace dp2trace::compare {

// Where the picture of the differences of a pair goes; an empty path: nowhere.
struct DifferencePlace {
  std::string path;
  bool makes_folders = false;
};

// Compares one pair; writes a heat map where the pixels differ. A file that is named and not there is like one that is not named.
PairResult ComparePair(const PicturePair& pair, const DifferencePlace& place,
                       const PairOptions& options = {});

}  // namespace dp2trace::compare
