// Finds the chunks of a container and hands out the contents of those that hold events: checked, decompressed, numbered.
// What is damaged, cut off or too large is reported and passed over. Containers that were appended to each other are read as one trace.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "trace/compression.h"
#include "trace/container.h"
#include "trace/finding_log.h"
#include "trace/index.h"
#include "trace/input_window.h"

namespace dp2trace::trace {

// `raw` starts with `event_count` whole events and lives until the next call of Next() or Restart().
struct EventChunk {
  uint64_t offset = 0;  // of the chunk header in the file
  uint64_t first_event = 0;
  uint32_t event_count = 0;
  bool starts_session = false;  // the first chunk of a container that was appended to another one
  Bytes raw;
};

class ChunkReader {
 public:
  ChunkReader(InputWindow window, FindingLog& log, uint64_t max_memory);

  // Reads the file header. Fails when the input is not a container that this version reads. Nothing while a fed input is too short.
  std::optional<Status> Open();
  // The next chunk of events; false at the end, and where a fed input needs more bytes.
  bool Next(EventChunk& chunk);
  // Nothing comes any more.
  bool at_end() const { return now_.is_ended && !now_.trailing_begin; }
  // Goes to the chunk header at `offset`, whose first event is `first_event`. Only where seekable.
  bool Restart(uint64_t offset, uint64_t first_event);
  // Goes back to where Open() left off. Only where seekable.
  bool RestartAtStart();
  // The index by way of the footer, where both are whole and the input is seekable. Does not move.
  std::optional<TraceIndex> LoadIndex();
  // True when the chunk stands where the index says.
  bool Confirms(const IndexedChunk& entry);

  const InputWindow& window() const { return window_; }
  InputWindow& window() { return window_; }
  Version version() const { return version_; }
  bool truncated() const { return now_.is_truncated; }
  bool incomplete() const { return now_.is_incomplete; }
  // Memory that the buffers hold, in bytes.
  uint64_t memory_in_use() const { return window_.capacity() + raw_capacity_; }

 private:
  // Bytes that are not what they should be, from `begin` up to the next good chunk.
  struct Damage {
    uint64_t begin = 0;
    uint64_t known_event_end = 0;  // one past the last event that is known to have been there
    std::string reason;
    // What another writer put there, and no chunk: after a whole one nothing but text and zeros so far, nothing but zeros.
    bool is_text = false, is_blank = false;
  };

  // A search for the next chunk header. See FindHeader().
  struct Search {
    uint64_t extent_end = 0;
    uint64_t exact_first = 0;
  };
  // Where reading stands. Everything that a step changes and that is put back when it is tried again is in here.
  struct Progress {
    uint64_t expected_event = 0;  // number of the next event, if nothing is lost
    uint64_t session_event = 0;   // number of the first event of the container that is being read
    uint64_t session_offset = 0;  // of its file header
    // No chunk of it was delivered yet, and another container was before it.
    bool starts_session = false;
    std::optional<Damage> damage;
    // Headers before this offset were found inside the data of a damaged chunk.
    uint64_t suspect_end = 0;
    std::optional<Search> search;
    std::optional<uint64_t>
        trailing_begin;  // offset of the bytes after a footer, while they are passed over
    uint64_t index_offset = 0;
    bool index_seen = false;
    bool index_damaged = false;
    bool is_cut = false;  // the end of the container that is being read was reported
    bool is_ended = false;
    bool is_truncated = false;
    bool is_incomplete = false;
  };

  template <class F>
  bool Attempt(const F& step);
  bool RestartWith(uint64_t offset, Progress progress);
  Status ReadFileHeader();
  Status FindStart(Bytes start);
  static Status RefuseForeign(Bytes start);
  bool Step(EventChunk& chunk);
  std::optional<ChunkHeader> ParseHeader(Bytes bytes) const;
  bool HandleChunk(const ChunkHeader& header, EventChunk& chunk);
  bool HandleEvents(const ChunkHeader& header, Bytes stored, EventChunk& chunk);
  void HandleFooter(Bytes payload);
  bool HandleWrongHash(const ChunkHeader& header, Bytes stored, EventChunk& chunk);
  bool HandleCut(const ChunkHeader& header, Bytes stored, EventChunk& chunk);
  bool DeliverCut(const ChunkHeader& header, Bytes stored, uint32_t count_limit, EventChunk& chunk);
  bool IsFramed(const ChunkHeader& header);
  bool Decodes(const ChunkHeader& header, Bytes raw);
  uint32_t CountDecodable(Bytes raw, uint32_t limit);
  bool Decompress(const ChunkHeader& header, Bytes stored, Bytes& raw);
  bool FitsMemory(const ChunkHeader& header);
  void Consume(const ChunkHeader& header);
  std::span<uint8_t> RawBuffer(size_t size);

  void BeginDamage(std::string reason, uint64_t known_event_end = 0);
  void PassDamagedData(const ChunkHeader& header, bool framed);
  void FindHeader(uint64_t extent_end, uint64_t exact_first);
  void SearchOn();
  void SkipSearched(size_t size);
  void PassOver(size_t size);
  bool SettleText(uint64_t end);
  bool HasHeaderFor(Bytes stored, uint64_t first_event) const;
  static bool IsValue(Bytes bytes, size_t begin);
  bool IsValueInWindow(size_t begin);
  static std::optional<size_t> FindSession(Bytes stored);
  bool EndsInZeros(Bytes stored);
  void StartSession();
  void PassTrailingBytes();
  void SettleBefore(const ChunkHeader& header);
  void SettleAtEnd(uint64_t rest);

  void Report(Rule rule, uint64_t offset, uint64_t length, std::string message);
  void ReportTruncated(uint64_t offset, uint64_t length, std::string message);

  InputWindow window_;
  FindingLog* log_;
  uint64_t max_memory_;
  Version version_;
  Decompressor decompressor_;
  std::unique_ptr<uint8_t[]> raw_;  // decompressed chunk
  size_t raw_capacity_ = 0;

  Progress now_;
  Progress opened_;  // as Open() left it, with the position that belongs to it
  uint64_t opened_position_ = 0;
  size_t leading_searched_ = 0;  // bytes in front of a fed input in which no chunk header starts
};

}  // namespace dp2trace::trace
