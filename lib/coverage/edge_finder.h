// Rules that traces in files barely keep.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "coverage/coverage.h"

namespace dp2trace::coverage {

// Asked by several threads at once.
class EdgeFinder {
 public:
  explicit EdgeFinder(uint64_t max_memory) : max_memory_(max_memory) {}
  // Adds those of the trace.
  void Add(const std::string& path, CoveredItems& items);
  // Why traces could not be read again.
  const std::vector<Status>& failures() const { return failures_; }
  // What there is to say of traces that were not searched, or not to their end.
  const std::set<std::string>& notes() const { return notes_; }

 private:
  void Note(std::string note);
  void Fail(const Status& status);

  uint64_t max_memory_;
  std::mutex mutex_;
  std::set<std::string> notes_;
  std::vector<Status> failures_;
};

}  // namespace dp2trace::coverage
