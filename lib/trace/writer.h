// Writes the binary container front to back; never seeks, so what was flushed survives a crash of the writing process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "trace/codec.h"
#include "trace/container.h"
#include "trace/event_kind.h"
#include "trace/index.h"

namespace dp2trace::trace {

struct WriterOptions {
  Compression compression = Compression::kZstd;
  int level = 3;                      // zstd level, 1-19
  uint32_t chunk_size = 1024 * 1024;  // raw bytes after which a chunk ends, clamped to 64 KiB-4 MiB
};

class Compressor;

// Call order: Add/AddRaw for every event, the header first, then Finish() once. After a failure every call returns that failure.
class Writer {
 public:
  // Takes the bytes of the file in order. A failure ends the writing.
  using Sink = std::function<Status(Bytes)>;

  explicit Writer(Sink sink, const WriterOptions& options = {});
  // Writes into `file`, which outlives the writer; the caller commits it after Finish().
  explicit Writer(OutputFile& file, const WriterOptions& options = {});
  ~Writer();
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;

  // Adds one event; T is a structure of events.def, Unknown or Event.
  template <class T>
  Status Add(const T& event) {
    payload_.clear();
    EncodePayload(event, payload_);
    return AddRaw(CodeOfEvent(event), FlagsOfEvent(event), payload_);
  }
  // Adds one event by its bytes. TRACE-014 when the payload does not fit into a chunk (4 GiB).
  Status AddRaw(uint16_t kind, uint16_t flags, Bytes payload);
  // Ends the current chunk, so that everything added so far reaches the sink.
  Status Flush();
  // Writes what is left, the index and the footer.
  Status Finish();
  // In place of Finish(): writes what is left, and the start of a chunk that does not follow, so that readers say that the trace is cut.
  Status FinishCut();

  uint64_t event_count() const { return event_count_; }

 private:
  template <class T>
  static uint16_t CodeOfEvent(const T& event) {
    if constexpr (std::is_same_v<T, Event>) {
      return CodeOf(event);
    } else if constexpr (std::is_same_v<T, Unknown>) {
      return event.kind;
    } else {
      return static_cast<uint16_t>(kKindOf<T>);
    }
  }
  template <class T>
  static uint16_t FlagsOfEvent(const T& event) {
    if constexpr (std::is_same_v<T, Event>) {
      const auto* unknown = std::get_if<Unknown>(&event);
      return unknown == nullptr ? uint16_t{0} : unknown->flags;
    } else if constexpr (std::is_same_v<T, Unknown>) {
      return event.flags;
    } else {
      return 0;
    }
  }
  Status Put(Bytes bytes);
  Status PutChunk(ChunkHeader header, Bytes raw);
  Status WriteFileHeader();
  void RecordFrame(uint16_t kind, uint16_t flags, Bytes payload);

  Sink sink_;
  WriterOptions options_;
  std::unique_ptr<Compressor> compressor_;
  Status failure_;
  std::vector<uint8_t> payload_;  // of the event being added
  std::vector<uint8_t> chunk_;    // raw bytes of the current chunk
  std::vector<uint8_t> output_;   // chunk header and stored bytes, so that a chunk is one write
  uint64_t chunk_first_event_ = 0;
  uint64_t event_count_ = 0;
  uint64_t position_ = 0;  // bytes given to the sink
  TraceIndex index_;
};

}  // namespace dp2trace::trace
