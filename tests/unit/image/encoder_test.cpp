#include "image/encoder.h"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "base/bytes.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

struct OnePixel {
  std::array<uint8_t, 16> bytes = {};
  ConstLevel level(const d3d::FormatInfo& info) const {
    return {.info = &info,
            .width = 1,
            .height = 1,
            .slices = 1,
            .pitch = info.block_size,
            .slice_pitch = info.block_size,
            .bytes = bytes.data()};
  }
};

uint64_t UsedBits(const d3d::FormatInfo& info) {
  uint64_t mask = 0;
  for (const d3d::Channel& channel : info.channels) {
    mask |= info.Mask(channel.name);
  }
  return mask;
}

// The word with the lowest value of each signed channel, which decodes as the one above it, replaced by that one.
uint64_t WithoutLowestValues(const d3d::FormatInfo& info, uint64_t word) {
  for (const d3d::Channel& channel : info.channels) {
    if (channel.name == 0 || channel.type != d3d::ChannelType::kSnorm) continue;
    const uint64_t lowest = uint64_t{1} << (channel.offset_bits + channel.width_bits - 1);
    if ((word & info.Mask(channel.name)) == lowest) word |= uint64_t{1} << channel.offset_bits;
  }
  return word;
}

// True when decode and encode give the word back.
bool RoundTrips(const d3d::FormatInfo& info, uint64_t word) {
  OnePixel pixel;
  Store(pixel.bytes.data(), word);
  const Texel texel = Decoder(info).Decode(pixel.level(info), 0, 0);
  OnePixel result;
  Encoder(info).Encode(texel, result.bytes.data());
  return Load<uint64_t>(result.bytes.data()) == WithoutLowestValues(info, word & UsedBits(info));
}

}  // namespace

TEST_CASE("Encoder: 8- and 16-bit formats survive decode and encode, every pixel value") {
  int formats = 0;
  for (const d3d::FormatInfo& info : d3d::AllFormats()) {
    if (!Encoder(info).has_stored() || info.block_size > 2) continue;
    CAPTURE(info.name);
    ++formats;
    uint32_t failures = 0;
    for (uint32_t word = 0; word < (1U << (8 * info.block_size)); ++word) {
      failures += RoundTrips(info, word) ? 0U : 1U;
    }
    CHECK(failures == 0);
  }
  CHECK(formats == 14);
}

TEST_CASE("Encoder: larger integer formats survive, every value of every channel") {
  for (const d3d::FormatInfo& info : d3d::AllFormats()) {
    if (!Encoder(info).has_stored() || info.block_size <= 2) continue;
    CAPTURE(info.name);
    uint32_t failures = 0;
    for (const d3d::Channel& channel : info.channels) {
      for (uint64_t value = 0; value < (uint64_t{1} << channel.width_bits); ++value) {
        const uint64_t word = value << channel.offset_bits;
        failures += RoundTrips(info, word) ? 0U : 1U;
        failures += RoundTrips(info, word | (UsedBits(info) & ~info.Mask(channel.name))) ? 0U : 1U;
      }
    }
    CHECK(failures == 0);
  }
}

TEST_CASE("Encoder: the write mask keeps channels, unused bits become 0") {
  const Texel color = {1, 0.5F, 0, 0.25F};
  uint8_t pixel[4] = {0x11, 0x22, 0x33, 0x44};
  Encoder(*d3d::FindFormat(d3d::Format::A8R8G8B8)).Encode(color, pixel, kWriteRed | kWriteAlpha);
  CHECK(LoadU32(pixel) == 0x40FF2211);
  Encoder(*d3d::FindFormat(d3d::Format::X8R8G8B8)).Encode(color, pixel, kWriteBlue);
  CHECK(LoadU32(pixel) == 0x00FF2200);
}

TEST_CASE("Encoder: luminance takes red, bump takes the channels in order") {
  uint8_t pixel[4] = {};
  Encoder(*d3d::FindFormat(d3d::Format::A8L8)).Encode({0.5F, 0, 0, 1}, pixel);
  CHECK(LoadU16(pixel) == 0xFF80);
  Encoder(*d3d::FindFormat(d3d::Format::X8L8V8U8)).Encode({1, -1, 0.5F, 1}, pixel);
  CHECK(LoadU32(pixel) == 0x0080817F);
}

TEST_CASE("Encoder: floats keep their bits, NaN is canonical") {
  const float nan = -std::numeric_limits<float>::quiet_NaN();
  uint8_t pixel[16] = {};
  Encoder(*d3d::FindFormat(d3d::Format::A32B32G32R32F)).Encode({1, -2, nan, -0.0F}, pixel);
  CHECK(LoadU32(pixel) == 0x3F800000);
  CHECK(LoadU32(pixel + 4) == 0xC0000000);
  CHECK(LoadU32(pixel + 8) == 0x7FC00000);
  CHECK(LoadU32(pixel + 12) == 0x80000000);
  uint8_t half[4] = {};
  Encoder(*d3d::FindFormat(d3d::Format::G16R16F)).Encode({nan, 1e9F, 0, 0}, half);
  CHECK(LoadU32(half) == 0x7C007E00);
}

TEST_CASE("Encoder: formats that drawing cannot write say so") {
  for (const d3d::Format format : {d3d::Format::DXT1, d3d::Format::P8, d3d::Format::YUY2,
                                   d3d::Format::D16, d3d::Format::CxV8U8, d3d::Format::A1}) {
    CHECK_FALSE(Encoder(*d3d::FindFormat(format)).can_encode());
  }
}
