// Hands findings on, each once, however often the place that it is about is read; or holds them back until it is known that they stand.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace dp2trace::trace {

class FindingLog {
 public:
  explicit FindingLog(DiagnosticList& list) : list_(&list) {}

  // `place` tells findings of one rule apart: an offset or an event number.
  void Add(Diagnostic diagnostic, uint64_t place) {
    if (is_held_) {
      held_.emplace_back(std::move(diagnostic), place);
      return;
    }
    const std::pair key(diagnostic.rule, place);
    if (reported_.contains(key)) return;
    if (reported_.size() < kLimit) reported_.insert(key);
    list_->Add(std::move(diagnostic));
  }

  // What is added from now on waits for Release() or Drop().
  void Hold() { is_held_ = true; }
  void Release() {
    is_held_ = false;
    for (auto& [diagnostic, place] : held_)
      Add(std::move(diagnostic), place);
    held_.clear();
  }
  void Drop() {
    is_held_ = false;
    held_.clear();
  }

 private:
  static constexpr size_t kLimit = 10000;  // as many as a DiagnosticList keeps
  DiagnosticList* list_;
  std::set<std::pair<Rule, uint64_t>> reported_;
  std::vector<std::pair<Diagnostic, uint64_t>> held_;
  bool is_held_ = false;
};

}  // namespace dp2trace::trace
