// The text of a file that may turn out to be no trace at all.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "base/file.h"

namespace dp2trace::trace_file {

// Enough of a file to say what it is.
inline constexpr size_t kStartBytes = 64;

// Reads a file front to back; its first bytes can be looked at before.
class TextInput {
 public:
  explicit TextInput(InputFile file) : file_(std::move(file)) {}

  // The first bytes of the file. Only before Read().
  Result<Bytes> Peek() { return file_.Peek(kStartBytes); }
  Result<size_t> Read(std::span<uint8_t> out) {
    Result<size_t> count = file_.Read(out);
    if (count.ok()) position_ += *count;
    return count;
  }
  uint64_t position() const { return position_; }
  uint64_t size() const { return file_.size(); }

 private:
  InputFile file_;
  uint64_t position_ = 0;
};

}  // namespace dp2trace::trace_file
