#include "trace/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/hash.h"
#include "base/plain_text.h"
#include "rules/rule.h"
#include "trace/compression.h"

namespace dp2trace::trace {
namespace {

constexpr uint64_t kMaxPayload = std::numeric_limits<uint32_t>::max() - kEventHeaderSize;

}  // namespace

Writer::Writer(Sink sink, const WriterOptions& options)
    : sink_(std::move(sink)), options_(options) {
  options_.chunk_size = std::clamp(options_.chunk_size, kMinChunkSize, kMaxChunkSize);
  if (options_.compression == Compression::kZstd)
    compressor_ = std::make_unique<Compressor>(options_.level);
}

Writer::Writer(OutputFile& file, const WriterOptions& options)
    : Writer([&file](Bytes bytes) { return file.Write(bytes); }, options) {}

Writer::~Writer() = default;
Writer::Writer(Writer&&) noexcept = default;
Writer& Writer::operator=(Writer&&) noexcept = default;

Status Writer::Put(Bytes bytes) {
  if (failure_.ok()) failure_ = sink_(bytes);
  if (failure_.ok()) position_ += bytes.size();
  return failure_;
}

Status Writer::WriteFileHeader() {
  if (position_ != 0) return failure_;
  std::array<uint8_t, kFileHeaderSize> header{};
  EncodeFileHeader(Version{}, header);
  return Put(header);
}

Status Writer::AddRaw(uint16_t kind, uint16_t flags, Bytes payload) {
  DP2TRACE_RETURN_IF_ERROR(failure_);
  if (payload.size() > kMaxPayload) {
    failure_ = Status(MakeDiagnostic(
        Rule::kTrace014, fmt::format("event {} has {}, at most {} fit into a chunk", event_count_,
                                     Counted(payload.size(), "byte"), kMaxPayload)));
    return failure_;
  }
  const uint64_t size = kEventHeaderSize + payload.size();
  if (!chunk_.empty() && chunk_.size() + size > options_.chunk_size)
    DP2TRACE_RETURN_IF_ERROR(Flush());
  ByteWriter writer(chunk_);
  writer.Write(kind);
  writer.Write(flags);
  writer.Write(static_cast<uint32_t>(payload.size()));
  writer.WriteBytes(payload);
  RecordFrame(kind, flags, payload);
  ++event_count_;
  return chunk_.size() >= options_.chunk_size ? Flush() : OkStatus();
}

// A frame ends where a reader will find a Present, so a payload that does not decode ends none.
void Writer::RecordFrame(uint16_t kind, uint16_t flags, Bytes payload) {
  if (kind != static_cast<uint16_t>(EventKind::kPresent)) return;
  Event event;
  DecodePayload(kind, flags, payload, event);
  if (std::holds_alternative<Present>(event)) index_.frames.push_back(event_count_);
}

Status Writer::Flush() {
  DP2TRACE_RETURN_IF_ERROR(WriteFileHeader());
  if (chunk_.empty()) return OkStatus();
  ChunkHeader header;
  header.type = static_cast<uint8_t>(ChunkType::kEvents);
  header.event_count = static_cast<uint32_t>(event_count_ - chunk_first_event_);
  header.first_event = chunk_first_event_;
  header.raw_size = static_cast<uint32_t>(chunk_.size());
  index_.chunks.push_back({position_, header.first_event, header.event_count, header.raw_size});
  DP2TRACE_RETURN_IF_ERROR(PutChunk(header, chunk_));
  chunk_.clear();
  chunk_first_event_ = event_count_;
  return OkStatus();
}

// Completes the header and writes the chunk in one piece.
Status Writer::PutChunk(ChunkHeader header, Bytes raw) {
  output_.assign(kChunkHeaderSize, 0);
  if (compressor_ && compressor_->Compress(raw, output_)) {
    header.compression = static_cast<uint8_t>(Compression::kZstd);
  } else {
    output_.insert(output_.end(), raw.begin(), raw.end());
  }
  const Bytes stored = Bytes(output_).subspan(kChunkHeaderSize);
  header.stored_size = static_cast<uint32_t>(stored.size());
  header.data_hash = Xxh3_64(stored);
  EncodeChunkHeader(header, std::span(output_).first<kChunkHeaderSize>());
  return Put(output_);
}

// A file that ends after a whole chunk would be a whole trace.
Status Writer::FinishCut() {
  DP2TRACE_RETURN_IF_ERROR(Flush());
  return Put(kSyncMarker);
}

Status Writer::Finish() {
  DP2TRACE_RETURN_IF_ERROR(Flush());
  index_.event_count = event_count_;
  compressor_.reset();  // index and footer are stored as they are: found and read without zstd
  const std::vector<uint8_t> contents = EncodeIndex(index_);
  ChunkHeader header;
  header.type = static_cast<uint8_t>(ChunkType::kIndex);
  header.first_event = event_count_;
  header.raw_size = static_cast<uint32_t>(contents.size());
  Footer footer;
  footer.index_offset = position_;
  DP2TRACE_RETURN_IF_ERROR(PutChunk(header, contents));
  footer.index_size = position_ - footer.index_offset;
  footer.event_count = event_count_;
  footer.frame_count = index_.frames.size();
  footer.chunk_count = index_.chunks.size();
  footer.file_size = position_ + kFooterSize;
  header.type = static_cast<uint8_t>(ChunkType::kFooter);
  header.raw_size = kFooterPayloadSize;
  return PutChunk(header, EncodeFooter(footer));
}

}  // namespace dp2trace::trace
