#include "trace/container.h"

#include <doctest/doctest.h>

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("File header: bytes as the format page has them") {
  std::array<uint8_t, kFileHeaderSize> bytes{};
  EncodeFileHeader({1, 0}, bytes);
  CHECK(ToHex(bytes) == "894432540d0a1a0a0100000000000000");
  CHECK(ParseFileHeader(bytes) == Version{1, 0});
  CHECK_FALSE(ParseFileHeader(Bytes(bytes).first(15)).has_value());
  bytes[0] = 0x88;
  CHECK_FALSE(ParseFileHeader(bytes).has_value());
}

TEST_CASE("Chunk header: fields stand where the format page has them, and read back") {
  ChunkHeader header;
  header.type = 1;
  header.compression = 1;
  header.event_count = 0x01020304;
  header.first_event = 0x1112131415161718;
  header.raw_size = 0x21222324;
  header.stored_size = 0x31323334;
  header.data_hash = 0x4142434445464748;
  std::array<uint8_t, kChunkHeaderSize> bytes{};
  EncodeChunkHeader(header, bytes);
  CHECK(ToHex(Bytes(bytes).first(40)) ==
        "fe9cd2c8a7ffb1e5"
        "01010000"
        "04030201"
        "1817161514131211"
        "24232221"
        "34333231"
        "4847464544434241");
  CHECK(ParseChunkHeader(bytes) == header);
}

TEST_CASE("Chunk header: no single wrong bit and no missing byte passes") {
  std::array<uint8_t, kChunkHeaderSize> bytes{};
  EncodeChunkHeader({1, 0, 3, 0, 100, 100, 7}, bytes);
  for (size_t bit = 0; bit < 8 * kChunkHeaderSize; ++bit) {
    bytes[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    CHECK_FALSE(ParseChunkHeader(bytes).has_value());
    bytes[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
  }
  CHECK_FALSE(ParseChunkHeader(Bytes(bytes).first(47)).has_value());
}

TEST_CASE("Footer: reads back; another size is not a footer") {
  const Footer footer = {1, 2, 3, 4, 5, 6};
  const auto bytes = EncodeFooter(footer);
  CHECK(ParseFooter(bytes) == footer);
  CHECK_FALSE(ParseFooter(Bytes(bytes).first(47)).has_value());
}
