// A finding about what a draw combines is reported once: the next draw with the same defect does not repeat it.
// Source: lib/opcode/dp2.md 25 (a rule about two states fires when a draw uses them).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/rule.h"

namespace dp2trace::validate {

class Recurring {
 public:
  struct Entry {
    Rule rule{};
    uint32_t detail = 0;
    std::string cause;  // of its finding; empty: it was none
  };

  // A draw is about to be checked.
  void Begin() { current_.clear(); }
  // True where the draw before had no such finding.
  bool IsNews(Rule rule, uint32_t detail) {
    const auto before = std::ranges::find_if(previous_, [&](const Entry& entry) {
      return entry.rule == rule && entry.detail == detail;
    });
    const bool is_news = before == previous_.end();
    current_.push_back(is_news ? Entry{rule, detail, {}} : *before);
    return is_news;
  }
  // Of the last IsNews().
  std::string& cause() { return current_.back().cause; }
  void End() { previous_.swap(current_); }
  // What the last draw met.
  const std::vector<Entry>& met() const { return previous_; }

 private:
  std::vector<Entry> previous_;
  std::vector<Entry> current_;
};

}  // namespace dp2trace::validate
