// What work on a file of anybody's making may take: the memory that it holds at one time, and steps of work. One object counts for all that
// work on the file, so that the sum has a limit, not each part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/work_budget.h"

namespace dp2trace {

class Allowance {
 public:
  explicit Allowance(uint64_t max_memory = uint64_t{1} << 30, uint64_t max_steps = UINT64_MAX)
      : max_memory_(max_memory), work_(max_steps) {}

  // Counts `bytes` as held. False where more than the limit would be held then: nothing is counted, and memory is exceeded from then on.
  bool Take(uint64_t bytes) {
    if (!Fits(bytes)) {
      if (!is_memory_exceeded_) {
        refused_ = bytes;
        in_use_then_ = in_use_;
      }
      is_memory_exceeded_ = true;
      return false;
    }
    in_use_ += bytes;
    return true;
  }
  // The bytes are no longer held; those of a Take() that failed never were.
  void Give(uint64_t bytes) { in_use_ -= std::min(bytes, in_use_); }
  bool Fits(uint64_t bytes) const { return bytes <= max_memory_ && in_use_ <= max_memory_ - bytes; }
  // Counts work. A step is about what a processor does in a nanosecond. False once more than the limit was asked for.
  bool Spend(uint64_t steps) { return work_.Spend(steps); }

  bool is_exceeded() const { return is_memory_exceeded_ || work_.is_spent(); }
  // Says what was exceeded, and which option raises it.
  std::string Reason() const;
  uint64_t in_use() const { return in_use_; }

 private:
  uint64_t max_memory_;
  uint64_t in_use_ = 0;
  uint64_t refused_ = 0, in_use_then_ = 0;  // at the first Take() that failed
  bool is_memory_exceeded_ = false;
  WorkBudget work_;
};

// Memory that is held, of an allowance: given back at its end.
class MemoryShare {
 public:
  MemoryShare() = default;
  // Nothing where it is too much.
  MemoryShare(std::shared_ptr<Allowance> allowance, uint64_t size) {
    if (allowance->Take(size)) {
      allowance_ = std::move(allowance);
      size_ = size;
    }
  }
  MemoryShare(MemoryShare&& other) noexcept
      : allowance_(std::move(other.allowance_)), size_(other.size_) {}
  MemoryShare& operator=(MemoryShare&& other) noexcept {
    std::swap(allowance_, other.allowance_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~MemoryShare() {
    if (allowance_ != nullptr) allowance_->Give(size_);
  }
  bool is_granted() const { return allowance_ != nullptr; }

 private:
  std::shared_ptr<Allowance> allowance_;  // null: nothing was granted
  uint64_t size_ = 0;
};

}  // namespace dp2trace
