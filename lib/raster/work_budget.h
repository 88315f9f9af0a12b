// What a draw may still cost. Input can ask for any amount of work; the limit ends the draw instead of the patience of people.
// Source: DESIGN section 4 (limits with a named option and a finding).
#pragma once

#include <cstdint>

namespace dp2trace::raster {

// Work is counted in steps: a vertex, a light of a vertex, a primitive, a 2x2 quad, a block of 8x8 pixels that is examined, a column of a
// line, an executed shader instruction, 4 pixels of a clear. The sum does not depend on the order of the work.
class WorkBudget {
 public:
  explicit WorkBudget(uint64_t steps) : left_(steps) {}

  // False once more than the budget is spent, and from then on.
  bool Spend(uint64_t steps) {
    if (is_spent_ || steps > left_) {
      is_spent_ = true;
      return false;
    }
    left_ -= steps;
    return true;
  }
  bool is_spent() const { return is_spent_; }

 private:
  uint64_t left_;
  bool is_spent_ = false;
};

}  // namespace dp2trace::raster
