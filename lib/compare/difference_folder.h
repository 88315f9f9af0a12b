// Where `compare` puts the differences of two folders of pictures.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/file_update.h"
#include "os/path.h"

namespace dp2trace::compare {

// The folder of the differences: one program at a time fills it, and where it stays empty it goes away.
class DifferenceFolder {
 public:
  DifferenceFolder() = default;
  ~DifferenceFolder() {
    std::error_code not_empty;
    if (!made_.empty()) std::filesystem::remove(ToPath(made_), not_empty);
  }
  DifferenceFolder(const DifferenceFolder&) = delete;
  DifferenceFolder& operator=(const DifferenceFolder&) = delete;

  Status Open(const std::string& path) {
    std::error_code error;  // the lock says what is wrong
    if (std::filesystem::create_directories(ToPath(path), error)) made_ = path;
    Result<Descriptor> lock = LockFolder(path);
    if (!lock.ok()) return lock.status();
    lock_ = std::move(*lock);
    return OkStatus();
  }

 private:
  std::string made_;  // empty: it was there before
  Descriptor lock_;
};

}  // namespace dp2trace::compare
