// The part of ChunkReader that finds its way past damage and says what was lost.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"
#include "rules/rule.h"
#include "trace/chunk_reader.h"
#include "trace/foreign_file.h"

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

// Of a log in UTF-8 or an older code page, zeros included; no header of a chunk is made of these.
bool IsLogText(uint8_t byte) {
  constexpr std::string_view kControls("\0\a\b\t\n\v\f\r\x1b", 9);
  return byte < 0x20 ? kControls.find(static_cast<char>(byte)) != std::string_view::npos
                     : byte != 0x7F && byte < 0xFE;
}

bool IsZero(uint8_t byte) {
  return byte == 0;
}

std::string EventList(uint64_t first, uint64_t end) {
  if (first >= end) return "no event is";
  if (first + 1 == end) return fmt::format("event {} is", first);
  return fmt::format("events {} to {} are", first, end - 1);
}

}  // namespace

// What a serial port carried before the recorder: the trace begins at the first file header, or at a chunk whose file header is lost.
Status ChunkReader::FindStart(Bytes start) {
  constexpr uint64_t kLeadingText = uint64_t{16} << 20;
  if (!MayHoldTrace(start)) return RefuseForeign(start);
  const size_t start_size = start.size();
  const auto searched = static_cast<size_t>(std::min(kLeadingText, max_memory_));
  const Bytes bytes = window_.PeekSome(searched);  // moves what `start` shows
  for (size_t at = FindSyncMarker(bytes, leading_searched_); at < bytes.size();
       at = FindSyncMarker(bytes, at + 1)) {
    if (!ParseChunkHeader(bytes.subspan(at))) continue;
    if (at < kFileHeaderSize || !IsSessionStart(bytes.subspan(at - kFileHeaderSize))) {
      BeginDamage("there is no file header");
      window_.Skip(at);
      return OkStatus();
    }
    window_.Skip(at - kFileHeaderSize);
    Report(
        Rule::kTrace013, 0, at - kFileHeaderSize,
        fmt::format("{} before the file header: not read", Counted(at - kFileHeaderSize, "byte")));
    now_.session_offset = window_.position();
    return ReadFileHeader();
  }
  if (bytes.size() == searched || window_.is_closed())
    return RefuseForeign(bytes.first(std::min(bytes.size(), start_size)));
  leading_searched_ = bytes.size() - std::min(bytes.size(), kChunkHeaderSize - 1);
  window_.AwaitMore();
  return OkStatus();
}

void ChunkReader::BeginDamage(std::string reason, uint64_t known_event_end) {
  if (!now_.damage) now_.damage = Damage{window_.position(), 0, std::move(reason)};
  now_.damage->known_event_end = std::max(now_.damage->known_event_end, known_event_end);
}

// Passes over a chunk whose header is good and whose data are not. `framed`: what follows confirms the size in the header.
// Otherwise bytes were lost or added, and the next chunk is searched inside the data, too; but not once more inside data that are
// themselves found that way, so that every byte is looked at a bounded number of times.
void ChunkReader::PassDamagedData(const ChunkHeader& header, bool framed) {
  const uint64_t begin = window_.position();
  const uint64_t end = begin + kChunkHeaderSize + header.stored_size;
  const uint64_t event_end = header.first_event + header.event_count;
  BeginDamage("the checksum of a chunk is wrong", event_end);
  if (framed || begin < now_.suspect_end) return Consume(header);
  now_.suspect_end = end;
  window_.Skip(kChunkHeaderSize);
  FindHeader(end, event_end);
}

// Lets the next steps move to the next valid chunk header, or to the end. Traces inside a trace (in a blob) are no chunks of it: a
// header in the data of a damaged chunk (before `extent_end`) has to continue its numbering exactly, one after must not go back.
void ChunkReader::FindHeader(uint64_t extent_end, uint64_t exact_first) {
  now_.search = Search{extent_end, exact_first};
}

