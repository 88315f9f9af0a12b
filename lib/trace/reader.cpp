#include "trace/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rules/rule.h"
#include "trace/chunk_reader.h"
#include "trace/codec.h"
#include "trace/event_kind.h"

namespace dp2trace::trace {

class Reader::State {
 public:
  State(InputWindow window, DiagnosticList& findings, const ReaderOptions& options)
      : max_memory_(options.max_memory),
        log_(findings),
        chunks_(std::move(window), log_, options.max_memory) {}

  static Result<Reader> Open(InputWindow window, DiagnosticList& findings,
                             const ReaderOptions& options) {
    auto state = std::make_unique<State>(std::move(window), findings, options);
    DP2TRACE_RETURN_IF_ERROR(state->chunks_.Open());
    return Reader(std::move(state));
  }

  bool Next(RawEvent& event);
  bool Next(EventRecord& event);
  bool SeekToEvent(uint64_t number);
  const TraceIndex* Index();
  const ChunkReader& chunks() const { return chunks_; }

 private:
  RawEvent TakeEvent();
  void CheckHeader(const RawEvent& event);
  void CheckUnknown(const EventRecord& record);
  bool Jump(uint64_t number);
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

// The next event of the chunk. ChunkReader has checked that it is whole.
RawEvent Reader::State::TakeEvent() {
  const uint8_t* at = chunk_.raw.data() + cursor_;
  RawEvent event;
  event.number = chunk_.first_event + next_in_chunk_;
  event.kind = LoadU16(at);
  event.flags = LoadU16(at + 2);
  event.payload = {at + kEventHeaderSize, LoadU32(at + 4)};
  cursor_ += kEventHeaderSize + event.payload.size();
  ++next_in_chunk_;
  return event;
}

bool Reader::State::Next(RawEvent& event) {
  while (true) {
    if (next_in_chunk_ >= chunk_.event_count) {
      next_in_chunk_ = 0;
      cursor_ = 0;
      chunk_ = {};
      if (!chunks_.Next(chunk_)) return false;
    }
    event = TakeEvent();
    if (event.number < wanted_) continue;
    CheckHeader(event);
    return true;
  }
}

bool Reader::State::Next(EventRecord& record) {
  RawEvent raw;
  if (!Next(raw)) {
    if (optional_unknown_ != 0) {
      ReportEvent(
          Rule::kTrace004, 0,
          fmt::format(
              "{} optional events are of kinds that this version does not know; they are passed over",
              optional_unknown_));
    }
    optional_unknown_ = 0;
    return false;
  }
  record.number = raw.number;
  record.kind = raw.kind;
  record.flags = raw.flags;
  record.payload = raw.payload;
  const uint64_t memory_left = max_memory_ - std::min(max_memory_, chunks_.memory_in_use());
  const auto defect = DecodePayload(raw.kind, raw.flags, raw.payload, record.event, memory_left);
  if (defect) {
    ReportEvent(Rule::kTrace006, raw.number,
                fmt::format("event {} ({}): {} at byte {} of its {} bytes; it is kept as unknown",
                            raw.number, EventName(raw.kind), defect->reason, defect->offset,
                            raw.payload.size()));
  } else if (std::holds_alternative<Unknown>(record.event)) {
    CheckUnknown(record);
  }
  counted_end_ = std::max(counted_end_, record.number + 1);
  return true;
}

void Reader::State::CheckHeader(const RawEvent& event) {
  const bool must_be = event.number == 0 || (chunk_.starts_session && next_in_chunk_ == 1);
  if (!must_be || event.kind == static_cast<uint16_t>(EventKind::kHeader)) return;
  ReportEvent(Rule::kTrace011, event.number,
              fmt::format("event {} is {} (kind {}), not the header", event.number,
                          EventName(event.kind), event.kind));
}

void Reader::State::CheckUnknown(const EventRecord& record) {
  if ((record.flags & kEventOptional) == 0) {
    ReportEvent(
        Rule::kTrace005, record.number,
        fmt::format("event {} is of kind {}, which this version does not know, and is not optional",
                    record.number, record.kind));
  } else if (record.number >= counted_end_) {
    ++optional_unknown_;
  }
}

void Reader::State::ReportEvent(Rule rule, uint64_t number, std::string message) {
  Diagnostic diagnostic = MakeDiagnostic(rule, std::move(message));
  if (chunk_.event_count != 0) diagnostic.offset = chunk_.offset;
  log_.Add(std::move(diagnostic), number);
}

bool Reader::State::SeekToEvent(uint64_t number) {
  if (!chunks_.window().seekable()) return false;
  chunk_ = {};
  next_in_chunk_ = 0;
  cursor_ = 0;
  wanted_ = number;
  return Jump(number) || chunks_.Restart(kFileHeaderSize, 0);
}

// Restarts at the chunk that holds the event, when the index knows it and the file agrees.
bool Reader::State::Jump(uint64_t number) {
  const TraceIndex* index = Index();
  if (index == nullptr || index->chunks.empty()) return false;
  const auto after =
      std::ranges::upper_bound(index->chunks, number, {}, &IndexedChunk::first_event);
  const IndexedChunk& entry = *std::prev(after == index->chunks.begin() ? std::next(after) : after);
  return chunks_.Confirms(entry) && chunks_.Restart(entry.offset, entry.first_event);
}

const TraceIndex* Reader::State::Index() {
  if (!index_loaded_) {
    index_ = chunks_.LoadIndex();
    index_loaded_ = true;
  }
  return index_ ? &*index_ : nullptr;
}

Reader::Reader(std::unique_ptr<State> state) : state_(std::move(state)) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

Result<Reader> Reader::Open(const std::string& path, DiagnosticList& findings,
                            const ReaderOptions& options) {
  Result<InputFile> input = InputFile::Open(path);
  if (!input.ok()) return input.status();
  return Open(std::move(*input), findings, options);
}

Result<Reader> Reader::Open(InputFile input, DiagnosticList& findings,
                            const ReaderOptions& options) {
  return State::Open(InputWindow(std::move(input)), findings, options);
}

Result<Reader> Reader::FromBytes(Bytes file, DiagnosticList& findings,
                                 const ReaderOptions& options) {
  return State::Open(InputWindow(file), findings, options);
}

bool Reader::Next(RawEvent& event) {
  return state_->Next(event);
}
bool Reader::Next(EventRecord& event) {
  return state_->Next(event);
}
bool Reader::SeekToEvent(uint64_t number) {
  return state_->SeekToEvent(number);
}
const TraceIndex* Reader::Index() {
  return state_->Index();
}
Version Reader::version() const {
  return state_->chunks().version();
}
bool Reader::truncated() const {
  return state_->chunks().truncated();
}
bool Reader::incomplete() const {
  return state_->chunks().incomplete();
}
uint64_t Reader::position() const {
  return state_->chunks().window().position();
}
uint64_t Reader::size() const {
  return state_->chunks().window().size();
}

}  // namespace dp2trace::trace
