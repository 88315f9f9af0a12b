// Which pictures of two folders belong together: those of equal name.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace dp2trace::image {

// A picture that at least one side has.
struct PicturePair {
  std::string name;      // path below the folders, with '/'; of two files: that of the first
  std::string expected;  // path of the file, empty where there is none
  std::string actual;
  bool operator==(const PicturePair&) const = default;
};

// All files *.png below two folders, sorted by name; links to folders are not followed. Fails (IO-002) when a folder cannot be read.
Result<std::vector<PicturePair>> PairPictures(const std::string& expected_folder,
                                              const std::string& actual_folder);

}  // namespace dp2trace::image
