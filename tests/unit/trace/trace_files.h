// Containers in memory for the tests of this folder: build one, read one, list what was found.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace dp2trace::testing {

std::vector<uint8_t> WriteTrace(const std::vector<trace::Event>& events,
                                const trace::WriterOptions& options = {});

trace::Marker TextMarker(std::string_view text);

struct ReadEvent {
  uint64_t number = 0;
  uint16_t kind = 0;
  uint16_t flags = 0;
  std::vector<uint8_t> payload;
  bool operator==(const ReadEvent&) const = default;
};

struct ReadResult {
  Status status;  // of opening
  std::vector<ReadEvent> events;
  DiagnosticList findings;
  bool truncated = false;
  bool incomplete = false;
};
// Both readers also feed the file in pieces to a FedReader and check that it gives the same.
ReadResult ReadTrace(Bytes file, const trace::ReaderOptions& options = {});
// By way of EventRecord, which checks payloads, too.
ReadResult ReadRecords(Bytes file, const trace::ReaderOptions& options = {});

// Fed in pieces of only these sizes.
ReadResult FeedTrace(Bytes file, const std::function<size_t()>& next_size,
                     const trace::ReaderOptions& options = {});

// How often the rule occurs.
size_t CountOf(const DiagnosticList& findings, Rule rule);

// Events with payloads of these sizes: a header, then unknown events; the bytes of an event show its number.
std::vector<uint8_t> WriteSizedEvents(const std::vector<size_t>& sizes,
                                      const trace::WriterOptions& options = {});
// `count` chunks of `per_chunk` events and about 64 KiB each.
std::vector<uint8_t> WriteChunks(size_t count, size_t per_chunk, trace::Compression compression);

// The offset of every chunk header, by walking the sizes.
std::vector<size_t> ChunkOffsets(Bytes file);
// Changes the chunk header at `offset` and gives it the hash that makes it valid.
void EditHeader(std::vector<uint8_t>& file, size_t offset,
                const std::function<void(trace::ChunkHeader&)>& edit);
// Gives the chunk at `offset` the data hash that its data have.
void FixDataHash(std::vector<uint8_t>& file, size_t offset);

}  // namespace dp2trace::testing
