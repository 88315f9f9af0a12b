// Takes the chunks of a container apart into events: what Reader, which reads, and FedReader, which is fed, have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "trace/chunk_reader.h"
#include "trace/finding_log.h"
#include "trace/reader.h"

namespace dp2trace::trace {

class EventReader {
 public:
  EventReader(InputWindow window, DiagnosticList& findings, const ReaderOptions& options)
      : max_memory_(options.max_memory),
        log_(findings),
        chunks_(std::move(window), log_, options.max_memory) {}

  // Reads the file header; nothing while a fed input is too short for it.
  std::optional<Status> Open() { return chunks_.Open(); }
  // False at the end, and where a fed input needs more bytes.
  bool Next(RawEvent& event);
  bool Next(EventRecord& record);
  bool SeekToEvent(uint64_t number);
  const TraceIndex* Index();
  const ChunkReader& chunks() const { return chunks_; }
  InputWindow& window() { return chunks_.window(); }

 private:
  RawEvent TakeEvent();
  void CheckHeader(const RawEvent& event);
  void CheckUnknown(const EventRecord& record);
  bool Jump(uint64_t number);
  void ReportPassedOver();
  void ReportEvent(Rule rule, uint64_t number, std::string message);

  uint64_t max_memory_;
  FindingLog log_;
  ChunkReader chunks_;
  EventChunk chunk_;
  uint32_t next_in_chunk_ = 0;  // index of the next event in chunk_
  size_t cursor_ = 0;           // its position in chunk_.raw
  uint64_t wanted_ = 0;         // events before this number are passed over
  uint64_t counted_end_ = 0;  // events before this number have been looked at for optional_unknown_
  uint64_t optional_unknown_ = 0;
  bool index_loaded_ = false;
  std::optional<TraceIndex> index_;
};

}  // namespace dp2trace::trace
