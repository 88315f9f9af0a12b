#include "image/fill.h"

#include <doctest/doctest.h>

#include "base/bytes.h"
#include "image/decoder.h"

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

std::string FillHex(d3d::Format format, uint32_t argb) {
  const FillBlock block = FillBlockOf(*d3d::FindFormat(format), argb);
  return ToHex(Bytes(block.bytes.data(), block.size));
}

Surface Make(d3d::Format format, uint32_t width, uint32_t height, uint32_t samples = 1) {
  Result<Surface> surface =
      Surface::Create({.format = format, .width = width, .height = height, .samples = samples});
  REQUIRE(surface.ok());
  return std::move(*surface);
}

std::string Hex(const Surface& surface) {
  return ToHex(Bytes(surface.level(0, 0).bytes, surface.size_bytes()));
}

}  // namespace

TEST_CASE("Fill: the figures of the conformance test color_fill_test") {
  CHECK(FillHex(d3d::Format::R5G6B5, 0xDEADBEEF) == "fdad");
  CHECK(FillHex(d3d::Format::G16R16, 0xDEADBEEF) == "adadbebe");
  CHECK(FillHex(d3d::Format::R32F, 0xDEADBEEF) ==
        ToHex(Bytes(std::array<uint8_t, 4>{0xAE, 0xAD, 0x2D, 0x3F})));
}

TEST_CASE("Fill: narrow channels are cut, wide ones scaled, unused bits 0") {
  CHECK(FillHex(d3d::Format::A8R8G8B8, 0x12345678) == "78563412");
  CHECK(FillHex(d3d::Format::X8R8G8B8, 0x12345678) == "78563400");
  CHECK(FillHex(d3d::Format::A8B8G8R8, 0x12345678) == "34567812");
  CHECK(FillHex(d3d::Format::R8G8B8, 0x12345678) == "785634");
  CHECK(FillHex(d3d::Format::A1R5G5B5, 0x7FFFFFFF) == "ff7f");
  CHECK(FillHex(d3d::Format::A4R4G4B4, 0x1F2F3F4F) == "3412");
  // 128 * 1023 / 255 = 513.5: 514.
  CHECK(FillHex(d3d::Format::A2R10G10B10, 0xFFFF0080) == "0202f0ff");
  CHECK(FillHex(d3d::Format::A16B16G16R16, 0x01020304) == "0202030304040101");
  CHECK(FillHex(d3d::Format::A8, 0x12345678) == "12");
  CHECK(FillHex(d3d::Format::A16B16G16R16F, 0xFF00FF00) == "0000003c0000003c");
  CHECK(FillHex(d3d::Format::A1, 0x80000000) == "ff");
}

TEST_CASE("Fill: classes that are not converted take the low bits") {
  CHECK(FillHex(d3d::Format::P8, 0x12345678) == "78");
  CHECK(FillHex(d3d::Format::A8P8, 0x12345678) == "7856");
  CHECK(FillHex(d3d::Format::L8, 0x12345678) == "78");
  CHECK(FillHex(d3d::Format::L16, 0x12345678) == "7856");
  CHECK(FillHex(d3d::Format::X8L8V8U8, 0x12345678) == "78563400");
  CHECK(FillHex(d3d::Format::Q16W16V16U16, 0x12345678) == "7856341200000000");
}

TEST_CASE("Fill: pairs of pixels") {
  CHECK(FillHex(d3d::Format::UYVY, 0xFF112233) == "33112211");
  CHECK(FillHex(d3d::Format::YUY2, 0xFF112233) == "11331122");
  CHECK(FillHex(d3d::Format::R8G8B8G8, 0xFF112233) == "11223322");
  CHECK(FillHex(d3d::Format::G8R8G8B8, 0xFF112233) == "22112233");
}

TEST_CASE("Fill: every texel of a block format decodes to one colour") {
  for (const d3d::Format format : {d3d::Format::DXT1, d3d::Format::DXT2, d3d::Format::DXT3,
                                   d3d::Format::DXT4, d3d::Format::DXT5}) {
    Surface surface = Make(format, 8, 8);
    REQUIRE(Fill(surface, 0, 0, {4, 4, 8, 8}, 0xFFFF00FF).ok());
    const Decoder decoder(surface.info());
    CHECK(decoder.Stored(std::as_const(surface).level(0, 0), 7, 4) ==
          StoredTexel{255, 0, 255, 255});
    CHECK(decoder.Stored(std::as_const(surface).level(0, 0), 3, 3)[0] == 0);
  }
}

TEST_CASE("Fill: an area, in every sample") {
  Surface surface = Make(d3d::Format::A8, 3, 2, 2);
  REQUIRE(Fill(surface, 0, 0, {1, 1, 3, 2}, 0x12000000).ok());
  CHECK(Hex(surface) == "000000001212000000001212");
  CHECK_FALSE(Fill(surface, 0, 0, {0, 0, 4, 1}, 0).ok());
  CHECK(Fill(surface, 0, 0, {1, 1, 1, 1}, 0).ok());
}

TEST_CASE("Fill: planar formats") {
  Surface yv12 = Make(d3d::Format::Yv12, 4, 2);
  REQUIRE(Fill(yv12, 0, 0, yv12.WholeLevel(0), 0xFF112233).ok());
  CHECK(Hex(yv12) == "111111111111111133332222");
  Surface nv12 = Make(d3d::Format::Nv12, 4, 2);
  REQUIRE(Fill(nv12, 0, 0, nv12.WholeLevel(0), 0xFF112233).ok());
  CHECK(Hex(nv12) == "111111111111111122332233");
}

TEST_CASE("PixelFillOf: the pixel, and the bits that stay") {
  const auto info = [](d3d::Format format) { return Make(format, 4, 4).info(); };
  const std::optional<PixelFill> color = PixelFillOf(info(d3d::Format::R5G6B5), 0xFFFF00FF);
  REQUIRE(color);
  CHECK(color->pixel.size == 2);
  CHECK(Load<uint16_t>(color->pixel.bytes.data()) == 0xF81F);
  CHECK(color->keep == 0);
  for (const d3d::Format format :
       {d3d::Format::DXT1, d3d::Format::UYVY, d3d::Format::Yv12, d3d::Format::A1})
    CHECK_FALSE(PixelFillOf(info(format), 0));
  const DepthFill depth = {.writes_depth = true, .depth = 1.0F, .stencil = 0xFF};
  CHECK_FALSE(PixelFillOf(info(d3d::Format::R5G6B5), depth));
  const std::optional<PixelFill> made = PixelFillOf(info(d3d::Format::D24S8), depth);
  REQUIRE(made);
  CHECK(Load<uint32_t>(made->pixel.bytes.data()) == 0xFFFFFF00);
  CHECK(made->keep == 0xFF);
}

TEST_CASE("FillDepth: depth and stencil apart") {
  Surface surface = Make(d3d::Format::D24S8, 2, 1);
  REQUIRE(FillDepth(surface, 0, 0, {0, 0, 1, 1}, {.writes_depth = true, .depth = 1.5F}).ok());
  CHECK(Hex(surface) == "00ffffff00000000");
  REQUIRE(FillDepth(surface, 0, 0, {0, 0, 2, 1}, {.writes_stencil = true, .stencil = 0x1FE}).ok());
  CHECK(Hex(surface) ==
        "feffffff"
        "fe000000");
  Surface color = Make(d3d::Format::A32B32G32R32F, 1, 1);
  CHECK_FALSE(FillDepth(color, 0, 0, color.WholeLevel(0), {.writes_depth = true}).ok());
}
