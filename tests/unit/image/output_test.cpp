#include "image/output.h"

#include <doctest/doctest.h>

#include "base/bytes.h"
#include "base/hash.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

Surface Make(const SurfaceDescription& description, std::string_view hex) {
  Result<Surface> surface = Surface::Create(description);
  REQUIRE(surface.ok());
  std::vector<uint8_t> bytes;
  REQUIRE(ParseHex(hex, bytes));
  REQUIRE(surface->UpdateRange(0, 0, 0, bytes).ok());
  return std::move(*surface);
}

// Bytes that repeat after 251, so that rows differ.
std::vector<uint8_t> Pattern(uint64_t size) {
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(i % 251);
  return bytes;
}

}  // namespace

TEST_CASE("ToPicture: an area of a slice, rows top to bottom") {
  const Surface surface =
      Make({.format = d3d::Format::A8, .width = 2, .height = 2, .depth = 2}, "0102030405060708");
  const Result<Picture> picture = ToPicture(surface, 0, 0, {1, 0, 2, 2, 1, 2});
  REQUIRE(picture.ok());
  CHECK(ToHex(picture->rgba) == "0000000600000008");
}

TEST_CASE("ToPicture: a palette surface without palette is grey") {
  const Surface surface = Make({.format = d3d::Format::P8, .width = 1}, "40");
  CHECK(ToHex(ToPicture(surface, 0, 0, surface.WholeLevel(0))->rgba) == "404040ff");
  const Surface alpha = Make({.format = d3d::Format::A8P8, .width = 1}, "4080");
  CHECK(ToHex(ToPicture(alpha, 0, 0, alpha.WholeLevel(0))->rgba) == "40404080");
}

TEST_CASE("StencilPicture: grey is the value") {
  const Surface surface = Make({.format = d3d::Format::D24S8, .width = 1}, "12000080");
  CHECK(ToHex(ToPicture(surface, 0, 0, surface.WholeLevel(0))->rgba) == "808080ff");
  CHECK(ToHex(StencilPicture(surface, 0, 0, surface.WholeLevel(0))->rgba) == "121212ff");
  const Surface color = Make({.format = d3d::Format::A8, .width = 1}, "12");
  CHECK_FALSE(StencilPicture(color, 0, 0, color.WholeLevel(0)).ok());
}

TEST_CASE("ToPicture: float NaN is 0, infinities clamp") {
  const Surface surface =
      Make({.format = d3d::Format::A32B32G32R32F, .width = 1}, "0000c0ff0000807f000080ff0000803f");
  CHECK(ToHex(ToPicture(surface, 0, 0, surface.WholeLevel(0))->rgba) == "00ff00ff");
}

TEST_CASE("ToPicture: no picture of buffers, empty areas, several slices, texels outside") {
  const Surface buffer = Make({.format = d3d::Format::VertexData, .width = 4}, "00000000");
  CHECK_FALSE(ToPicture(buffer, 0, 0, buffer.WholeLevel(0)).ok());
  const Surface volume = Make({.format = d3d::Format::A8, .width = 2, .depth = 2}, "");
  CHECK_FALSE(ToPicture(volume, 0, 0, volume.WholeLevel(0)).ok());
  CHECK_FALSE(ToPicture(volume, 0, 0, {0, 0, 0, 1}).ok());
  CHECK_FALSE(ToPicture(volume, 0, 0, {0, 0, 3, 1}).ok());
  CHECK_FALSE(ToPicture(volume, 0, 1, {0, 0, 1, 1}).ok());
  const Surface block = Make({.format = d3d::Format::DXT1, .width = 2, .height = 2}, "");
  CHECK_FALSE(ToPicture(block, 0, 0, {0, 0, 4, 4}).ok());
  CHECK(ToPicture(block, 0, 0, {0, 0, 2, 2}).ok());
}

TEST_CASE("HashOf: XXH3-128 of width, height, format and the bytes") {
  const Surface surface = Make({.format = d3d::Format::X8R8G8B8, .width = 1}, "30201099");
  const Result<Picture> picture = ToPicture(surface, 0, 0, surface.WholeLevel(0));
  std::vector<uint8_t> hashed;
  REQUIRE(ParseHex("010000000100000016000000102030ff", hashed));
  CHECK(HashOf(*picture, d3d::Format::X8R8G8B8) == Xxh3_128(hashed));
  CHECK(HashOf(*picture, d3d::Format::A8R8G8B8) != Xxh3_128(hashed));
}

TEST_CASE("RawHashOf: the stored rows of the area, sample after sample") {
  const Surface surface =
      Make({.format = d3d::Format::A8, .width = 2, .height = 1, .samples = 2}, "01020304");
  std::vector<uint8_t> hashed;
  REQUIRE(ParseHex("01000000010000001c0000000204", hashed));
  CHECK(*RawHashOf(surface, 0, 0, {1, 0, 2, 1}) == Xxh3_128(hashed));
  CHECK_FALSE(RawHashOf(surface, 0, 0, {1, 0, 3, 1}).ok());
}

TEST_CASE("RawHashOf: of many rows and slices, the bytes in their order") {
  Surface volume = Make({.format = d3d::Format::A8, .width = 16384, .height = 70, .depth = 2}, "");
  std::vector<uint8_t> hashed;
  REQUIRE(ParseHex("00400000460000001c000000", hashed));
  const std::vector<uint8_t> texels = Pattern(volume.size_bytes());
  REQUIRE(volume.Update(0, 0, volume.WholeLevel(0), {texels}).ok());
  hashed.insert(hashed.end(), texels.begin(), texels.end());
  CHECK(*RawHashOf(volume, 0, 0, volume.WholeLevel(0)) == Xxh3_128(hashed));
}

TEST_CASE("PictureDifference: of many rows, that of the pictures, byte by byte") {
  const SurfaceDescription description = {
      .format = d3d::Format::R5G6B5, .width = 16384, .height = 70};
  Surface before = Make(description, "");
  const Surface after = Make(description, "ffff0108");
  const std::vector<uint8_t> texels = Pattern(before.size_bytes());
  const Area area = before.WholeLevel(0);
  REQUIRE(before.Update(0, 0, area, {texels}).ok());
  const Result<Picture> difference =
      PictureDifference({.surface = before}, {.surface = after}, area);
  REQUIRE(difference.ok());
  Picture expected = *ToPicture(before, 0, 0, area);
  const Picture other = *ToPicture(after, 0, 0, area);
  for (size_t i = 0; i < expected.rgba.size(); ++i)
    expected.rgba[i] ^= other.rgba[i];
  CHECK(*difference == expected);
}

TEST_CASE("LosesStoredBits: wide channels, floats, depth, samples, palettes") {
  const auto loses = [](d3d::Format format, uint32_t samples = 1) {
    return LosesStoredBits(Make({.format = format, .width = 1, .samples = samples}, ""));
  };
  for (const d3d::Format format :
       {d3d::Format::A2R10G10B10, d3d::Format::L16, d3d::Format::R16F, d3d::Format::D16,
        d3d::Format::Intz, d3d::Format::P8, d3d::Format::W11V11U10}) {
    CHECK(loses(format));
  }
  for (const d3d::Format format : {d3d::Format::A8R8G8B8, d3d::Format::R5G6B5, d3d::Format::DXT1,
                                   d3d::Format::YUY2, d3d::Format::V8U8}) {
    CHECK_FALSE(loses(format));
  }
  CHECK(loses(d3d::Format::A8R8G8B8, 4));
}
