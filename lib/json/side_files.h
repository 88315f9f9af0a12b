// Byte arrays of a JSON trace that live in files of their own: `{"file": "NAME.blobs/HASH.bin"}`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/status.h"

namespace dp2trace::json {

// Byte arrays below this size stay in the text.
inline constexpr size_t kSmallestSideFile = 64;

// Writes byte arrays beside a JSON file, each named by its hash and stored once.
class SideFileWriter {
 public:
  // `json_path` is the JSON file that will refer to the files; they go to the folder `<stem>.blobs` beside it.
  explicit SideFileWriter(const std::string& json_path);

  // Stores the bytes where they are not stored yet. Returns the path relative to the folder of the JSON file.
  Result<std::string> Store(Bytes bytes);

 private:
  std::string parent_;  // folder of the JSON file, with a trailing separator, or empty
  std::string folder_;  // name of the folder below it
  bool folder_exists_ = false;
};

// Reads `relative` below `folder`, at most `limit` bytes. A path that is absolute, empty or contains a `..` is refused (JSON-013),
// as is, for a file that is named by its hash, content with another hash.
Result<std::vector<uint8_t>> ReadSideFile(const std::string& folder, std::string_view relative,
                                          uint64_t limit);

}  // namespace dp2trace::json
