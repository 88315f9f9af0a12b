#include "trace/chunk_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/plain_text.h"
#include "rules/rule.h"
#include "trace/codec.h"
#include "trace/foreign_file.h"

namespace dp2trace::trace {
namespace {

// Event numbers beyond this are no numbers of events: sums of them would overflow.
constexpr uint64_t kMaxEventNumber = uint64_t{1} << 62;

bool IsType(const ChunkHeader& header, ChunkType type) {
  return header.type == static_cast<uint8_t>(type);
}
bool IsCompressedBy(const ChunkHeader& header, Compression compression) {
  return header.compression == static_cast<uint8_t>(compression);
}

bool IsCompressed(const ChunkHeader& header) {
  return IsCompressedBy(header, Compression::kZstd) || IsCompressedBy(header, Compression::kRuns);
}

struct WholeEvents {
  uint32_t count = 0;
  size_t size = 0;  // bytes
};

// The events at the start of `raw` that are there to their last byte, at most `limit`.
WholeEvents CountWholeEvents(Bytes raw, uint32_t limit) {
  WholeEvents whole;
  while (whole.count < limit && raw.size() - whole.size >= kEventHeaderSize) {
    const uint64_t size = kEventHeaderSize + uint64_t{LoadU32(&raw[whole.size + 4])};
    if (size > raw.size() - whole.size) break;
    whole.size += static_cast<size_t>(size);
    ++whole.count;
  }
  return whole;
}

}  // namespace

ChunkReader::ChunkReader(InputWindow window, FindingLog& log, uint64_t max_memory)
    : window_(std::move(window)), log_(&log), max_memory_(max_memory) {}

// Runs a step, or undoes it and returns false when a fed input did not have the bytes for it: it is tried again when they are there.
template <class F>
bool ChunkReader::Attempt(const F& step) {
  if (!window_.Begin()) return false;
  const Progress before = now_;
  log_->Hold();
  step();
  if (!window_.is_starved()) {
    log_->Release();
    return true;
  }
  log_->Drop();
  window_.Rewind();
  now_ = before;
  return false;
}

std::optional<Status> ChunkReader::Open() {
  Status status;
  if (!Attempt([&] { status = ReadFileHeader(); })) return std::nullopt;
  opened_ = now_;
  opened_position_ = window_.position();
  return status;
}

Status ChunkReader::ReadFileHeader() {
  const Bytes start = window_.Peek(kFileHeaderSize + kChunkHeaderSize);
  if (!window_.status().ok()) return window_.status();
  const std::optional<Version> version = ParseFileHeader(start);
  if (version && version->major > kMajorVersion) {
    Diagnostic diagnostic = MakeDiagnostic(
        Rule::kTrace003,
        fmt::format("the container has version {}.{}; this program reads versions up to {}.x",
                    version->major, version->minor, kMajorVersion));
    diagnostic.offset = kMagic.size();
    return Status(std::move(diagnostic));
  }
  if (version && version->major == kMajorVersion) {
    version_ = *version;
    window_.Skip(kFileHeaderSize);
    return OkStatus();
  }
  const size_t compared = std::min(start.size(), kMagic.size());
  const bool cut = start.size() < kFileHeaderSize &&
                   std::ranges::equal(start.first(compared), std::span(kMagic).first(compared));
  if (cut && !start.empty()) return OkStatus();  // Next() reports it
  if (start.size() < kFileHeaderSize || !ParseChunkHeader(start.subspan(kFileHeaderSize)))
    return FindStart(start);
  BeginDamage("the file header is wrong");
  window_.Skip(kFileHeaderSize);
  return OkStatus();
}

Status ChunkReader::RefuseForeign(Bytes start) {
  const std::string_view clause = DescribeForeignFile(start);
  Diagnostic diagnostic = MakeDiagnostic(
      Rule::kTrace002,
      fmt::format("the file is not a dp2trace container{}{}", clause.empty() ? "" : ": ", clause));
  diagnostic.offset = 0;
  diagnostic.actual = ToHex(start.first(std::min(start.size(), kMagic.size())));
  diagnostic.expected = ToHex(kMagic);
  return Status(std::move(diagnostic));
}

// A chunk header whose numbers count over all containers that were read.
std::optional<ChunkHeader> ChunkReader::ParseHeader(Bytes bytes) const {
  std::optional<ChunkHeader> header = ParseChunkHeader(bytes);
  if (header && header->first_event <= kMaxEventNumber) header->first_event += now_.session_event;
  return header;
}

bool ChunkReader::Next(EventChunk& chunk) {
  bool is_filled = false;
  while (!is_filled && !at_end()) {
    if (Attempt([&] { is_filled = Step(chunk); })) continue;
    chunk = {};
    return false;
  }
  return is_filled;
}

// Goes one chunk, or one piece of damage, further. True when `chunk` was filled.
bool ChunkReader::Step(EventChunk& chunk) {
  if (now_.trailing_begin) {
    PassTrailingBytes();
    return false;
  }
  if (now_.search) {
    SearchOn();
    return false;
  }
  const Bytes bytes = window_.PeekSome(kChunkHeaderSize);
  if (const std::optional<ChunkHeader> header = ParseHeader(bytes))
    return HandleChunk(*header, chunk);
  const Bytes start = window_.Peek(kFileHeaderSize + kChunkHeaderSize);
  if (window_.position() != 0 && IsSessionStart(start)) {
    SettleAtEnd(0);
    StartSession();
  } else if (start.size() < kChunkHeaderSize) {
    SettleAtEnd(start.size());
  } else {
    const bool is_first = !now_.damage;
    BeginDamage("no valid chunk header");
    if (is_first) now_.damage->is_text = now_.damage->is_blank = !now_.is_cut;
    PassOver(1);
    FindHeader(0, 0);
  }
  return false;
}

// True when `chunk` was filled. Passes over the chunk in any case.
bool ChunkReader::HandleChunk(const ChunkHeader& header, EventChunk& chunk) {
  if (header.first_event > kMaxEventNumber) {
    Report(Rule::kTrace012, window_.position(), kChunkHeaderSize,
           fmt::format("a chunk starts at event {}", header.first_event));
    Consume(header);
    return false;
  }
  SettleBefore(header);
  if (!FitsMemory(header)) {
    Report(
        Rule::kTrace010, window_.position(), kChunkHeaderSize + uint64_t{header.stored_size},
        fmt::format(
            "a chunk of {} ({} in the file) needs more memory than --max-memory allows ({}); lost: {}",
            Counted(header.raw_size, "byte"), header.stored_size, Counted(max_memory_, "byte"),
            Counted(header.event_count, "event")));
    // A chunk that repeats events takes none back.
    now_.expected_event = std::max(now_.expected_event, header.first_event + header.event_count);
    Consume(header);
    return false;
  }
  const Bytes stored =
      window_.Peek(kChunkHeaderSize + size_t{header.stored_size}).subspan(kChunkHeaderSize);
  if (window_.is_starved()) return false;
  if (stored.size() < header.stored_size) return HandleCut(header, stored, chunk);
  if (Xxh3_64(stored) != header.data_hash) return HandleWrongHash(header, stored, chunk);
  if (IsType(header, ChunkType::kEvents)) return HandleEvents(header, stored, chunk);
  if (IsType(header, ChunkType::kIndex)) {
    now_.index_seen = true;
    now_.index_offset = window_.position();
  } else if (IsType(header, ChunkType::kFooter)) {
    HandleFooter(stored);
  } else {
    Report(Rule::kTrace004, window_.position(), kChunkHeaderSize + uint64_t{header.stored_size},
           fmt::format("a chunk of type {}, which this version does not know, is skipped",
                       header.type));
  }
  Consume(header);
  if (!now_.is_ended) return false;
  if (!window_.Peek(1).empty()) {
    now_.trailing_begin = window_.position();
  } else if (!window_.status().ok()) {
    SettleAtEnd(0);
  }
  return false;
}

// True when the size in the header of the chunk is confirmed: the file ends after it, or what continues the numbering follows.
bool ChunkReader::IsFramed(const ChunkHeader& header) {
  const size_t size = kChunkHeaderSize + size_t{header.stored_size};
  const Bytes next = window_.Peek(size + kFileHeaderSize + kChunkHeaderSize).subspan(size);
  const std::optional<ChunkHeader> follower = ParseHeader(next);
  return next.empty() || IsSessionStart(next) ||
         (follower && follower->first_event >= header.first_event + header.event_count);
}

// A chunk whose data are not those that were hashed: changed by another thread while they were recorded, cut short, or damaged.
bool ChunkReader::HandleWrongHash(const ChunkHeader& header, Bytes stored, EventChunk& chunk) {
  const bool is_framed = IsFramed(header);
  stored = window_.Peek(kChunkHeaderSize + size_t{header.stored_size}).subspan(kChunkHeaderSize);
  const bool is_next =
      IsType(header, ChunkType::kEvents) && header.first_event >= now_.expected_event;
  Bytes raw;
  if (is_framed && is_next && Decompress(header, stored, raw) && Decodes(header, raw)) {
    Report(Rule::kTrace015, window_.position(), kChunkHeaderSize + uint64_t{header.stored_size},
           fmt::format("the checksum of a chunk is wrong; what decodes is read: {}",
                       Counted(header.event_count, "event")));
    return HandleEvents(header, stored, chunk);
  }
  const bool is_raw = is_next && IsCompressedBy(header, Compression::kNone);
  if (!is_framed && is_raw && window_.position() >= now_.suspect_end &&
      !HasHeaderFor(stored, header.first_event + header.event_count)) {
    // The header of another container may reach past the end that this chunk announces.
    const Bytes more = window_.Peek(2 * kChunkHeaderSize + kFileHeaderSize + stored.size());
    const std::optional<size_t> cut = FindSession(more.subspan(kChunkHeaderSize));
    if (cut && *cut < header.stored_size)
      return DeliverCut(header, more.subspan(kChunkHeaderSize, *cut), header.event_count, chunk);
    if (EndsInZeros(stored)) {
      stored =
          window_.Peek(kChunkHeaderSize + size_t{header.stored_size}).subspan(kChunkHeaderSize);
      const auto last =
          std::find_if(stored.rbegin(), stored.rend(), [](uint8_t b) { return b != 0; });
      const Bytes written = stored.first(static_cast<size_t>(stored.rend() - last));
      return DeliverCut(header, written, CountDecodable(written, header.event_count), chunk);
    }
  }
  PassDamagedData(header, is_framed);
  return false;
}

// The events at the start of `raw` whose payloads are the canonical encoding of a known kind, at most `limit`.
uint32_t ChunkReader::CountDecodable(Bytes raw, uint32_t limit) {
  const uint64_t memory_left = max_memory_ - std::min(max_memory_, memory_in_use());
  const WholeEvents whole = CountWholeEvents(raw, limit);
  Event event;
  for (uint32_t i = 0; i < whole.count; ++i) {
    const uint32_t size = LoadU32(&raw[4]);
    DecodePayload(LoadU16(&raw[0]), LoadU16(&raw[2]), raw.subspan(kEventHeaderSize, size), event,
                  memory_left);
    if (std::holds_alternative<Unknown>(event)) return i;
    raw = raw.subspan(kEventHeaderSize + size_t{size});
  }
  return whole.count;
}

bool ChunkReader::Decodes(const ChunkHeader& header, Bytes raw) {
  const WholeEvents whole = CountWholeEvents(raw, header.event_count);
  return whole.count == header.event_count && whole.size == raw.size() &&
         CountDecodable(raw, header.event_count) == header.event_count;
}

// The data of a chunk up to the place where another container starts, or where nothing but zeros follows.
bool ChunkReader::DeliverCut(const ChunkHeader& header, Bytes stored, uint32_t count_limit,
                             EventChunk& chunk) {
  const uint64_t offset = window_.position();
  const WholeEvents whole = CountWholeEvents(stored, count_limit);
  now_.expected_event = header.first_event + whole.count;
  ReportTruncated(offset, kChunkHeaderSize + uint64_t{stored.size()},
                  fmt::format("a chunk was not written to its end: {} of {} and {} of {} are there",
                              whole.count, Counted(header.event_count, "event"), stored.size(),
                              Counted(header.stored_size, "byte")));
  now_.is_cut = true;
  chunk = {offset, header.first_event, whole.count, std::exchange(now_.starts_session, false),
           stored};
  window_.Skip(kChunkHeaderSize + uint64_t{stored.size()});
  return whole.count != 0;
}

bool ChunkReader::HandleEvents(const ChunkHeader& header, Bytes stored, EventChunk& chunk) {
  const uint64_t offset = window_.position();
  const uint64_t length = kChunkHeaderSize + uint64_t{header.stored_size};
  if (header.first_event < now_.expected_event) {
    Report(Rule::kTrace012, offset, length,
           fmt::format("a chunk starts at event {}, expected {}; it is not read again",
                       header.first_event, now_.expected_event));
    Consume(header);
    return false;
  }
  now_.expected_event = header.first_event + header.event_count;
  Bytes raw;
  if (!Decompress(header, stored, raw)) {
    Report(Rule::kTrace012, offset, length,
           fmt::format("the data of a chunk are not {} in compression {}; events {} to {} are lost",
                       Counted(header.raw_size, "byte"), header.compression, header.first_event,
                       now_.expected_event - 1));
    Consume(header);
    return false;
  }
  const WholeEvents whole = CountWholeEvents(raw, header.event_count);
  if (whole.count != header.event_count || whole.size != raw.size()) {
    Report(Rule::kTrace012, offset, length,
           fmt::format("a chunk announces {} in {}; it holds {} in {}",
                       Counted(header.event_count, "event"), Counted(raw.size(), "byte"),
                       Counted(whole.count, "event"), Counted(whole.size, "byte")));
  }
  chunk = {offset, header.first_event, whole.count, std::exchange(now_.starts_session, false), raw};
  Consume(header);
  return whole.count != 0;
}

void ChunkReader::HandleFooter(Bytes payload) {
  now_.is_ended = true;
  const std::optional<Footer> footer = ParseFooter(payload);
  const uint64_t end = window_.position() + kFooterSize;
  if (footer && now_.index_seen &&
      footer->index_offset == now_.index_offset - now_.session_offset &&
      footer->file_size == end - now_.session_offset)
    return;
  if (now_.is_incomplete || now_.index_damaged) return;  // already said
  Report(Rule::kTrace009, window_.position(), kFooterSize,
         "the footer does not fit the file; no event is lost");
}

// The end of the file comes before the end of the chunk.
bool ChunkReader::HandleCut(const ChunkHeader& header, Bytes stored, EventChunk& chunk) {
  const uint64_t offset = window_.position();
  const uint64_t event_end = header.first_event + header.event_count;
  if (offset >= now_.suspect_end && HasHeaderFor(stored, event_end)) {
    PassDamagedData(header, false);
    return false;
  }
  if (offset >= now_.suspect_end && IsType(header, ChunkType::kEvents) &&
      IsCompressedBy(header, Compression::kNone) && header.first_event >= now_.expected_event) {
    if (const std::optional<size_t> cut = FindSession(stored))
      return DeliverCut(header, stored.first(*cut), header.event_count, chunk);
  }
  now_.is_ended = true;
  const uint64_t length = kChunkHeaderSize + stored.size();
  if (!window_.status().ok()) SettleAtEnd(0);
  if (!IsType(header, ChunkType::kEvents) || header.first_event < now_.expected_event) {
    ReportTruncated(offset, length, "the file ends inside its index or footer; no event is lost");
    window_.Skip(length);
    return false;
  }
  Bytes raw = stored;
  if (IsCompressedBy(header, Compression::kRuns)) {
    const std::span<uint8_t> buffer = RawBuffer(header.raw_size);
    raw = buffer.first(DecompressRuns(stored, buffer));
  } else if (IsCompressedBy(header, Compression::kZstd)) {
    const std::span<uint8_t> buffer = RawBuffer(header.raw_size);
    const uint64_t left = max_memory_ - std::min(max_memory_, memory_in_use());
    raw = buffer.first(decompressor_.DecompressCut(stored, buffer, left));
  } else if (!IsCompressedBy(header, Compression::kNone)) {
    raw = {};
  }
  const WholeEvents whole = CountWholeEvents(raw, header.event_count);
  now_.expected_event = header.first_event + whole.count;
  ReportTruncated(offset, length,
                  fmt::format("the file ends inside a chunk: {} of {} and {} of {} are there",
                              whole.count, Counted(header.event_count, "event"), stored.size(),
                              Counted(header.stored_size, "byte")));
  chunk = {offset, header.first_event, whole.count, std::exchange(now_.starts_session, false), raw};
  window_.Skip(length);
  return whole.count != 0;
}

bool ChunkReader::Decompress(const ChunkHeader& header, Bytes stored, Bytes& raw) {
  if (IsCompressedBy(header, Compression::kNone)) {
    raw = stored;
    return header.raw_size == header.stored_size;
  }
  if (!IsCompressed(header)) return false;
  const std::span<uint8_t> buffer = RawBuffer(header.raw_size);
  raw = buffer;
  return IsCompressedBy(header, Compression::kRuns)
             ? DecompressRuns(stored, buffer) == buffer.size()
             : decompressor_.Decompress(stored, buffer);
}

// True when the chunk fits into the memory limit; frees buffers that leave too little for it.
bool ChunkReader::FitsMemory(const ChunkHeader& header) {
  const uint64_t window_need =
      window_.owns_memory() ? uint64_t{header.stored_size} + 4 * kChunkHeaderSize : 0;
  const uint64_t raw_need = IsCompressed(header) ? header.raw_size : 0;
  if (window_need + raw_need > max_memory_) return false;
  const uint64_t window_will = std::max<uint64_t>(window_.capacity(), window_need);
  const uint64_t raw_will = std::max<uint64_t>(raw_capacity_, raw_need);
  if (window_will + raw_will > max_memory_) {
    raw_.reset();
    raw_capacity_ = 0;
    window_.ShrinkTo(static_cast<size_t>(window_need));
  }
  return true;
}

std::span<uint8_t> ChunkReader::RawBuffer(size_t size) {
  if (raw_capacity_ < size) {
    raw_.reset();
    raw_ = std::make_unique_for_overwrite<uint8_t[]>(size);
    raw_capacity_ = size;
  }
  return {raw_.get(), size};
}

void ChunkReader::Consume(const ChunkHeader& header) {
  window_.Skip(kChunkHeaderSize + uint64_t{header.stored_size});
}

bool ChunkReader::Restart(uint64_t offset, uint64_t first_event) {
  Progress progress;
  progress.expected_event = first_event;
  return RestartWith(offset, std::move(progress));
}

bool ChunkReader::RestartAtStart() {
  return RestartWith(opened_position_, opened_);
}

// What was found out about the whole trace stays.
bool ChunkReader::RestartWith(uint64_t offset, Progress progress) {
  if (!window_.Seek(offset)) return false;
  progress.is_truncated = now_.is_truncated;
  progress.is_incomplete = now_.is_incomplete;
  now_ = std::move(progress);
  return true;
}

std::optional<TraceIndex> ChunkReader::LoadIndex() {
  const uint64_t size = window_.size();
  if (!window_.seekable() || size < kFileHeaderSize + kChunkHeaderSize + kFooterSize)
    return std::nullopt;
  const auto tail = window_.ReadAt(size - kFooterSize, kFooterSize);
  if (!tail) return std::nullopt;
  const std::optional<ChunkHeader> footer_header = ParseChunkHeader(*tail);
  const Bytes payload = Bytes(*tail).subspan(kChunkHeaderSize);
  if (!footer_header || !IsType(*footer_header, ChunkType::kFooter) ||
      Xxh3_64(payload) != footer_header->data_hash)
    return std::nullopt;
  const std::optional<Footer> footer = ParseFooter(payload);
  const uint64_t memory_left = max_memory_ - std::min(max_memory_, memory_in_use());
  if (!footer || footer->index_size < kChunkHeaderSize || footer->index_size > memory_left / 2)
    return std::nullopt;
  if (footer->file_size != size) return std::nullopt;  // containers were appended to each other
  const auto chunk = window_.ReadAt(footer->index_offset, static_cast<size_t>(footer->index_size));
  if (!chunk) return std::nullopt;
  const std::optional<ChunkHeader> header = ParseChunkHeader(*chunk);
  const Bytes contents = Bytes(*chunk).subspan(kChunkHeaderSize);
  if (!header || !IsType(*header, ChunkType::kIndex) || Xxh3_64(contents) != header->data_hash)
    return std::nullopt;
  std::optional<TraceIndex> index = ParseIndex(contents);
  if (index && index->chunks.empty()) return std::nullopt;  // the writer kept none
  if (!index || index->event_count != footer->event_count) {
    Report(Rule::kTrace009, footer->index_offset, footer->index_size,
           "the index contradicts itself; it is not used");
    return std::nullopt;
  }
  return index;
}

bool ChunkReader::Confirms(const IndexedChunk& entry) {
  const auto bytes = window_.ReadAt(entry.offset, kChunkHeaderSize);
  const std::optional<ChunkHeader> header = bytes ? ParseChunkHeader(*bytes) : std::nullopt;
  return header && IsType(*header, ChunkType::kEvents) &&
         header->first_event == entry.first_event && header->event_count == entry.event_count;
}

void ChunkReader::Report(Rule rule, uint64_t offset, uint64_t length, std::string message) {
  Diagnostic diagnostic = MakeDiagnostic(rule, std::move(message));
  diagnostic.offset = offset;
  diagnostic.length = length;
  now_.is_incomplete |= diagnostic.severity == Severity::kError;
  log_->Add(std::move(diagnostic), offset);
}

}  // namespace dp2trace::trace
