// The results of `compare` as text and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/compare_pictures.h"

namespace dp2trace::compare {

// What was compared.
struct Compared {
  std::string expected, actual;  // two files, or
  bool are_folders = false;      // two folders
  uint32_t tolerance = 0;        // of a channel
};

// Of several pictures those that are not equal, and how many there are of each kind. Ends with a line end.
std::string ReportText(const Compared& compared, const std::vector<PairResult>& results);
// One JSON object and a line end: "pictures":[...].
std::string ReportJson(const std::vector<PairResult>& results);

}  // namespace dp2trace::compare
