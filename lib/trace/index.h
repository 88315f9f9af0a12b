// The index of a container: where its chunks are, and which events end its frames.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"

namespace dp2trace::trace {

struct IndexedChunk {
  uint64_t offset = 0;  // of the chunk header, bytes from the start of the file
  uint64_t first_event = 0;
  uint32_t event_count = 0;
  uint32_t raw_size = 0;  // bytes
  bool operator==(const IndexedChunk&) const = default;
};

struct TraceIndex {
  std::vector<IndexedChunk> chunks;  // of events, in file order
  std::vector<uint64_t> frames;      // numbers of the present events, ascending
  uint64_t event_count = 0;
  bool operator==(const TraceIndex&) const = default;
};

// Events [first, last] of frame n, counted from 1; frame `frames.size() + 1` is what follows the last present. Nothing when empty.
struct EventRange {
  uint64_t first = 0;
  uint64_t last = 0;
  bool operator==(const EventRange&) const = default;
};
std::optional<EventRange> EventsOfFrame(const TraceIndex& index, uint64_t frame);

// The contents of an index chunk. Parse fails on sizes that do not fit and on numbers that do not ascend.
std::vector<uint8_t> EncodeIndex(const TraceIndex& index);
std::optional<TraceIndex> ParseIndex(Bytes bytes);

}  // namespace dp2trace::trace
