// The JSON form of `dump`; text is text::Dumper's.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "dump_vertices.h"
#include "text/dump.h"
#include "trace/events.h"

namespace dp2trace::app {

// The chosen events as a JSON array on standard output, one per line: {"number":N,"frame":N,"event":{...}}. Events with draws have their
// numbers: "draws":[{"draw":N,"command":INDEX,"offset":N}], and with `vertices` what the chosen draws consist of: "meshes":[...].
class JsonDumper {
 public:
  // `vertices` may be null.
  JsonDumper(const text::DumpOptions& options, const DrawnVertices* vertices)
      : filter_(options), vertices_(vertices) {}

  // The next event of the trace, chosen or not.
  Status Add(uint64_t number, const trace::Event& event);
  uint64_t count() const { return count_; }
  const text::EventFilter& filter() const { return filter_; }
  Status Finish();

 private:
  text::EventFilter filter_;
  const DrawnVertices* vertices_;
  uint64_t count_ = 0;
};

}  // namespace dp2trace::app
