// The part of ChunkReader that finds its way past damage and says what was lost.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rules/rule.h"
#include "trace/chunk_reader.h"

namespace dp2trace::trace {
namespace {

constexpr size_t kScanSize = 64 * 1024;

// The first position at or after `from` where the sync marker and a whole header's size of bytes are; bytes.size() = none.
size_t FindSyncMarker(Bytes bytes, size_t from) {
  while (from + kChunkHeaderSize <= bytes.size()) {
    const size_t starts = bytes.size() - kChunkHeaderSize + 1 - from;
    const void* hit = std::memchr(bytes.data() + from, kSyncMarker[0], starts);
    if (hit == nullptr) break;
    from = static_cast<size_t>(static_cast<const uint8_t*>(hit) - bytes.data());
    if (std::ranges::equal(bytes.subspan(from, kSyncMarker.size()), kSyncMarker)) return from;
    ++from;
  }
  return bytes.size();
}

std::string EventList(uint64_t first, uint64_t end) {
  if (first >= end) return "no event is";
  if (first + 1 == end) return fmt::format("event {} is", first);
  return fmt::format("events {} to {} are", first, end - 1);
}

}  // namespace

void ChunkReader::BeginDamage(std::string reason, uint64_t known_event_end) {
  if (!damage_) damage_ = Damage{window_.position(), 0, std::move(reason)};
  damage_->known_event_end = std::max(damage_->known_event_end, known_event_end);
}

// Passes over a chunk whose header is good and whose data are not. `framed`: what follows confirms the size in the header.
// Otherwise bytes were lost or added, and the next chunk is searched inside the data, too; but not once more inside data that are
// themselves found that way, so that every byte is looked at a bounded number of times.
void ChunkReader::PassDamagedData(const ChunkHeader& header, bool framed) {
  const uint64_t begin = window_.position();
  const uint64_t end = begin + kChunkHeaderSize + header.stored_size;
  const uint64_t event_end = header.first_event + header.event_count;
  BeginDamage("the checksum of a chunk is wrong", event_end);
  if (framed || begin < suspect_end_) return Consume(header);
  suspect_end_ = end;
  window_.Skip(kChunkHeaderSize);
  FindHeader(end, event_end);
}

// Moves to the next valid chunk header, or to the end. Traces inside a trace (in a blob) are no chunks of it: a header in the data
// of a damaged chunk (before `extent_end`) has to continue its numbering exactly, one behind must not go back.
void ChunkReader::FindHeader(uint64_t extent_end, uint64_t exact_first) {
  while (true) {
    Bytes bytes = window_.Peek(kScanSize);
    for (size_t at = FindSyncMarker(bytes, 0); at < bytes.size();
         at = FindSyncMarker(bytes, at + 1)) {
      const std::optional<ChunkHeader> header = ParseHeader(bytes.subspan(at));
      if (!header) continue;
      const bool inside = window_.position() + at < extent_end;
      if (!inside && at >= kFileHeaderSize && IsSessionStart(bytes.subspan(at - kFileHeaderSize))) {
        if (!IsValueInWindow(at - kFileHeaderSize)) return window_.Skip(at - kFileHeaderSize);
        bytes = window_.Peek(kScanSize);
      }
      if (inside ? header->first_event == exact_first : header->first_event >= expected_event_)
        return window_.Skip(at);
    }
    if (bytes.size() < kScanSize) return window_.Skip(bytes.size());
    window_.Skip(bytes.size() - kFileHeaderSize - kChunkHeaderSize + 1);
  }
}

// True when `stored` contains the header of the chunk that starts with `first_event`.
bool ChunkReader::HasHeaderFor(Bytes stored, uint64_t first_event) const {
  for (size_t at = FindSyncMarker(stored, 0); at < stored.size();
       at = FindSyncMarker(stored, at + 1)) {
    const std::optional<ChunkHeader> header = ParseHeader(stored.subspan(at));
    if (header && header->first_event == first_event) return true;
  }
  return false;
}

// True where the file header at `begin` is that of a trace which is a value of an event: the number before it is its size, and its
// chunks end where the value does.
bool ChunkReader::IsValue(Bytes bytes, size_t begin) {
  constexpr int kMaxChunks = 4096;
  const uint64_t announced = begin < 4 ? 0 : LoadU32(&bytes[begin - 4]);
  if (announced < kFileHeaderSize + kChunkHeaderSize) return false;
  uint64_t size = kFileHeaderSize;
  for (int i = 0; i < kMaxChunks && size < announced && begin + size < bytes.size(); ++i) {
    const auto header = ParseChunkHeader(bytes.subspan(begin + static_cast<size_t>(size)));
    if (!header) return false;
    size += kChunkHeaderSize + uint64_t{header->stored_size};
  }
  return size == announced;
}

// The same of a file header at `begin` in the window, as far as memory allows to look.
bool ChunkReader::IsValueInWindow(size_t begin) {
  const Bytes start = window_.Peek(begin);
  const uint64_t needed = begin + (begin < 4 ? 0 : uint64_t{LoadU32(&start[begin - 4])});
  const uint64_t left = max_memory_ - std::min(max_memory_, raw_capacity_);
  return needed <= left && IsValue(window_.Peek(static_cast<size_t>(needed)), begin);
}

// The offset in `stored` at which another container was appended to a chunk that was cut short; nothing where there is none.
std::optional<size_t> ChunkReader::FindSession(Bytes stored) {
  for (size_t at = FindSyncMarker(stored, 0); at < stored.size();
       at = FindSyncMarker(stored, at + 1)) {
    if (at < kFileHeaderSize || !IsSessionStart(stored.subspan(at - kFileHeaderSize))) continue;
    if (!IsValue(stored, at - kFileHeaderSize)) return at - kFileHeaderSize;
  }
  return std::nullopt;
}

// True when nothing but zeros follows the written part of the chunk: a file that got its size before its bytes.
bool ChunkReader::EndsInZeros(Bytes stored) {
  constexpr size_t kLooked = 4096;
  const Bytes all = window_.Peek(kChunkHeaderSize + stored.size() + kLooked);
  const Bytes behind = all.subspan(kChunkHeaderSize + stored.size());
  return !stored.empty() && all[kChunkHeaderSize + stored.size() - 1] == 0 &&
         std::ranges::all_of(behind, [](uint8_t byte) { return byte == 0; });
}

// Another container follows: its events continue the numbering of the trace.
void ChunkReader::StartSession() {
  session_event_ = expected_event_;
  session_offset_ = window_.position();
  starts_session_ = true;
  damage_.reset();
  suspect_end_ = 0;
  index_seen_ = index_damaged_ = is_cut_ = ended_ = false;
  window_.Skip(kFileHeaderSize);
}

// What stands behind a footer: another container, perhaps behind bytes that are nothing.
void ChunkReader::PassTrailingBytes() {
  if (IsSessionStart(window_.Peek(kFileHeaderSize + kChunkHeaderSize))) return StartSession();
  const uint64_t begin = window_.position();
  while (true) {
    const Bytes bytes = window_.Peek(kScanSize);
    for (size_t at = FindSyncMarker(bytes, 0); at < bytes.size();
         at = FindSyncMarker(bytes, at + 1)) {
      if (at < kFileHeaderSize || !IsSessionStart(bytes.subspan(at - kFileHeaderSize))) continue;
      window_.Skip(at - kFileHeaderSize);
      Report(Rule::kTrace013, begin, window_.position() - begin,
             "bytes stand between the footer and the next capture; they are not read");
      return StartSession();
    }
    if (bytes.size() < kScanSize) break;
    window_.Skip(bytes.size() - kFileHeaderSize - kChunkHeaderSize + 1);
  }
  Report(Rule::kTrace013, begin, 0, "bytes follow the footer; they are not read");
}

// Reports what lies between the last good chunk and this one: damaged bytes, missing events.
void ChunkReader::SettleBefore(const ChunkHeader& header) {
  const uint64_t position = window_.position();
  const bool is_events = header.type == static_cast<uint8_t>(ChunkType::kEvents);
  const bool missing = header.first_event > expected_event_;
  if (damage_ && !missing && !is_events && damage_->known_event_end <= expected_event_) {
    index_damaged_ = true;
    Report(Rule::kTrace009, damage_->begin, position - damage_->begin,
           fmt::format("{} bytes before the footer are damaged ({}); no event is lost",
                       position - damage_->begin, damage_->reason));
  } else if (damage_) {
    Report(Rule::kTrace008, damage_->begin, position - damage_->begin,
           fmt::format("{} bytes are damaged ({}): {} lost", position - damage_->begin,
                       damage_->reason, EventList(expected_event_, header.first_event)));
  } else if (missing) {
    Report(
        Rule::kTrace008, position, 0,
        fmt::format("a chunk is missing: {} lost", EventList(expected_event_, header.first_event)));
  } else if (!is_events && header.first_event < expected_event_) {
    Report(Rule::kTrace012, position, kChunkHeaderSize,
           fmt::format("the index or footer announces {} events, {} were found", header.first_event,
                       expected_event_));
  }
  damage_.reset();
  expected_event_ = std::max(expected_event_, header.first_event);
}

// Reports how the input ends when no footer ended it. `rest` bytes are left.
void ChunkReader::SettleAtEnd(uint64_t rest) {
  ended_ = true;
  const uint64_t end = window_.position() + rest;
  if (!window_.status().ok()) {
    truncated_ = incomplete_ = true;
    log_->Add(window_.status().diagnostic(), end);
    return;
  }
  if (damage_ && index_seen_ && end - damage_->begin >= kFooterSize) {
    return Report(Rule::kTrace009, damage_->begin, end - damage_->begin,
                  fmt::format("the footer is damaged ({}); no event is lost", damage_->reason));
  }
  if (is_cut_) return;  // said
  std::string tail;
  if (damage_ && !index_seen_ && damage_->known_event_end > expected_event_) {
    Report(Rule::kTrace008, damage_->begin, end - damage_->begin,
           fmt::format("{} bytes are damaged ({}): {} lost", end - damage_->begin, damage_->reason,
                       EventList(expected_event_, damage_->known_event_end)));
  } else if (damage_ && !index_seen_) {
    // Zeros or garbage behind the last whole chunk: what was not written.
    tail = fmt::format("; the {} bytes behind them are no chunk", end - damage_->begin);
    rest = end - damage_->begin;
  }
  ReportTruncated(end - rest, rest,
                  index_seen_
                      ? "the file ends before its footer; no event is lost"
                      : fmt::format("the file ends without index and footer after {} events{}",
                                    expected_event_, tail));
}

void ChunkReader::ReportTruncated(uint64_t offset, uint64_t length, std::string message) {
  truncated_ = true;
  if (window_.status().ok()) Report(Rule::kTrace007, offset, length, std::move(message));
}

}  // namespace dp2trace::trace
