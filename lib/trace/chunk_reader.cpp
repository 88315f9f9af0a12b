#include "trace/chunk_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "rules/rule.h"
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

Status ChunkReader::Open() {
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
    return RefuseForeign(start);
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

bool ChunkReader::Next(EventChunk& chunk) {
  while (!ended_) {
    const Bytes bytes = window_.Peek(kChunkHeaderSize);
    if (const std::optional<ChunkHeader> header = ParseChunkHeader(bytes)) {
      if (HandleChunk(*header, chunk)) return true;
    } else if (bytes.size() < kChunkHeaderSize) {
      SettleAtEnd(bytes.size());
    } else {
      BeginDamage("no valid chunk header");
      window_.Skip(1);
      FindHeader(0, 0);
    }
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
            "a chunk of {} bytes ({} in the file) needs more memory than --max-memory allows ({} bytes); its {} events are lost",
            header.raw_size, header.stored_size, max_memory_, header.event_count));
    expected_event_ = header.first_event + header.event_count;
    Consume(header);
    return false;
  }
  const Bytes stored =
      window_.Peek(kChunkHeaderSize + size_t{header.stored_size}).subspan(kChunkHeaderSize);
  if (stored.size() < header.stored_size) return HandleCut(header, stored, chunk);
  if (Xxh3_64(stored) != header.data_hash) {
    const Bytes more = window_.Peek(2 * kChunkHeaderSize + size_t{header.stored_size});
    const Bytes next = more.subspan(kChunkHeaderSize + size_t{header.stored_size});
    PassDamagedData(header, next.empty() || ParseChunkHeader(next));
    return false;
  }
  if (IsType(header, ChunkType::kEvents)) return HandleEvents(header, stored, chunk);
  if (IsType(header, ChunkType::kIndex)) {
    index_seen_ = true;
    index_offset_ = window_.position();
  } else if (IsType(header, ChunkType::kFooter)) {
    HandleFooter(stored);
  } else {
    Report(Rule::kTrace004, window_.position(), kChunkHeaderSize + uint64_t{header.stored_size},
           fmt::format("a chunk of type {}, which this version does not know, is skipped",
                       header.type));
  }
  Consume(header);
  if (ended_ && !window_.Peek(1).empty())
    Report(Rule::kTrace013, window_.position(), 0, "bytes follow the footer; they are not read");
  return false;
}

bool ChunkReader::HandleEvents(const ChunkHeader& header, Bytes stored, EventChunk& chunk) {
  const uint64_t offset = window_.position();
  const uint64_t length = kChunkHeaderSize + uint64_t{header.stored_size};
  if (header.first_event < expected_event_) {
    Report(Rule::kTrace012, offset, length,
           fmt::format("a chunk starts at event {}, {} is expected; it is not read again",
                       header.first_event, expected_event_));
    Consume(header);
    return false;
  }
  expected_event_ = header.first_event + header.event_count;
  Bytes raw;
  if (!Decompress(header, stored, raw)) {
    Report(Rule::kTrace012, offset, length,
           fmt::format(
               "the data of a chunk are not {} bytes in compression {}; events {} to {} are lost",
               header.raw_size, header.compression, header.first_event, expected_event_ - 1));
    Consume(header);
    return false;
  }
  const WholeEvents whole = CountWholeEvents(raw, header.event_count);
  if (whole.count != header.event_count || whole.size != raw.size()) {
    Report(Rule::kTrace012, offset, length,
           fmt::format("a chunk announces {} events in {} bytes; it holds {} events in {} bytes",
                       header.event_count, raw.size(), whole.count, whole.size));
  }
  chunk = {offset, header.first_event, whole.count, raw};
  Consume(header);
  return whole.count != 0;
}

void ChunkReader::HandleFooter(Bytes payload) {
  ended_ = true;
  const std::optional<Footer> footer = ParseFooter(payload);
  const uint64_t end = window_.position() + kFooterSize;
  if (footer && index_seen_ && footer->index_offset == index_offset_ && footer->file_size == end)
    return;
  if (incomplete_ || index_damaged_) return;  // already said
  Report(Rule::kTrace009, window_.position(), kFooterSize,
         "the footer does not fit the file; no event is lost");
}

// The end of the file comes before the end of the chunk.
bool ChunkReader::HandleCut(const ChunkHeader& header, Bytes stored, EventChunk& chunk) {
  const uint64_t offset = window_.position();
  const uint64_t event_end = header.first_event + header.event_count;
  if (offset >= suspect_end_ && HasHeaderFor(stored, event_end)) {
    PassDamagedData(header, false);
    return false;
  }
  ended_ = true;
  const uint64_t length = kChunkHeaderSize + stored.size();
  if (!window_.status().ok()) SettleAtEnd(0);
  if (!IsType(header, ChunkType::kEvents) || header.first_event < expected_event_) {
    ReportTruncated(offset, length, "the file ends inside its index or footer; no event is lost");
    window_.Skip(length);
    return false;
  }
  Bytes raw = stored;
  if (IsCompressedBy(header, Compression::kZstd)) {
    const std::span<uint8_t> buffer = RawBuffer(header.raw_size);
    const uint64_t left = max_memory_ - std::min(max_memory_, memory_in_use());
    raw = buffer.first(decompressor_.DecompressCut(stored, buffer, left));
  } else if (!IsCompressedBy(header, Compression::kNone)) {
    raw = {};
  }
  const WholeEvents whole = CountWholeEvents(raw, header.event_count);
  expected_event_ = header.first_event + whole.count;
  ReportTruncated(
      offset, length,
      fmt::format(
          "the file ends inside a chunk: {} of its {} events are whole, {} of {} bytes are there",
          whole.count, header.event_count, stored.size(), header.stored_size));
  chunk = {offset, header.first_event, whole.count, raw};
  window_.Skip(length);
  return whole.count != 0;
}

bool ChunkReader::Decompress(const ChunkHeader& header, Bytes stored, Bytes& raw) {
  if (IsCompressedBy(header, Compression::kNone)) {
    raw = stored;
    return header.raw_size == header.stored_size;
  }
  if (!IsCompressedBy(header, Compression::kZstd)) return false;
  const std::span<uint8_t> buffer = RawBuffer(header.raw_size);
  raw = buffer;
  return decompressor_.Decompress(stored, buffer);
}

// True when the chunk fits into the memory limit; frees buffers that leave too little for it.
bool ChunkReader::FitsMemory(const ChunkHeader& header) {
  const uint64_t window_need =
      window_.owns_memory() ? uint64_t{header.stored_size} + 4 * kChunkHeaderSize : 0;
  const uint64_t raw_need = IsCompressedBy(header, Compression::kZstd) ? header.raw_size : 0;
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
  if (!window_.Seek(offset)) return false;
  expected_event_ = first_event;
  damage_.reset();
  suspect_end_ = 0;
  index_seen_ = false;
  index_damaged_ = false;
  ended_ = false;
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
  const auto chunk = window_.ReadAt(footer->index_offset, static_cast<size_t>(footer->index_size));
  if (!chunk) return std::nullopt;
  const std::optional<ChunkHeader> header = ParseChunkHeader(*chunk);
  const Bytes contents = Bytes(*chunk).subspan(kChunkHeaderSize);
  if (!header || !IsType(*header, ChunkType::kIndex) || Xxh3_64(contents) != header->data_hash)
    return std::nullopt;
  std::optional<TraceIndex> index = ParseIndex(contents);
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
  incomplete_ |= diagnostic.severity == Severity::kError;
  log_->Add(std::move(diagnostic), offset);
}

}  // namespace dp2trace::trace
