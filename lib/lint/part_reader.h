// A trace as parts of many events that stay where they are, so that several threads can look at the same ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/zeroed_bytes.h"
#include "trace_file/source.h"

namespace dp2trace::lint {

struct PartEvent {
  uint64_t number = 0;
  trace::Event event;  // its views point into the part
};

// Room for payloads: a part that has few touches little of it.
struct PayloadBlock {
  explicit PayloadBlock(size_t block_size) : bytes(block_size), size(block_size) {}

  ZeroedBytes bytes;
  size_t size;
};

// Not changed once it is read.
struct Part {
  std::vector<PartEvent> events;
  // What the reader found, and before which of the events.
  std::vector<std::pair<size_t, Diagnostic>> findings;
  std::deque<PayloadBlock> blocks;  // the last one is being filled
  uint64_t size = 0;                // bytes of payloads
};

class PartReader {
 public:
  // `source` is a container: its findings need no places in a text. Both outlive the reader. `findings`: those of the source, which are taken out of it up to the last event.
  // `size`: bytes of payloads of a part, about; an event that is larger is a part of its own.
  PartReader(trace_file::Source& source, DiagnosticList& findings, uint64_t size)
      : source_(&source), findings_(&findings), size_(size) {}

  // The next part, with one event at least; null at the end. `spare`: a part that nobody needs any more, whose memory is used again, or
  // null.
  std::unique_ptr<Part> Next(std::unique_ptr<Part> spare = nullptr);
  // Next() has met the end of the trace.
  bool is_ended() const { return is_ended_; }

 private:
  void Clear(Part& part);
  void Add(const trace::EventRecord& record, Part& part);
  // Memory of the part with these bytes.
  Bytes Keep(Bytes payload, Part& part);

  trace_file::Source* source_;
  DiagnosticList* findings_;
  uint64_t size_;
  std::vector<uint8_t> encoded_;
  size_t block_used_ = 0;  // bytes of the last block of the part
  bool is_ended_ = false;
};

}  // namespace dp2trace::lint
