// A view that moves forward over an input, file or memory, and holds as much of it as was asked for at once.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/file.h"
#include "base/status.h"

namespace dp2trace::trace {

class InputWindow {
 public:
  explicit InputWindow(InputFile file) : file_(std::move(file)) {}
  // Views `memory` without copying; it outlives the window.
  explicit InputWindow(Bytes memory) : memory_(memory) {}

  // The next `size` bytes, or what is left of the input where that is less. Valid until the next Peek(), Seek() or ShrinkTo(), or
  // a Skip() beyond them.
  // Memory grows with what has really been read, not with `size`.
  Bytes Peek(size_t size);
  // Moves forward; stops at the end of the input.
  void Skip(uint64_t size);
  // Moves to any position; only where seekable(). False (and status()) on failure.
  bool Seek(uint64_t position);
  // Reads elsewhere, only where seekable(), and keeps window and position; nothing when fewer than `size` bytes are there.
  std::optional<std::vector<uint8_t>> ReadAt(uint64_t position, size_t size);

  // Frees the buffer where it is larger than `size` and holds no more than `size` bytes.
  void ShrinkTo(size_t size);

  // Bytes before the window.
  uint64_t position() const { return position_; }
  bool seekable() const { return !file_ || file_->seekable(); }
  // Bytes of the input; 0 = not known.
  uint64_t size() const { return file_ ? file_->size() : memory_.size(); }
  // Memory that the window owns, in bytes.
  size_t capacity() const { return capacity_; }
  // True when Peek() copies into memory of its own.
  bool owns_memory() const { return file_.has_value(); }
  // The first failure of reading. A failed input looks as if it ended there.
  const Status& status() const { return status_; }

 private:
  struct Free {
    void operator()(uint8_t* bytes) const { std::free(bytes); }
  };
  size_t available() const { return end_ - begin_; }
  bool Fill(size_t target);
  void Reserve(size_t capacity);

  std::optional<InputFile> file_;
  Bytes memory_;
  uint64_t position_ = 0;
  std::unique_ptr<uint8_t, Free>
      buffer_;  // grown by realloc, which moves large blocks without copying
  size_t capacity_ = 0;
  size_t begin_ = 0;  // of the window in buffer_
  size_t end_ = 0;
  Status status_;
};

}  // namespace dp2trace::trace
