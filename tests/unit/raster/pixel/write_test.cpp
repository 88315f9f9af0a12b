#include "raster/pixel/write.h"

#include <doctest/doctest.h>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

// The stored word after a draw of the colour over `old`.
uint64_t Drawn(Format format, const Float4& color, RenderState state, uint32_t value,
               uint32_t old = 0) {
  Scene scene(format, 4, 4);
  scene.Fill(old);
  scene.program.color = color;
  scene.Set(state, value);
  scene.DrawRectangle(0, 0, 4, 4);
  return scene.Pixel(0, 0);
}

constexpr RenderState kNothing = RenderState::WrapU;  // no influence on writes

}  // namespace

TEST_CASE("Write: channels are rounded half up, unused bits are 0") {
  CHECK(Drawn(Format::A8R8G8B8, {0.5F, 0.25F, 1, 0}, kNothing, 0) == 0x008040FF);
  CHECK(Drawn(Format::X8R8G8B8, {0.5F, 0.25F, 1, 1}, kNothing, 0) == 0x008040FF);
  CHECK(Drawn(Format::R5G6B5, {0.5F, 0.5F, 2, 1}, kNothing, 0) == (16U << 11 | 32U << 5 | 31U));
  CHECK(Drawn(Format::Q8W8V8U8, {-1, 1, 0.5F, -2}, kNothing, 0) == 0x81407F81);
}

TEST_CASE("Write: COLORWRITEENABLE keeps the stored bits of a channel") {
  CHECK(Drawn(Format::A8R8G8B8, {1, 1, 1, 1}, RenderState::ColorWriteEnable, 1, 0x12345678) ==
        0x12FF5678);
  CHECK(Drawn(Format::A8R8G8B8, {1, 1, 1, 1}, RenderState::ColorWriteEnable, 0xA, 0x12345678) ==
        0xFF34FF78);
  CHECK(Drawn(Format::A8R8G8B8, {1, 1, 1, 1}, RenderState::ColorWriteEnable, 0, 0x12345678) ==
        0x12345678);
  CHECK(Drawn(Format::R5G6B5, {1, 1, 1, 1}, RenderState::ColorWriteEnable, 4, 0) == 0x001F);
}

TEST_CASE("Write: sRGB encodes UNORM colours of 5, 6 and 8 bits (fact P5)") {
  const Float4 grey = {128.0F / 255.0F, 128.0F / 255.0F, 128.0F / 255.0F, 128.0F / 255.0F};
  CHECK(Drawn(Format::A8R8G8B8, grey, RenderState::SrgbWriteEnable, 1) == 0x80BCBCBC);
  CHECK(Drawn(Format::R5G6B5, grey, RenderState::SrgbWriteEnable, 1) ==
        (23U << 11 | 46U << 5 | 23U));
  CHECK(Drawn(Format::A2R10G10B10, {0, 0, 0.5F, 0}, RenderState::SrgbWriteEnable, 1) == 512);
  CHECK(Drawn(Format::A8R8G8B8, {0.001F, 1, 0, 0}, RenderState::SrgbWriteEnable, 1) == 0x0003FF00);
}

TEST_CASE("Write: sRGB targets blend linearly") {
  Scene scene(Format::A8R8G8B8, 4, 4);
  scene.Set(RenderState::SrgbWriteEnable, 1);
  scene.Set(RenderState::AlphaBlendEnable, 1);
  scene.Set(RenderState::DestBlend, d3d::Value(d3d::BlendFactor::One));
  scene.program.color = {0.25F, 0, 0, 0};
  scene.DrawRectangle(0, 0, 4, 4);
  CHECK(scene.Pixel(0, 0) == 0x890000);  // 0.537
  scene.DrawRectangle(0, 0, 4, 4);
  CHECK(scene.Pixel(0, 0) == 0xBC0000);  // of 0.25 + 0.2502
}

