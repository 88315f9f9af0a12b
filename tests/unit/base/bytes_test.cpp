#include "base/bytes.h"

#include <doctest/doctest.h>

#include "base/checked.h"
#include "base/hash.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("ByteReader: reads little-endian values from any address") {
  const uint8_t data[] = {0xFF, 0x78, 0x56, 0x34, 0x12, 0x01};
  ByteReader reader{Bytes(data)};
  CHECK(reader.Read<uint8_t>() == 0xFF);
  CHECK(reader.Read<uint32_t>() == 0x12345678);
  CHECK(reader.remaining() == 1);
  CHECK_FALSE(reader.failed());
}

TEST_CASE("ByteReader: reading past the end fails and keeps the offset") {
  const uint8_t data[] = {1, 2, 3};
  ByteReader reader{Bytes(data)};
  CHECK(reader.Read<uint32_t>() == 0);
  CHECK(reader.failed());
  CHECK(reader.offset() == 0);
  CHECK(reader.ReadBytes(4).empty());
  CHECK(reader.ReadBytes(3).size() == 3);
}

TEST_CASE("ByteWriter: what it writes reads back") {
  std::vector<uint8_t> out;
  ByteWriter writer(out);
  writer.Write<uint16_t>(0xABCD);
  writer.WriteZeros(2);
  writer.WriteBytes(Bytes(out.data(), 0));
  CHECK(ToHex(out) == "cdab0000");
}

TEST_CASE("Hex: text and bytes are inverse; odd lengths and foreign characters fail") {
  std::vector<uint8_t> bytes;
  CHECK(ParseHex("00fF7a", bytes));
  CHECK(ToHex(bytes) == "00ff7a");
  CHECK_FALSE(ParseHex("0", bytes));
  CHECK_FALSE(ParseHex("0g", bytes));
}

TEST_CASE("Checked arithmetic: overflow gives nothing") {
  CHECK(CheckedAdd(1, 2) == 3);
  CHECK(CheckedMul(1ull << 32, 1ull << 31) == 1ull << 63);
  CHECK_FALSE(CheckedAdd(~0ull, 1).has_value());
  CHECK_FALSE(CheckedMul(1ull << 32, 1ull << 32).has_value());
}

TEST_CASE("XXH3: the published hashes of the empty input") {
  CHECK(Xxh3_64({}) == 0x2D06800538D394C2ull);
  CHECK(Xxh3_128({}) == "99aa06d3014798d86001c324468d497f");
}
