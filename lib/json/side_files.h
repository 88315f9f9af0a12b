// Byte arrays of a JSON trace that live in files of their own: `{"file": "NAME.blobs/HASH.bin"}`, `{"png": "wood.png"}`.
#pragma once

#include <cstdint>
#include <set>
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

// Finds what a JSON text names as side files, without parsing it: the values of all members "file" and "png", wherever they stand, so that none that a
// reader would open is missed, whatever else is wrong with the text.
class SideFileNames {
 public:
  // The next piece of the text, cut anywhere.
  void Add(std::string_view piece);
  const std::set<std::string>& names() const { return names_; }

 private:
  enum class Place : uint8_t { kOutside, kString, kEscape };
  void EndString();

  std::set<std::string> names_;
  std::string token_;  // of the string that is being read, as it stands, up to kMaxName bytes
  Place place_ = Place::kOutside;
  bool is_too_long_ = false;
  bool is_key_ = false;    // the last string was such a key, and no value has begun after it
  bool is_value_ = false;  // and a colon has followed
};

// Whether a side file may be read: the path is relative, without `..`, NUL and backslash, no link leads out of the folder, and what lies
// there, if anything, is a file (no pipe, which would block, and no device).
Status CheckSidePath(const std::string& folder, std::string_view relative);

// Reads `relative` below `folder`, at most `limit` bytes. Refused (JSON-013) are paths that CheckSidePath() objects to and, for a file that
// is named by its hash, content with another hash.
Result<std::vector<uint8_t>> ReadSideFile(const std::string& folder, std::string_view relative,
                                          uint64_t limit);

}  // namespace dp2trace::json
