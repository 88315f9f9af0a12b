// Which pictures of two folders belong together: those of equal name.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace dp2trace::compare {

// A picture that at least one side has.
struct PicturePair {
  std::string name;      // path below the folders, with '/'; of two files: that of the first
  std::string expected;  // path of the file, empty where there is none
  std::string actual;
  bool operator==(const PicturePair&) const = default;
};

struct PairedPictures {
  std::vector<PicturePair> pairs;         // sorted by name
  std::vector<std::string> broken_links;  // that may have led to pictures or folders of them
};

// All files *.png below two folders, links followed; a link *.png that leads nowhere is a picture that cannot be read. Fails (IO-002) when
// a folder cannot be read.
Result<PairedPictures> PairPictures(const std::string& expected_folder,
                                    const std::string& actual_folder);

}  // namespace dp2trace::compare
