// The text of a file that may turn out to be no trace at all.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/file.h"

namespace dp2trace::trace_file {

// Reads a file front to back; its first bytes can be looked at before.
class TextInput {
 public:
  explicit TextInput(InputFile file) : file_(std::move(file)) {}

  // The first bytes of the file. Only before Read().
  Result<Bytes> Peek();
  Result<size_t> Read(std::span<uint8_t> out);
  uint64_t position() const { return position_; }
  uint64_t size() const { return file_.size(); }

 private:
  InputFile file_;
  std::array<uint8_t, 64> start_{};
  size_t start_size_ = 0;
  size_t start_read_ = 0;
  uint64_t position_ = 0;
};

}  // namespace dp2trace::trace_file
