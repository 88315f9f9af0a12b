// Where a file lies, as seen from a folder.
#pragma once

#include <string>

namespace dp2trace {

// "../a.json", with slashes; the whole path where it is on another drive. Links to folders are followed, the file itself is not. Neither need
// be there.
std::string PathFrom(const std::string& folder, const std::string& path);
// From the current folder; what lies elsewhere, as it is named.
std::string PathFromHere(const std::string& path);

}  // namespace dp2trace
