#include "trace/input_window.h"

#include <algorithm>
#include <new>

namespace dp2trace::trace {
namespace {

constexpr size_t kFirstRead = size_t{1} << 20;
// Read beyond what was asked for, so that the next chunk header is there without a call of its own. Not on a pipe, where the
// bytes may come later.
constexpr size_t kReadAhead = 64;

}  // namespace

void InputWindow::Reserve(size_t capacity) {
  if (capacity <= capacity_) return;
  auto* grown = static_cast<uint8_t*>(std::realloc(buffer_.get(), capacity));
  if (grown == nullptr) throw std::bad_alloc();
  static_cast<void>(buffer_.release());
  buffer_.reset(grown);
  capacity_ = capacity;
}

InputWindow InputWindow::Fed() {
  InputWindow window{Bytes()};
  window.is_fed_ = true;
  return window;
}

// Drops the bytes of the buffer before `from`.
void InputWindow::Compact(size_t from) {
  if (from == 0) return;
  std::memmove(buffer_.get(), buffer_.get() + from, end_ - from);
  end_ -= from;
  begin_ -= from;
  marked_ -= std::min(marked_, from);
}

// Reads until `target` bytes are available; false at the end of the input.
bool InputWindow::Fill(size_t target) {
  Reserve(target);
  const Result<size_t> count = file_->Read(std::span(buffer_.get() + end_, target - end_));
  if (!count.ok()) {
    if (status_.ok()) status_ = count.status();
    return false;
  }
  end_ += *count;
  return end_ == target;
}

Bytes InputWindow::Peek(size_t size) {
  const Bytes bytes = PeekSome(size);
  if (bytes.size() < size) Starve(size);
  return bytes;
}

Bytes InputWindow::PeekSome(size_t size) {
  if (is_fed_) {
    if (ahead_ != 0) return {};
    Absorb(begin_ - marked_ + size);
    return {buffer_.get() + begin_, std::min(size, available())};
  }
  if (!file_) {
    const Bytes rest = memory_.subspan(static_cast<size_t>(position_));
    return rest.first(std::min(size, rest.size()));
  }
  if (available() < size && status_.ok()) {
    Compact(begin_);
    const size_t wanted = size + (file_->seekable() ? kReadAhead : 0);
    // In steps that double, because `size` may be a lie.
    while (end_ < wanted && Fill(std::min(wanted, std::max(kFirstRead, end_ * 2)))) {
    }
  }
  return {buffer_.get() + begin_, std::min(size, available())};
}

void InputWindow::Skip(uint64_t size) {
  if (is_fed_) {
    const auto buffered = static_cast<size_t>(std::min<uint64_t>(size, available()));
    begin_ += buffered;
    position_ += buffered;
    ahead_ += size - buffered;
    return;
  }
  if (!file_) {
    position_ += std::min<uint64_t>(size, memory_.size() - position_);
    return;
  }
  const auto buffered = static_cast<size_t>(std::min<uint64_t>(size, available()));
  begin_ += buffered;
  position_ += buffered;
  uint64_t rest = size - buffered;
  if (rest != 0 && file_->seekable()) {
    Seek(std::min(position_ + rest, std::max(file_->size(), position_)));
    return;
  }
  while (rest != 0) {
    const size_t step = Peek(static_cast<size_t>(std::min<uint64_t>(rest, kFirstRead))).size();
    if (step == 0) return;
    begin_ += step;
    position_ += step;
    rest -= step;
  }
}

bool InputWindow::Seek(uint64_t position) {
  if (is_fed_) return false;
  if (!file_) {
    position_ = std::min<uint64_t>(position, memory_.size());
    return true;
  }
  const Status moved = file_->Seek(position);
  if (!moved.ok()) {
    if (status_.ok()) status_ = moved;
    return false;
  }
  begin_ = end_ = 0;
  position_ = position;
  return true;
}

std::optional<std::vector<uint8_t>> InputWindow::ReadAt(uint64_t position, size_t size) {
  if (position > this->size() || size > this->size() - position) return std::nullopt;
  if (!file_) {
    const Bytes bytes = memory_.subspan(static_cast<size_t>(position), size);
    return std::vector<uint8_t>(bytes.begin(), bytes.end());
  }
  std::vector<uint8_t> bytes(size);
  if (!file_->Seek(position).ok()) return std::nullopt;
  const Result<size_t> count = file_->Read(bytes);
  const Status back = file_->Seek(position_ + available());
  if (!back.ok() && status_.ok()) status_ = back;
  if (!count.ok() || *count != size) return std::nullopt;
  return bytes;
}

void InputWindow::ShrinkTo(size_t size) {
  if (capacity_ <= size || available() > size) return;
  Compact(is_fed_ ? marked_ : begin_);
  std::unique_ptr<uint8_t, Free> smaller;
  if (end_ != 0) {
    smaller.reset(static_cast<uint8_t*>(std::malloc(end_)));
    if (!smaller) throw std::bad_alloc();
    std::memcpy(smaller.get(), buffer_.get(), end_);
  }
  buffer_ = std::move(smaller);
  capacity_ = end_;
}

// Copies fed bytes into the buffer until `target` bytes come after the mark; false when fewer have been fed.
bool InputWindow::Absorb(size_t target) {
  const size_t held = end_ - marked_;
  if (held >= target) return true;
  const size_t size = std::min(target - held, memory_.size());
  if (size != 0) {
    Compact(marked_);
    if (end_ + size > capacity_) Reserve(std::max(end_ + size, std::min(target, 2 * capacity_)));
    std::memcpy(buffer_.get() + end_, memory_.data(), size);
    end_ += size;
    memory_ = memory_.subspan(size);
  }
  return held + size == target;
}

void InputWindow::Starve(size_t needed) {
  if (!is_fed_ || is_closed_ || is_starved_) return;
  is_starved_ = true;
  wanted_ = begin_ - marked_ + needed;
}

void InputWindow::Feed(Bytes bytes) {
  if (!memory_.empty()) Absorb(end_ - marked_ + memory_.size());
  memory_ = bytes;
}

void InputWindow::Close() {
  is_closed_ = true;
}

bool InputWindow::Begin() {
  if (!is_fed_) return true;
  const auto passed = static_cast<size_t>(std::min<uint64_t>(ahead_, memory_.size()));
  memory_ = memory_.subspan(passed);
  position_ += passed;
  ahead_ = is_closed_ ? 0 : ahead_ - passed;
  marked_ = begin_;
  const bool enough = ahead_ == 0 && (Absorb(wanted_) || is_closed_);
  if (enough) {
    is_starved_ = false;
    wanted_ = 0;
  }
  return enough;
}

void InputWindow::Rewind() {
  position_ -= begin_ - marked_;
  begin_ = marked_;
  ahead_ = 0;
}

}  // namespace dp2trace::trace
