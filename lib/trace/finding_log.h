// Hands findings on, each once, however often the place that it is about is read.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "base/diagnostic.h"

namespace dp2trace::trace {

class FindingLog {
 public:
  explicit FindingLog(DiagnosticList& list) : list_(&list) {}

  // `place` tells findings of one rule apart: an offset or an event number.
  void Add(Diagnostic diagnostic, uint64_t place) {
    const std::pair key(diagnostic.rule, place);
    if (reported_.contains(key)) return;
    if (reported_.size() < kLimit) reported_.insert(key);
    list_->Add(std::move(diagnostic));
  }

 private:
  static constexpr size_t kLimit = 10000;  // as many as a DiagnosticList keeps
  DiagnosticList* list_;
  std::set<std::pair<Rule, uint64_t>> reported_;
};

}  // namespace dp2trace::trace
