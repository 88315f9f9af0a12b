// Findings about what a draw combines are news once: the next draw with the same defect does not repeat them.
// Source: DP2 specification, section 25 (a rule that weighs two states fires when a draw uses them).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/rule.h"

namespace dp2trace::validate {

class Recurring {
 public:
  // A draw is about to be weighed.
  void Begin() { current_.clear(); }
  // True where the draw before had no such finding.
  bool IsNews(Rule rule, uint32_t detail) {
    const Entry entry{rule, detail};
    current_.push_back(entry);
    return std::ranges::find(previous_, entry) == previous_.end();
  }
  void End() { previous_.swap(current_); }
  // The next draw has the same news.
  bool operator==(const Recurring& other) const { return previous_ == other.previous_; }

 private:
  using Entry = std::pair<Rule, uint32_t>;
  std::vector<Entry> previous_;
  std::vector<Entry> current_;
};

}  // namespace dp2trace::validate
