// How far the work on a question is: another thread may look at it meanwhile, and end it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "trace_model/walk.h"

namespace dp2trace::live {

class Watch {
 public:
  // Another question begins.
  void Start();
  // From any thread: the question that is worked on fails.
  void Cancel() { is_cancelled_ = true; }
  // After each event of a source that is read. Fails (TRACE-001) once the question was cancelled.
  Status Look(uint64_t done, uint64_t size);
  // Inside of an event. Fails as Look() does.
  Status Check() const;
  // For libraries that read a trace themselves.
  trace_model::Walk walk();
  // Bytes of the trace that the current pass has read, and its size (0: not known), from any thread.
  uint64_t done() const { return done_; }
  uint64_t size() const { return size_; }
  // {"done", "size"}
  std::string ProgressText() const;

 private:
  std::atomic<uint64_t> done_ = 0, size_ = 0;
  std::atomic<bool> is_cancelled_ = false;
};

}  // namespace dp2trace::live