void ChunkReader::SearchOn() {
  const auto [extent_end, exact_first] = *now_.search;
  Bytes bytes = window_.PeekSome(kScanSize);
  for (size_t at = FindSyncMarker(bytes, 0); at < bytes.size();
       at = FindSyncMarker(bytes, at + 1)) {
    const std::optional<ChunkHeader> header = ParseHeader(bytes.subspan(at));
    if (!header) continue;
    const bool inside = window_.position() + at < extent_end;
    size_t found = at;
    bool is_found =
        inside ? header->first_event == exact_first : header->first_event >= now_.expected_event;
    if (!inside && at >= kFileHeaderSize && IsSessionStart(bytes.subspan(at - kFileHeaderSize))) {
      if (!IsValueInWindow(at - kFileHeaderSize)) {
        is_found = true;
        found = at - kFileHeaderSize;
      }
      bytes = window_.PeekSome(kScanSize);
    }
    if (!is_found) continue;
    PassOver(found);
    now_.search.reset();
    return;
  }
  if (bytes.size() < kScanSize && window_.is_closed()) {
    PassOver(bytes.size());
    now_.search.reset();
  } else {
    SkipSearched(bytes.size());
  }
}

// Passes over what was searched, up to where a file header and a chunk header may begin that are not there to their ends.
void ChunkReader::SkipSearched(size_t size) {
  constexpr size_t kKept = kFileHeaderSize + kChunkHeaderSize - 1;
  if (size > kKept) return PassOver(size - kKept);
  window_.AwaitMore();
}

// Passes over bytes that are no chunk, and notes what they are.
void ChunkReader::PassOver(size_t size) {
  if (now_.damage) {
    const Bytes bytes = window_.PeekSome(size);
    Damage& damage = *now_.damage;
    damage.is_text = damage.is_text && std::ranges::all_of(bytes, IsLogText);
    damage.is_blank = damage.is_blank && std::ranges::all_of(bytes, IsZero);
  }
  window_.Skip(size);
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
  const uint64_t left = max_memory_ - std::min<uint64_t>(max_memory_, raw_capacity_);
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
  const Bytes after = all.subspan(kChunkHeaderSize + stored.size());
  return !stored.empty() && all[kChunkHeaderSize + stored.size() - 1] == 0 &&
         std::ranges::all_of(after, [](uint8_t byte) { return byte == 0; });
}

// Another container follows: its events continue the numbering of the trace.
void ChunkReader::StartSession() {
  now_.session_event = now_.expected_event;
  now_.session_offset = window_.position();
  now_.starts_session = true;
  now_.damage.reset();
  now_.search.reset();
  now_.trailing_begin.reset();
  now_.suspect_end = 0;
  now_.index_seen = now_.index_damaged = now_.is_cut = now_.is_ended = false;
  window_.Skip(kFileHeaderSize);
}

// What comes after a footer: another container, perhaps after bytes that are nothing.
void ChunkReader::PassTrailingBytes() {
  const uint64_t begin = *now_.trailing_begin;
  const bool is_first = window_.position() == begin;
  if (is_first && IsSessionStart(window_.Peek(kFileHeaderSize + kChunkHeaderSize)))
    return StartSession();
  const Bytes bytes = window_.PeekSome(kScanSize);
  for (size_t at = FindSyncMarker(bytes, 0); at < bytes.size();
       at = FindSyncMarker(bytes, at + 1)) {
    if (at < kFileHeaderSize || !IsSessionStart(bytes.subspan(at - kFileHeaderSize))) continue;
    window_.Skip(at - kFileHeaderSize);
    Report(Rule::kTrace013, begin, window_.position() - begin,
           "bytes between the footer and the next capture: not read");
    return StartSession();
  }
  if (bytes.size() == kScanSize || !window_.is_closed()) return SkipSearched(bytes.size());
  now_.trailing_begin.reset();
  if (!window_.status().ok()) return SettleAtEnd(0);
  Report(Rule::kTrace013, begin, 0, "bytes follow the footer; they are not read");
}

