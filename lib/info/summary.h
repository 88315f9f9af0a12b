// What is in a trace: counts and sizes, collected event by event in bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>

#include "trace/command_stream.h"
#include "trace/draw_counter.h"
#include "trace/events.h"

namespace dp2trace::info {

// Sizes are bytes of payload in the container, whatever form the trace came in.
struct KindSummary {
  uint64_t count = 0;
  uint64_t bytes = 0;
  uint64_t largest = 0;
};

struct OperationSummary {
  uint64_t commands = 0;
  uint64_t records = 0;  // repeated structures in them
  uint64_t bytes = 0;    // command headers included
};

// The header with texts of its own.
struct HeaderSummary {
  trace::Header values;  // without views
  std::string generator;
  size_t cap_count = 0;
};

struct Summary {
  std::optional<HeaderSummary> header;
  uint64_t sessions = 0;  // headers
  uint64_t event_count = 0;
  uint64_t event_bytes = 0;
  uint64_t largest_event = 0;  // number of the event with the largest payload
  uint64_t largest_event_bytes = 0;
  std::map<uint16_t, KindSummary> kinds;           // by event code, unknown ones included
  std::array<OperationSummary, 256> operations{};  // by operation value
  uint64_t damaged_events = 0;                     // known kind, unreadable payload
  uint64_t commands = 0;
  uint64_t command_bytes = 0;     // of all streams, framed or not
  uint64_t unframed_streams = 0;  // end before their last byte
  uint64_t draws = 0;
  uint64_t frames = 0;                // present events
  bool has_unfinished_frame = false;  // draws after the last present
  uint64_t reads = 0;
  uint32_t operation_level = 0;   // highest level of an operation that occurs; 0 = none
  uint32_t runtime_versions = 0;  // bit v: a context of runtime version v is created
  uint64_t contexts = 0;          // created
  uint64_t kmt_contexts = 0;
  uint64_t surfaces = 0;       // created
  uint64_t peak_surfaces = 0;  // alive at the same time
  uint64_t sub_handles = 0;    // handles of levels and faces below their roots
  uint64_t surface_bytes = 0;  // written by surface_update
  uint64_t vertex_bytes = 0;
  uint64_t allocations = 0;      // of allocation_create
  uint64_t status_failures = 0;  // calls whose recorded result is a failure

  // Frames as the command line counts them: an unfinished one is one.
  uint64_t FrameCount() const { return frames + (has_unfinished_frame ? 1 : 0); }
};

class Summarizer {
 public:
  // `payload_size`: bytes of the payload in the container.
  void Add(uint64_t number, const trace::Event& event, uint64_t payload_size);
  const Summary& summary() const { return summary_; }

 private:
  void AddDraws(const trace::Event& event);
  void AddKind(uint64_t number, const trace::Event& event, uint64_t payload_size);
  void AddStream(const trace::CommandStream& commands);
  void AddSurface(const trace::SurfaceCreate& surface);
  void Inspect(const trace::Event& event);

  Summary summary_;
  trace::NamingContext naming_;
  trace::FrameCounter frames_;
  std::unordered_set<uint64_t> alive_;  // space and root handle
};

}  // namespace dp2trace::info
