// A view that moves forward over an input, file, memory or bytes that are fed, and holds as much of it as was asked for at once.
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
  // An input whose bytes come by Feed(). What they do not suffice for is tried again: Begin(), then whatever Peek() and Skip() need, and
  // Rewind() where is_starved().
  static InputWindow Fed();

  // The next `size` bytes, or what is left of the input where that is less. Valid until the next Peek(), Seek() or ShrinkTo(), or
  // a Skip() beyond them.
  // Memory grows with what has really been read, not with `size`.
  Bytes Peek(size_t size);
  // The same for those who can use fewer bytes than they ask for: never starves.
  Bytes PeekSome(size_t size);
  // Moves forward; stops at the end of the input.
  void Skip(uint64_t size);
  // Moves to any position; only where seekable(). False (and status()) on failure.
  bool Seek(uint64_t position);
  // Reads elsewhere, only where seekable(), and keeps window and position; nothing when fewer than `size` bytes are there.
  std::optional<std::vector<uint8_t>> ReadAt(uint64_t position, size_t size);

  // Frees the buffer where it is larger than `size` and holds no more than `size` bytes.
  void ShrinkTo(size_t size);

  // The rest is about fed inputs; others are never starved.
  // Hands over the next bytes. They are not copied until they are needed: they live until the next Feed(), which keeps what is left of
  // them, or until Begin() is false, which does so too.
  void Feed(Bytes bytes);
  // No more bytes come.
  void Close();
  // Marks the position. False while fewer bytes are there than were wanting the last time.
  bool Begin();
  // Back to the position of Begin().
  void Rewind();
  // More bytes were needed, since Begin(), than have been fed.
  bool is_starved() const { return is_starved_; }
  // Says that a byte more than those that are there is needed.
  void AwaitMore() { Starve(available() + 1); }
  // True when all bytes of the input are there.
  bool is_closed() const { return !is_fed_ || is_closed_; }

  // Bytes before the window.
  uint64_t position() const { return position_; }
  bool seekable() const { return file_ ? file_->seekable() : !is_fed_; }
  // Bytes of the input; 0 = not known.
  uint64_t size() const { return file_ ? file_->size() : memory_.size(); }
  // Memory that the window owns, in bytes.
  size_t capacity() const { return capacity_; }
  // True when Peek() copies into memory of its own.
  bool owns_memory() const { return file_.has_value() || is_fed_; }
  // The first failure of reading. A failed input looks as if it ended there.
  const Status& status() const { return status_; }

 private:
  struct Free {
    void operator()(uint8_t* bytes) const { std::free(bytes); }
  };
  size_t available() const { return end_ - begin_; }
  void Compact(size_t from);
  bool Fill(size_t target);
  bool Absorb(size_t target);
  void Starve(size_t needed);
  void Reserve(size_t capacity);

  std::optional<InputFile> file_;
  Bytes memory_;  // of a fed input, what has not been copied into buffer_
  uint64_t position_ = 0;
  std::unique_ptr<uint8_t, Free>
      buffer_;  // grown by realloc, which moves large blocks without copying
  size_t capacity_ = 0;
  size_t begin_ = 0;  // of the window in buffer_
  size_t end_ = 0;
  Status status_;

  bool is_fed_ = false;
  bool is_closed_ = false;
  bool is_starved_ = false;
  size_t marked_ = 0;   // begin_ at Begin()
  size_t wanted_ = 0;   // bytes after marked_ without which Begin() fails
  uint64_t ahead_ = 0;  // bytes that were skipped before they were fed
};

}  // namespace dp2trace::trace
