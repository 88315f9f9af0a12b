#include "scrub/scrub_texels.h"

#include <doctest/doctest.h>

#include <bit>
#include <set>
#include <vector>

#include "base/bytes.h"
#include "image/decoder.h"
#include "support/random.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using d3d::Format;
using scrub::TexelRows;

namespace {

const d3d::FormatInfo& Info(Format format) {
  return *d3d::FindFormat(format);
}

std::vector<uint8_t> Scrubbed(Format format, std::vector<uint8_t> bytes, const TexelRows& rows = {},
                              std::vector<d3d::ColorKey> keys = {}) {
  scrub::ScrubTexels(Info(format), keys, rows, scrub::Noise(3, 0), bytes);
  return bytes;
}

std::vector<uint8_t> RandomBytes(size_t size, uint64_t seed) {
  testing::Random random(seed);
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes)
    byte = random.Byte();
  return bytes;
}

float AlphaAt(const d3d::FormatInfo& info, const std::vector<uint8_t>& blocks, uint32_t x,
              uint32_t y) {
  const auto count = static_cast<uint32_t>(blocks.size() / info.block_size);
  const image::ConstLevel level = {&info,         count * 4,    4, 1, blocks.size(),
                                   blocks.size(), blocks.data()};
  return image::Decoder(info).Decode(level, x, y)[3];
}

}  // namespace

TEST_CASE("scrubbed texels: of every format nothing is left, and scrubbing again changes nothing") {
  for (const d3d::FormatInfo& info : d3d::AllFormats()) {
    if (info.block_size == 0 || info.is_buffer()) continue;
    CAPTURE(info.name);
    const std::vector<uint8_t> bytes = RandomBytes(size_t{info.block_size} * 256, 5);
    const std::vector<uint8_t> once = Scrubbed(info.format, bytes);
    CHECK(once.size() == bytes.size());
    CHECK(Scrubbed(info.format, once) == once);
    if (info.layout == "A1") {
      CHECK(once == bytes);  // a mask and nothing else
    } else {
      CHECK(once != bytes);
    }
  }
}

TEST_CASE("scrubbed texels: alpha stays a mask") {
  std::vector<uint8_t> bytes;
  for (const int alpha : {0, 255, 128, 1, 254, 0})
    bytes.insert(bytes.end(), {10, 20, 30, static_cast<uint8_t>(alpha)});
  const std::vector<uint8_t> result = Scrubbed(Format::A8R8G8B8, bytes);
  CHECK(result[3] == 0);
  CHECK(result[7] == 255);
  CHECK(result[23] == 0);
  for (const size_t i : {11U, 15U, 19U}) {
    CHECK(result[i] != 0);
    CHECK(result[i] != 255);
  }
}

TEST_CASE("scrubbed texels: the noise is that of the place, whatever the colour was") {
  const std::vector<uint8_t> a = RandomBytes(512, 1);
  const std::vector<uint8_t> b = RandomBytes(512, 2);
  CHECK(Scrubbed(Format::X8R8G8B8, a) == Scrubbed(Format::X8R8G8B8, b));
  CHECK(Scrubbed(Format::R5G6B5, a) == Scrubbed(Format::R5G6B5, b));
}

TEST_CASE("scrubbed texels: the noise repeats, but not from row to row") {
  const std::vector<uint8_t> result = Scrubbed(Format::X8R8G8B8, RandomBytes(size_t{4} * 8192, 1));
  const auto texel = [&](size_t i) { return LoadU32(result.data() + 4 * i) & 0xFFFFFF; };
  for (const size_t width : {1U, 64U, 256U, 1000U, 4096U})
    CHECK(texel(7) != texel(7 + width));
  CHECK(texel(7) == texel(7 + 4093));
}

TEST_CASE("scrubbed texels: one colour becomes one colour") {
  const std::vector<uint8_t> result = Scrubbed(Format::R5G6B5, std::vector<uint8_t>(64, 0x33));
  for (size_t i = 0; i < result.size(); ++i)
    CHECK(result[i] == result[i % 2]);
  CHECK(result[0] != 0x33);
}

TEST_CASE("scrubbed texels: a colour key is met where it was, and nowhere else") {
  const d3d::ColorKey key = {0x1F, 0x3F};
  std::vector<uint8_t> bytes = RandomBytes(4096, 3);
  const auto is_keyed = [&](const std::vector<uint8_t>& texels, size_t i) {
    const uint32_t texel = LoadU16(texels.data() + 2 * i);
    return texel >= key.low && texel <= key.high;
  };
  for (size_t i = 0; i < bytes.size() / 2; i += 5)
    Store(bytes.data() + 2 * i, uint16_t{0x2A});
  const std::vector<uint8_t> result = Scrubbed(Format::R5G6B5, bytes, {}, {key});
  for (size_t i = 0; i < bytes.size() / 2; ++i)
    CHECK(is_keyed(result, i) == is_keyed(bytes, i));
}

TEST_CASE("scrubbed texels: palette indices stay below the largest") {
  std::vector<uint8_t> bytes = RandomBytes(1000, 4);
  for (uint8_t& byte : bytes)
    byte = static_cast<uint8_t>(byte % 17);
  std::set<uint8_t> indices;
  for (const uint8_t index : Scrubbed(Format::P8, bytes))
    indices.insert(index);
  CHECK(*indices.rbegin() == 16);
  CHECK(indices.size() == 17);
}

TEST_CASE("scrubbed texels: what lies between rows becomes 0") {
  const std::vector<uint8_t> bytes(40, 0x77);
  const std::vector<uint8_t> result =
      Scrubbed(Format::L8, bytes, {.row_size = 5, .pitch = 8, .slice_pitch = 20});
  for (size_t i = 0; i < bytes.size(); ++i)
    CHECK((result[i] == 0) == (i % 20 % 8 >= 5));
}

TEST_CASE("scrubbed texels: floats stay finite and in their range") {
  std::vector<uint8_t> bytes;
  for (int i = 0; i < 64; ++i) {
    uint8_t value[4];
    Store(value, std::bit_cast<uint32_t>(static_cast<float>(i) / 16));
    bytes.insert(bytes.end(), value, value + 4);
  }
  const std::vector<uint8_t> result = Scrubbed(Format::R32F, bytes);
  CHECK(LoadU32(result.data()) == 0);
  for (size_t i = 1; i < 64; ++i) {
    const auto value = std::bit_cast<float>(LoadU32(result.data() + 4 * i));
    CHECK(value > 0);
    CHECK(value < 4);
    CHECK(value != static_cast<float>(i) / 16);
  }
}

TEST_CASE("scrubbed blocks: transparent and opaque texels are those that were") {
  for (const Format format : {Format::DXT1, Format::DXT3, Format::DXT5}) {
    const d3d::FormatInfo& info = Info(format);
    CAPTURE(info.name);
    std::vector<uint8_t> bytes = RandomBytes(size_t{info.block_size} * 64, 9);
    // Blocks with much that is wholly transparent or opaque.
    for (size_t i = 0; i < bytes.size(); i += 3)
      bytes[i] = static_cast<uint8_t>(i % 2 == 0 ? 0 : 255);
    const std::vector<uint8_t> result = Scrubbed(format, bytes);
    for (uint32_t y = 0; y < 4; ++y) {
      for (uint32_t x = 0; x < 256; ++x) {
        const float before = AlphaAt(info, bytes, x, y);
        const float after = AlphaAt(info, result, x, y);
        CHECK((before == 0) == (after == 0));
        CHECK((before == 1) == (after == 1));
      }
    }
  }
}
