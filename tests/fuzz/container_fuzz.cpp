// Any bytes as a container: reading ends, payloads survive decoding, and what was read can be written and read again.
// Unless bit 0 of byte 15 is set, which containers do not use, the chunks get the hashes that their bytes have, so that the code after the
// hashes is reached.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "container_file.h"
#include "require.h"
#include "trace/codec.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace {

using dp2trace::Bytes;
using dp2trace::testing::FixHashes;
using dp2trace::testing::Require;
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): one file

struct StoredEvent {
  uint16_t kind = 0;
  uint16_t flags = 0;
  std::vector<uint8_t> payload;
  bool operator==(const StoredEvent&) const = default;
};

std::vector<StoredEvent> ReadAll(Bytes file) {
  std::vector<StoredEvent> events;
  dp2trace::DiagnosticList findings;
  dp2trace::Result<Reader> reader = Reader::FromBytes(file, findings, {.max_memory = 16 << 20});
  if (!reader.ok()) return events;
  uint64_t next = 0;
  EventRecord record;
  std::vector<uint8_t> encoded;
  while (reader->Next(record)) {
    Require(record.number >= next, "event numbers do not ascend");
    next = record.number + 1;
    encoded.clear();
    EncodePayload(record.event, encoded);
    Require(std::ranges::equal(encoded, record.payload),
            "encode(decode(payload)) differs from the payload");
    events.push_back({record.kind, record.flags, encoded});
  }
  Require(reader->incomplete() || !reader->truncated(), "a truncated file is incomplete");
  Require(!reader->incomplete() || !findings.empty(), "what is incomplete is reported");
  if (reader->SeekToEvent(next / 2)) {
    RawEvent event;
    Require(!reader->Next(event) || event.number >= next / 2, "a seek goes back too far");
  }
  return events;
}

std::vector<uint8_t> WriteAll(const std::vector<StoredEvent>& events) {
  std::vector<uint8_t> file;
  Writer writer([&file](Bytes bytes) {
    file.insert(file.end(), bytes.begin(), bytes.end());
    return dp2trace::OkStatus();
  });
  for (const StoredEvent& event : events)
    Require(writer.AddRaw(event.kind, event.flags, event.payload).ok(), "writing fails");
  Require(writer.Finish().ok(), "writing fails");
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> file(data, data + size);
  if (size >= kFileHeaderSize && (data[15] & 1) == 0) FixHashes(file);
  const std::vector<StoredEvent> events = ReadAll(file);
  Require(ReadAll(WriteAll(events)) == events, "what was read and written reads differently");
  return 0;
}
