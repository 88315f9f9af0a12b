// A trace as JSON, event by event: what `dump` writes. Text is text::Dumper's.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/status.h"
#include "dump/drawn_vertices.h"
#include "text/dump.h"
#include "trace/events.h"

namespace dp2trace::dump {

// The chosen events as one JSON object, an event per line: {"event":N,"frame":N,"record":{...}}. Events with draws have their
// numbers: "draws":[{"draw":N,"command":INDEX,"offset":N}], and with `vertices` what the chosen draws consist of: "meshes":[...].
class JsonDumper {
 public:
  // `vertices` may be null; it outlives the object.
  JsonDumper(text::TextSink sink, std::string trace, const text::DumpOptions& options,
             const DrawnVertices* vertices)
      : sink_(std::move(sink)), trace_(std::move(trace)), filter_(options), vertices_(vertices) {}

  // The next event of the trace, chosen or not. Fails where the sink does.
  Status Add(uint64_t number, const trace::Event& event);
  uint64_t count() const { return count_; }
  const text::EventFilter& filter() const { return filter_; }
  Status Finish();

 private:
  std::string Start() const;

  text::TextSink sink_;
  std::string trace_;
  text::EventFilter filter_;
  const DrawnVertices* vertices_;
  uint64_t count_ = 0;
};

}  // namespace dp2trace::dump
