// What a piece of work may still cost. Input can ask for any amount of it; the limit ends the work instead of the patience of people.
// Source: lib/design.md 4 (limits with a named option and a finding).
#pragma once

#include <cstdint>

namespace dp2trace {

// Work is counted in steps; raster::Options says what a step of a draw is, device/trace_work.h that of a trace. The sum does not depend on
// the order of the work.
class WorkBudget {
 public:
  explicit WorkBudget(uint64_t steps) : total_(steps), left_(steps) {}

  // False once more than the budget is spent, and from then on.
  bool Spend(uint64_t steps) {
    if (is_spent_ || steps > left_) {
      is_spent_ = true;
      return false;
    }
    left_ -= steps;
    return true;
  }
  // Spends what `part` did, all of this where the part ran out.
  void SpendAs(const WorkBudget& part) { Spend(part.is_spent_ ? UINT64_MAX : part.spent()); }
  bool is_spent() const { return is_spent_; }
  uint64_t total() const { return total_; }
  uint64_t left() const { return total_ - spent(); }
  // Steps so far; the total once more than that was asked for.
  uint64_t spent() const { return is_spent_ ? total_ : total_ - left_; }

 private:
  uint64_t total_;
  uint64_t left_;
  bool is_spent_ = false;
};

}  // namespace dp2trace
