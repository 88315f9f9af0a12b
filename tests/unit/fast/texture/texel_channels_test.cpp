// Rows of texels to numbers, in all instruction sets of the machine, against the decoder of images.
#include "fast/texture/texel_channels.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "fast/machine/isa.h"
#include "image/decoder.h"
#include "support/random.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::fast;     // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint32_t kWidth = 37;  // no multiple of a vector

// Random bytes, some of them those of infinities, NaN and denormals.
std::vector<uint8_t> Row(const d3d::FormatInfo& info, Random& random) {
  std::vector<uint8_t> bytes(size_t{kWidth} * info.block_size);
  for (uint8_t& byte : bytes)
    byte = random.OneIn(4) ? (random.OneIn(2) ? 0x7F : 0x80) : random.Byte();
  return bytes;
}

bool IsSameChannel(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// With `numbers` of each texel, 4 or 1.
uint32_t CountDifferences(const d3d::FormatInfo& info, const Isa& isa, uint32_t numbers) {
  Random random(info.block_size);
  TexelChannels texel = *ChannelsOf(info);
  texel.is_single = numbers == 1;
  uint32_t differences = 0;
  for (uint32_t round = 0; round < 20; ++round) {
    const std::vector<uint8_t> bytes = Row(info, random);
    std::vector<float> made(numbers * kWidth + 1, 7.0F);
    DecodeTexelsOf(isa)(texel, bytes.data(), kWidth, made.data());
    CHECK(made.back() == 7.0F);
    const image::ConstLevel level = {.info = &info,
                                     .width = kWidth,
                                     .height = 1,
                                     .slices = 1,
                                     .pitch = bytes.size(),
                                     .slice_pitch = bytes.size(),
                                     .bytes = bytes.data()};
    const image::Decoder decoder(info);
    for (uint32_t x = 0; x < kWidth; ++x) {
      const image::Texel expected = decoder.Decode(level, x, 0);
      for (uint32_t c = 0; c < numbers; ++c)
        differences += IsSameChannel(made[numbers * x + c], expected[c]) ? 0U : 1U;
    }
  }
  return differences;
}

}  // namespace

TEST_CASE("Texels: rows are what the decoder makes of each texel") {
  size_t formats = 0;
  for (const d3d::FormatInfo& info : d3d::AllFormats()) {
    if (!ChannelsOf(info)) continue;
    ++formats;
    CAPTURE(info.name);
    for (const Isa& isa : SupportedIsas()) {
      CAPTURE(isa.name);
      CHECK(CountDifferences(info, isa, 4) == 0);
      CHECK(CountDifferences(info, isa, 1) == 0);
    }
  }
  CHECK(formats > 40);
}
TEST_CASE("Texels: what is not a channel by itself has none") {
  for (const d3d::Format format : {d3d::Format::DXT1, d3d::Format::P8, d3d::Format::YUY2,
                                   d3d::Format::CxV8U8, d3d::Format::D32, d3d::Format::D24FS8})
    CHECK_FALSE(ChannelsOf(*d3d::FindFormat(format)));
}
