// Records events of the library with the capture header: what both write can be compared.
#pragma once

#include <cstdint>
#include <vector>

#include "dp2trace_capture.h"
#include "trace/events.h"

namespace dp2trace::testing {

// True for an event that the header can express: no unknown one, and no text that holds a zero.
bool CanRecord(const trace::Event& event);
// Calls the function of the event's kind with its structure.
int Record(d2c& capture, const trace::Event& event);

// Takes the file of a recording. It refuses to go on after `fail_after` bytes, and once at call `fail_at`.
struct Sink {
  std::vector<uint8_t> file;
  std::vector<uint32_t> writes;  // sizes
  uint64_t fail_after = UINT64_MAX;
  uint64_t fail_at = UINT64_MAX;
  uint64_t calls = 0;
  static int Write(void* sink, const void* bytes, d2c_u32 size);
};

struct RecordingOptions {
  size_t buffer_size = 0;
  size_t index_size = 0;
  uint32_t flush = D2C_FLUSH_WHEN_FULL;
  bool is_finished = true;
  bool packs = false;
};
// The file of a recording of the events.
std::vector<uint8_t> RecordAll(const std::vector<trace::Event>& events,
                               const RecordingOptions& options);

// What a file says of its events: how many there are, how many were lost, and the cause of the first.
struct Tally {
  uint64_t given = 0;  // neither headers nor `lost`
  uint64_t headers = 0;
  uint64_t lost = 0;
  trace::LostCause cause = trace::LostCause::kNone;
  bool is_bare = false;  // the last header
  uint32_t level = 0;    // and its driver level
};
Tally TallyOf(Bytes file);

}  // namespace dp2trace::testing
