// A folder of PNGs, each named by the hash of its pixels: HASH[0:2]/HASH[2:].png. Files appear whole or not at all, are written only
// where missing and checked when read, so anything may copy such folders into each other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "image/picture.h"

namespace dp2trace::golden {

class PictureStore {
 public:
  // The folder need not exist.
  explicit PictureStore(std::string folder) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  // Below the folder: "ab/cdef....png".
  static std::string FileOf(std::string_view hash);
  std::string PathOf(std::string_view hash) const;
  bool Has(std::string_view hash) const;
  // The picture with this hash as one of a surface of `format`. Fails (GOLDEN-STORE-001) where it is missing or has other pixels.
  Result<image::Picture> Read(const std::string& hash, uint32_t format) const;
  // Writes the picture where no file has its name; the caller knows the hash. True where it was written.
  Result<bool> Write(const std::string& hash, const image::Picture& picture) const;

  struct Entry {
    std::string file;  // below the folder
    std::string hash;  // empty: left behind by a writer that was interrupted
  };
  // All pictures and remains of interrupted writers, sorted by file; a folder that does not exist is empty. Other files do not count.
  Result<std::vector<Entry>> List() const;
  Status Remove(const Entry& entry) const;

 private:
  std::string folder_;
};

}  // namespace dp2trace::golden
