#include "image/block.h"

#include <doctest/doctest.h>

#include "base/bytes.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

BlockTexels Decode(d3d::Format format, std::string_view hex) {
  std::vector<uint8_t> bytes;
  REQUIRE(ParseHex(hex, bytes));
  REQUIRE(bytes.size() == d3d::FindFormat(format)->block_size);
  return DecodeBlock(*d3d::FindFormat(format), bytes.data());
}

using Rgba = std::array<uint8_t, 4>;

}  // namespace

TEST_CASE("Block: DXT1 with c0 > c1 has four opaque colours, rounded thirds") {
  // c0 = 0xFFFF (255, 255, 255), c1 = 0x8410 (16, 32, 16): 132, 130, 132. Codes 0, 1, 2, 3 in the first row.
  const BlockTexels texels = Decode(d3d::Format::DXT1, "ffff1084e4000000");
  CHECK(texels[0] == Rgba{255, 255, 255, 255});
  CHECK(texels[1] == Rgba{132, 130, 132, 255});
  // (510 + 132 + 1) / 3 = 214.3, (510 + 130 + 1) / 3 = 213.7.
  CHECK(texels[2] == Rgba{214, 213, 214, 255});
  // (255 + 264 + 1) / 3 = 173.3, (255 + 260 + 1) / 3 = 172.
  CHECK(texels[3] == Rgba{173, 172, 173, 255});
  CHECK(texels[15] == texels[0]);
}

TEST_CASE("Block: DXT1 with c0 <= c1 has the mean and transparent black") {
  const BlockTexels texels = Decode(d3d::Format::DXT1, "1084ffff000000e4");
  CHECK(texels[12] == Rgba{132, 130, 132, 255});
  CHECK(texels[14] == Rgba{193, 192, 193, 255});  // (132 + 255) / 2, (130 + 255) / 2
  CHECK(texels[15] == Rgba{0, 0, 0, 0});
  const BlockTexels equal = Decode(d3d::Format::DXT1, "0000000003000000");
  CHECK(equal[0] == Rgba{0, 0, 0, 0});
  CHECK(equal[1] == Rgba{0, 0, 0, 255});
}

TEST_CASE("Block: the colours of DXT2 to DXT5 have four-colour mode whatever their order") {
  for (const d3d::Format format :
       {d3d::Format::DXT2, d3d::Format::DXT3, d3d::Format::DXT4, d3d::Format::DXT5}) {
    const BlockTexels texels = Decode(format, "ffffffffffffffff1084ffffe4000000");
    CHECK(texels[2] == Rgba{173, 172, 173, 255});
    CHECK(texels[3] == Rgba{214, 213, 214, 255});
  }
}

TEST_CASE("Block: explicit alpha is four bits per texel in row order") {
  const BlockTexels texels = Decode(d3d::Format::DXT3, "1032547698badcfe0000000000000000");
  for (uint32_t i = 0; i < 16; ++i) {
    CHECK(uint32_t{texels[i][3]} == i * 17);
  }
}

TEST_CASE("Block: interpolated alpha with a0 > a1 has six steps between") {
  // a0 = 255, a1 = 10; texels 0..7 have codes 0..7: 3 bits each, 0xFAC688.
  const BlockTexels texels = Decode(d3d::Format::DXT5, "ff0a88c6fa0000000000000000000000");
  const uint32_t expected[] = {255, 10, 220, 185, 150, 115, 80, 45};
  for (uint32_t i = 0; i < 8; ++i) {
    CHECK(uint32_t{texels[i][3]} == expected[i]);
  }
}

TEST_CASE("Block: interpolated alpha with a0 <= a1 has four steps, 0 and 255") {
  const BlockTexels texels = Decode(d3d::Format::DXT5, "0a1e88c6fa0000000000000000000000");
  const uint32_t expected[] = {10, 30, 14, 18, 22, 26, 0, 255};
  for (uint32_t i = 0; i < 8; ++i) {
    CHECK(uint32_t{texels[i][3]} == expected[i]);
  }
}

TEST_CASE("Block: ATI2 holds green first") {
  const BlockTexels texels = Decode(d3d::Format::Ati2, "ff0a88c6fa0000000a1e88c6fa000000");
  CHECK(texels[2] == Rgba{14, 220, 255, 255});
  CHECK(texels[7] == Rgba{255, 45, 255, 255});
}