TEST_CASE("Write: dithering of narrow channels follows the ordered matrix, alpha is not dithered") {
  Scene scene(Format::A4R4G4B4, 4, 4);
  scene.Set(RenderState::DitherEnable, 1);
  scene.program.color = {0.5F / 15.0F, 1, 0, 0.5F};
  scene.DrawRectangle(0, 0, 4, 4);
  const uint32_t matrix[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  for (uint32_t y = 0; y < 4; ++y) {
    for (uint32_t x = 0; x < 4; ++x) {
      const uint64_t red = matrix[y][x] >= 8 ? 1 : 0;  // 0.5 + (2 B + 1) / 32 >= 1
      CHECK(scene.Pixel(x, y) == (0x80F0U | red << 8));
    }
  }
  CHECK(Drawn(Format::A8R8G8B8, {0.5F, 0.5F, 0.5F, 0}, RenderState::DitherEnable, 1) == 0x808080);
}

TEST_CASE("Write: the 16 logic operations on raw words") {
  // S = 0b1100, D = 0b1010 in the low bits.
  const uint32_t expected[] = {0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7,
                               0x8, 0x9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF};
  for (uint32_t code = 1; code <= 16; ++code) {
    CHECK((ApplyRop2(code, 0xC, 0xA) & 0xFU) == expected[code - 1]);
  }
  CHECK(Drawn(Format::X8R8G8B8, {1, 0, 1, 1}, RenderState::Rop2, 7, 0x00F0F00F) == 0x000FF0F0);
  CHECK(Drawn(Format::X8R8G8B8, {1, 0, 1, 1}, RenderState::Rop2, 0, 0x00F0F00F) == 0x00FF00FF);
  CHECK(Drawn(Format::X8R8G8B8, {1, 0, 1, 1}, RenderState::Rop2, 16) == 0x00FFFFFF);
}

TEST_CASE("Write: a logic operation switches blending off") {
  Scene scene(Format::X8R8G8B8, 4, 4);
  scene.Fill(0x00FF0000);
  scene.Set(RenderState::AlphaBlendEnable, 1);
  scene.Set(RenderState::SrcBlend, d3d::Value(d3d::BlendFactor::Zero));
  scene.Set(RenderState::Rop2, d3d::Value(d3d::Rop2::MergePen));
  scene.program.color = {0, 1, 0, 1};
  scene.DrawRectangle(0, 0, 4, 4);
  CHECK(scene.Pixel(0, 0) == 0x00FFFF00);
}

TEST_CASE("Write: the plane mask keeps bits of the stored word") {
  CHECK(Drawn(Format::A8R8G8B8, {1, 1, 1, 1}, RenderState::PlaneMask, 0x00F0000F) == 0x00F0000F);
  CHECK(Drawn(Format::R5G6B5, {0, 0, 0, 0}, RenderState::PlaneMask, 0x00FF, 0xFFFFFFFF) == 0xFF00);
}

TEST_CASE(
    "Write: each output goes to its target with its mask, outputs that are missing change nothing") {
  Scene scene(Format::A8R8G8B8, 4, 4);
  scene.targets.push_back(MakeResource(Format::A8R8G8B8, 4, 4));
  scene.targets.push_back(MakeResource(Format::A8R8G8B8, 4, 4));
  scene.Fill(0x11111111);
  scene.program.color = {1, 0, 0, 1};
  scene.program.more_colors = {{0, 1, 0, 1}};
  scene.Set(RenderState::ColorWriteEnable1, 6);
  scene.DrawRectangle(0, 0, 4, 4);
  CHECK(scene.Pixel(0, 0) == 0xFFFF0000);
  CHECK(Scene::Word(scene.targets[1], 0, 0) == 0x1111FF00);
  CHECK(Scene::Word(scene.targets[2], 0, 0) == 0x11111111);
}

TEST_CASE("Write: a NULL target has no pixels and does not limit the depth buffer (fact G31)") {
  Scene scene(Format::Null, 4, 4);
  scene.depth.push_back(MakeResource(Format::D16, 8, 8));
  scene.Fill(0x12345678);
  CHECK(scene.DrawRectangle(0, 0, 8, 8, 0.25F) == 64);
  CHECK(scene.Depth(7, 7) == 0x4000);
}

TEST_CASE("Write: formats that are no targets are left alone") {
  Scene scene(Format::P8, 4, 4);
  CHECK(scene.DrawRectangle(0, 0, 4, 4) == 16);
  CHECK(scene.Pixel(0, 0) == 0);
  Scene nothing(Format::A8R8G8B8, 4, 4);
  nothing.targets.clear();
  CHECK(nothing.DrawRectangle(0, 0, 4, 4) == 0);
}
