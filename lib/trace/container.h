// The fixed structures of the binary container: file header, chunk header, footer. Source: traces/README.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"

namespace dp2trace::trace {

// "\x89D2T\r\n\x1a\n": not text, and broken by every transfer that rewrites line ends or drops the high bit.
inline constexpr std::array<uint8_t, 8> kMagic = {0x89, 0x44, 0x32, 0x54, 0x0D, 0x0A, 0x1A, 0x0A};
// Starts every chunk header. FE and FF occur in no UTF-8 text.
inline constexpr std::array<uint8_t, 8> kSyncMarker = {0xFE, 0x9C, 0xD2, 0xC8,
                                                       0xA7, 0xFF, 0xB1, 0xE5};

inline constexpr uint16_t kMajorVersion = 1;
inline constexpr uint16_t kMinorVersion = 0;

inline constexpr size_t kFileHeaderSize = 16;
inline constexpr size_t kChunkHeaderSize = 48;
inline constexpr size_t kEventHeaderSize = 8;
inline constexpr size_t kFooterPayloadSize = 48;
inline constexpr size_t kFooterSize = kChunkHeaderSize + kFooterPayloadSize;

inline constexpr uint32_t kMinChunkSize = 64 * 1024;
inline constexpr uint32_t kMaxChunkSize = 4 * 1024 * 1024;

struct Version {
  uint16_t major = kMajorVersion;
  uint16_t minor = kMinorVersion;
  bool operator==(const Version&) const = default;
};

enum class ChunkType : uint8_t { kEvents = 1, kIndex = 2, kFooter = 3 };
// kRuns: equal words as one, only by recorders (DecompressRuns).
enum class Compression : uint8_t { kNone = 0, kZstd = 1, kRuns = 2 };

// 48 bytes: sync marker, the fields below in this order (u16 reserved after compression), XXH3-64 of the 40 bytes before it.
struct ChunkHeader {
  uint8_t type = 0;
  uint8_t compression = 0;
  uint32_t event_count = 0;
  uint64_t first_event = 0;  // index and footer: the number of events in the file
  uint32_t raw_size = 0;     // bytes after decompression
  uint32_t stored_size = 0;  // bytes in the file
  uint64_t data_hash = 0;    // XXH3-64 of the stored bytes
  bool operator==(const ChunkHeader&) const = default;
};

// The last 48 bytes of a complete file, six u64.
struct Footer {
  uint64_t index_offset = 0;  // of the index chunk's header
  uint64_t index_size = 0;    // bytes, header included
  uint64_t event_count = 0;
  uint64_t frame_count = 0;
  uint64_t chunk_count = 0;  // of events
  uint64_t file_size = 0;    // bytes, this footer included
  bool operator==(const Footer&) const = default;
};

void EncodeFileHeader(Version version, std::span<uint8_t, kFileHeaderSize> out);
// Nothing when the magic differs. Reserved bytes are not looked at.
std::optional<Version> ParseFileHeader(Bytes bytes);

// True for a file header and the first chunk of events after it, or for as much of them as `bytes` (the rest of the input) holds where
// that is at least the whole file header.
bool IsSessionStart(Bytes bytes);

void EncodeChunkHeader(const ChunkHeader& header, std::span<uint8_t, kChunkHeaderSize> out);
// Nothing when the bytes are too few, do not start with the sync marker or fail the hash.
std::optional<ChunkHeader> ParseChunkHeader(Bytes bytes);

std::array<uint8_t, kFooterPayloadSize> EncodeFooter(const Footer& footer);
// Nothing when the size is wrong.
std::optional<Footer> ParseFooter(Bytes bytes);

}  // namespace dp2trace::trace
