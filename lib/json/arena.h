// Memory for what one event refers to, freed together when the next event is read.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/checked.h"

namespace dp2trace::json {

class Arena {
 public:
  explicit Arena(uint64_t limit) : limit_(limit) {}

  // `size` bytes of uninitialized memory, aligned for bytes only; null when the limit would be passed, and only then.
  uint8_t* Allocate(uint64_t size) {
    if (!Charge(size)) return nullptr;
    if (size == 0) size = 1;
    if (size > left_) Grow(size);
    uint8_t* const result = at_;
    at_ += size;
    left_ -= size;
    return result;
  }

  // Counts memory that is allocated elsewhere against the limit; false when it would be passed.
  bool Charge(uint64_t size) {
    if (size > limit_ - used_) return false;
    used_ += size;
    return true;
  }

  uint64_t used() const { return used_; }

  // Forgets everything. Keeps the first block, so that small events allocate nothing.
  void Reset() {
    used_ = 0;
    if (blocks_.empty()) return;
    blocks_.resize(1);
    at_ = blocks_[0].get();
    left_ = kBlockSize;
  }

 private:
  static constexpr uint64_t kBlockSize = 64 << 10;

  void Grow(uint64_t size) {
    const uint64_t block = size > kBlockSize ? size : kBlockSize;
    if (blocks_.empty() && block > kBlockSize)
      blocks_.emplace_back(new uint8_t[kBlockSize]);  // the one that Reset() keeps
    blocks_.emplace_back(new uint8_t[MemorySize(block)]);
    at_ = blocks_.back().get();
    left_ = block;
  }

  uint64_t limit_;
  uint64_t used_ = 0;
  std::vector<std::unique_ptr<uint8_t[]>> blocks_;
  uint8_t* at_ = nullptr;
  uint64_t left_ = 0;
};

}  // namespace dp2trace::json
