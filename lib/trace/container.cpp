#include "trace/container.h"

#include <algorithm>

#include "base/hash.h"

namespace dp2trace::trace {
namespace {

constexpr size_t kHashedHeaderSize = kChunkHeaderSize - 8;

}  // namespace

void EncodeFileHeader(Version version, std::span<uint8_t, kFileHeaderSize> out) {
  std::ranges::copy(kMagic, out.begin());
  Store<uint16_t>(&out[8], version.major);
  Store<uint16_t>(&out[10], version.minor);
  Store<uint32_t>(&out[12], 0);
}

std::optional<Version> ParseFileHeader(Bytes bytes) {
  if (bytes.size() < kFileHeaderSize || !std::ranges::equal(bytes.first(kMagic.size()), kMagic))
    return std::nullopt;
  return Version{LoadU16(&bytes[8]), LoadU16(&bytes[10])};
}

void EncodeChunkHeader(const ChunkHeader& header, std::span<uint8_t, kChunkHeaderSize> out) {
  std::ranges::copy(kSyncMarker, out.begin());
  out[8] = header.type;
  out[9] = header.compression;
  Store<uint16_t>(&out[10], 0);
  Store(&out[12], header.event_count);
  Store(&out[16], header.first_event);
  Store(&out[24], header.raw_size);
  Store(&out[28], header.stored_size);
  Store(&out[32], header.data_hash);
  Store(&out[40], Xxh3_64(out.first(kHashedHeaderSize)));
}

std::optional<ChunkHeader> ParseChunkHeader(Bytes bytes) {
  if (bytes.size() < kChunkHeaderSize ||
      !std::ranges::equal(bytes.first(kSyncMarker.size()), kSyncMarker))
    return std::nullopt;
  if (LoadU64(&bytes[40]) != Xxh3_64(bytes.first(kHashedHeaderSize))) return std::nullopt;
  ChunkHeader header;
  header.type = bytes[8];
  header.compression = bytes[9];
  header.event_count = LoadU32(&bytes[12]);
  header.first_event = LoadU64(&bytes[16]);
  header.raw_size = LoadU32(&bytes[24]);
  header.stored_size = LoadU32(&bytes[28]);
  header.data_hash = LoadU64(&bytes[32]);
  return header;
}

bool IsSessionStart(Bytes bytes) {
  const std::optional<Version> version = ParseFileHeader(bytes);
  if (!version || version->major > kMajorVersion) return false;
  const Bytes rest = bytes.subspan(kFileHeaderSize);
  if (rest.size() < kChunkHeaderSize) {
    return std::ranges::equal(
        rest.first(std::min(rest.size(), kSyncMarker.size())),
        std::span(kSyncMarker).first(std::min(rest.size(), kSyncMarker.size())));
  }
  const std::optional<ChunkHeader> header = ParseChunkHeader(rest);
  return header && header->type == static_cast<uint8_t>(ChunkType::kEvents) &&
         header->first_event == 0;
}

std::array<uint8_t, kFooterPayloadSize> EncodeFooter(const Footer& footer) {
  const uint64_t words[] = {footer.index_offset, footer.index_size,  footer.event_count,
                            footer.frame_count,  footer.chunk_count, footer.file_size};
  static_assert(sizeof words == kFooterPayloadSize);
  std::array<uint8_t, kFooterPayloadSize> out{};
  std::memcpy(out.data(), words, sizeof words);
  return out;
}

std::optional<Footer> ParseFooter(Bytes bytes) {
  if (bytes.size() != kFooterPayloadSize) return std::nullopt;
  ByteReader reader(bytes);
  Footer footer;
  for (uint64_t* word : {&footer.index_offset, &footer.index_size, &footer.event_count,
                         &footer.frame_count, &footer.chunk_count, &footer.file_size}) {
    *word = reader.Read<uint64_t>();
  }
  return footer;
}

}  // namespace dp2trace::trace