// Reports what lies between the last good chunk and this one: damaged bytes, missing events.
void ChunkReader::SettleBefore(const ChunkHeader& header) {
  const uint64_t position = window_.position();
  const bool is_events = header.type == static_cast<uint8_t>(ChunkType::kEvents);
  const bool missing = header.first_event > now_.expected_event;
  const bool is_nothing_lost =
      now_.damage && !missing && now_.damage->known_event_end <= now_.expected_event;
  if (is_nothing_lost && now_.damage->is_text) {
    // What else a port carried while the recorder ran, and did not count in the footer.
    now_.index_damaged = true;
    Report(Rule::kTrace013, now_.damage->begin, position - now_.damage->begin,
           fmt::format("{} between two chunks: not read; no event is lost",
                       Counted(position - now_.damage->begin, "byte")));
  } else if (is_nothing_lost && !is_events) {
    now_.index_damaged = true;
    Report(Rule::kTrace009, now_.damage->begin, position - now_.damage->begin,
           fmt::format("{} before the footer are damaged ({}); no event is lost",
                       Counted(position - now_.damage->begin, "byte"), now_.damage->reason));
  } else if (now_.damage) {
    Report(Rule::kTrace008, now_.damage->begin, position - now_.damage->begin,
           fmt::format("{} bytes are damaged ({}): {} lost", position - now_.damage->begin,
                       now_.damage->reason, EventList(now_.expected_event, header.first_event)));
  } else if (missing) {
    Report(Rule::kTrace008, position, 0,
           fmt::format("a chunk is missing: {} lost",
                       EventList(now_.expected_event, header.first_event)));
  } else if (!is_events && header.first_event < now_.expected_event) {
    Report(Rule::kTrace012, position, kChunkHeaderSize,
           fmt::format("the index or footer announces {}, {} were found",
                       Counted(header.first_event, "event"), now_.expected_event));
  }
  now_.damage.reset();
  now_.expected_event = std::max(now_.expected_event, header.first_event);
}

// Text or zeros after the last whole chunk do not belong to the recording: what else a port carried, a file that has its size from the start. False
// where it is something else.
bool ChunkReader::SettleText(uint64_t end) {
  if (!now_.damage || !now_.damage->is_text || now_.index_seen ||
      now_.expected_event == now_.session_event)
    return false;
  const Damage passed = *std::exchange(now_.damage, std::nullopt);
  Report(Rule::kTrace019, passed.begin, 0,
         fmt::format("the trace has no footer: it ends after event {}, the last of a chunk{}",
                     now_.expected_event - 1, passed.is_blank ? "; zeros follow" : ""));
  if (!passed.is_blank) {
    Report(Rule::kTrace013, passed.begin, end - passed.begin,
           fmt::format("{} after the last chunk: not read", Counted(end - passed.begin, "byte")));
  }
  return true;
}

// Reports how the input ends when no footer ended it: after a whole chunk, or in something that was not written to its end. `rest` bytes are left.
void ChunkReader::SettleAtEnd(uint64_t rest) {
  now_.is_ended = true;
  const uint64_t end = window_.position() + rest;
  if (!window_.status().ok()) {
    now_.is_truncated = now_.is_incomplete = true;
    log_->Add(window_.status().diagnostic(), end);
    return;
  }
  if (now_.damage && now_.index_seen && end - now_.damage->begin >= kFooterSize) {
    return Report(Rule::kTrace009, now_.damage->begin, end - now_.damage->begin,
                  fmt::format("the footer is damaged ({}); no event is lost", now_.damage->reason));
  }
  if (now_.is_cut) return;  // said
  if (rest != 0 && !now_.damage) {
    const Bytes bytes = window_.PeekSome(static_cast<size_t>(rest));
    if (std::ranges::all_of(bytes, IsLogText)) {
      now_.damage = Damage{window_.position(), 0, {}, true, std::ranges::all_of(bytes, IsZero)};
    }
  }
  if (SettleText(end)) return;
  std::string tail;
  if (now_.damage && !now_.index_seen && now_.damage->known_event_end > now_.expected_event) {
    Report(Rule::kTrace008, now_.damage->begin, end - now_.damage->begin,
           fmt::format("{} bytes are damaged ({}): {} lost", end - now_.damage->begin,
                       now_.damage->reason,
                       EventList(now_.expected_event, now_.damage->known_event_end)));
  } else if (now_.damage && !now_.index_seen) {
    // Zeros or garbage after the last whole chunk: what was not written.
    tail = fmt::format("; the {} after them are not a chunk",
                       Counted(end - now_.damage->begin, "byte"));
    rest = end - now_.damage->begin;
  }
  if (rest == 0 && now_.expected_event != now_.session_event) {
    return Report(
        Rule::kTrace019, end, 0,
        fmt::format("the trace has no footer: it ends after event {}, the last of a chunk",
                    now_.expected_event - 1));
  }
  ReportTruncated(end - rest, rest,
                  now_.index_seen ? "the file ends before its footer; no event is lost"
                                  : fmt::format("the file ends without index and footer after {}{}",
                                                Counted(now_.expected_event, "event"), tail));
}

void ChunkReader::ReportTruncated(uint64_t offset, uint64_t length, std::string message) {
  now_.is_truncated = true;
  if (window_.status().ok()) Report(Rule::kTrace007, offset, length, std::move(message));
}

}  // namespace dp2trace::trace
