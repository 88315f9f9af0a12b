#include "trace/event_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"
#include "rules/rule.h"
#include "trace/codec.h"
#include "trace/event_kind.h"

namespace dp2trace::trace {

// The next event of the chunk. ChunkReader has checked that it is whole.
RawEvent EventReader::TakeEvent() {
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

bool EventReader::Next(RawEvent& event) {
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

bool EventReader::Next(EventRecord& record) {
  RawEvent raw;
  if (!Next(raw)) {
    if (chunks_.at_end()) ReportPassedOver();
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
                fmt::format("event {} ({}): {} at byte {} of its {}; it is kept as unknown",
                            raw.number, EventName(raw.kind), defect->reason, defect->offset,
                            Counted(raw.payload.size(), "byte")));
  } else if (std::holds_alternative<Unknown>(record.event)) {
    CheckUnknown(record);
  }
  counted_end_ = std::max(counted_end_, record.number + 1);
  return true;
}

void EventReader::ReportPassedOver() {
  if (optional_unknown_ != 0) {
    ReportEvent(Rule::kTrace004, 0,
                fmt::format("{} of a kind that this version does not know: skipped",
                            Counted(optional_unknown_, "optional event")));
  }
  optional_unknown_ = 0;
}

void EventReader::CheckHeader(const RawEvent& event) {
  const bool must_be = event.number == 0 || (chunk_.starts_session && next_in_chunk_ == 1);
  if (!must_be || event.kind == static_cast<uint16_t>(EventKind::kHeader)) return;
  ReportEvent(Rule::kTrace011, event.number,
              fmt::format("event {} is {} (kind {}), not the header", event.number,
                          EventName(event.kind), event.kind));
}

void EventReader::CheckUnknown(const EventRecord& record) {
  if ((record.flags & kEventOptional) == 0) {
    ReportEvent(
        Rule::kTrace005, record.number,
        fmt::format("event {} is of kind {}, which this version does not know, and is not optional",
                    record.number, record.kind));
  } else if (record.number >= counted_end_) {
    ++optional_unknown_;
  }
}

void EventReader::ReportEvent(Rule rule, uint64_t number, std::string message) {
  Diagnostic diagnostic = MakeDiagnostic(rule, std::move(message));
  if (chunk_.event_count != 0) diagnostic.offset = chunk_.offset;
  log_.Add(std::move(diagnostic), number);
}

bool EventReader::SeekToEvent(uint64_t number) {
  if (!chunks_.window().seekable()) return false;
  chunk_ = {};
  next_in_chunk_ = 0;
  cursor_ = 0;
  wanted_ = number;
  return Jump(number) || chunks_.RestartAtStart();
}

// Restarts at the chunk that holds the event, when the index knows it and the file agrees.
bool EventReader::Jump(uint64_t number) {
  const TraceIndex* index = Index();
  if (index == nullptr || index->chunks.empty()) return false;
  const auto after =
      std::ranges::upper_bound(index->chunks, number, {}, &IndexedChunk::first_event);
  const IndexedChunk& entry = *std::prev(after == index->chunks.begin() ? std::next(after) : after);
  return chunks_.Confirms(entry) && chunks_.Restart(entry.offset, entry.first_event);
}

const TraceIndex* EventReader::Index() {
  if (!index_loaded_) {
    index_ = chunks_.LoadIndex();
    index_loaded_ = true;
  }
  return index_ ? &*index_ : nullptr;
}

}  // namespace dp2trace::trace
