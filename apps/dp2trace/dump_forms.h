// The JSON form of `dump`; text is text::Dumper's.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "text/dump.h"
#include "trace/events.h"

namespace dp2trace::app {

// The chosen events as a JSON array on standard output, one per line: {"number":N,"frame":N,"event":{...}}. Events with draws have their
// numbers: "draws":[{"draw":N,"command":INDEX,"offset":N}].
class JsonDumper {
 public:
  explicit JsonDumper(const text::DumpOptions& options) : filter_(options) {}

  // The next event of the trace, chosen or not.
  Status Add(uint64_t number, const trace::Event& event);
  bool IsPast() const { return filter_.IsPast(); }
  uint64_t count() const { return count_; }
  Status Finish();

 private:
  text::EventFilter filter_;
  uint64_t count_ = 0;
};

}  // namespace dp2trace::app
