// The files below a folder, and their extensions: the same answer for traces, pictures and captures.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dp2trace {

struct FilesBelow {
  std::vector<std::string> files;  // regular files and links to them, ascending, as "FOLDER/a/b"
  std::vector<std::string> broken_links;                        // that lead nowhere, ascending
  std::vector<std::pair<std::string, std::string>> unreadable;  // folders, and why
};

// Links to folders are followed. A folder that is there several times counts once: where it stands itself, else by the first of its links.
FilesBelow FindFilesBelow(const std::string& folder);

}  // namespace dp2trace
