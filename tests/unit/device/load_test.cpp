// TEXBLT to COMPOSERECTS, and DirectDraw blits.
#include <doctest/doctest.h>

#include <numeric>

#include "device_scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file
using opcode::Op;

namespace {

constexpr uint32_t kL8 = 50, kDxt1 = 0x31545844, kA1 = 118;

Bytes8 Ramp(size_t size) {
  Bytes8 bytes(size);
  std::iota(bytes.begin(), bytes.end(), uint8_t{1});
  return bytes;
}

// Source 5 (4 x 4, 3 levels) with texels 1..16, 101.., 201; destination 6 (2 x 2, 2 levels).
void MakePair(Scene& scene) {
  scene.Texture(5, kL8, 4, 3);
  scene.Texture(6, kL8, 2, 2);
  scene.Update(5, Ramp(16));
  scene.Update(5, {101, 102, 103, 104}, 1);
  scene.Update(5, {201}, 2);
}

}  // namespace

TEST_CASE("TEXBLT: levels of equal size are paired") {
  Scene scene;
  MakePair(scene);
  scene.Run(Op::kTexBlt, {6, 5, 0, 0, 0, 0, 4, 4, 0});
  CHECK(scene.Read(6) == Bytes8{101, 102, 103, 104});
  CHECK(scene.Read(6, 1) == Bytes8{201});
  CHECK(scene.findings.empty());
}

TEST_CASE("TEXBLT: rectangles stand in source level 0, points in destination level 0") {
  Scene scene;
  MakePair(scene);
  scene.Run(Op::kTexBlt, {6, 5, 1, 0, 0, 2, 2, 4, 0});
  CHECK(scene.Read(6) == Bytes8{0, 103, 0, 0});
  CHECK(scene.Read(6, 1) == Bytes8{201});
}

TEST_CASE("TEXBLT: preload changes nothing, the same surface copies onto itself") {
  Scene scene;
  MakePair(scene);
  scene.Create({.handle = 7,
                .caps = kCapsTexture,
                .caps2 = kCaps2TextureManage,
                .format = kL8,
                .width = 4,
                .height = 4});
  scene.Run(Op::kTexBlt, {0, 7, 0, 0, 0, 0, 4, 4, 0});
  scene.Run(Op::kTexBlt, {5, 5, 2, 0, 0, 0, 2, 1, 0});
  CHECK(scene.findings.empty());
  CHECK(scene.Read(5) == Bytes8{1, 2, 1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
}

TEST_CASE("TEXBLT: what is refused") {
  Scene scene;
  MakePair(scene);
  scene.Texture(7, kA8R8G8B8, 2);
  scene.Texture(8, kL8, 3);
  scene.Create({.handle = 9,
                .caps = kCapsTexture,
                .format = kL8,
                .width = 2,
                .height = 2,
                .levels = 2,
                .flip_chain = {},
                .sub_surfaces = {{.handle = 10, .face = 0, .level = 1}}});
  scene.Buffer(11, Bytes8(4));
  scene.Run(Op::kTexBlt, {6, 0, 0, 0, 0, 0, 4, 4, 0});
  scene.Run(Op::kTexBlt, {6, 99, 0, 0, 0, 0, 4, 4, 0});
  scene.Run(Op::kTexBlt, {10, 5, 0, 0, 0, 0, 4, 4, 0});
  scene.Run(Op::kTexBlt, {11, 5, 0, 0, 0, 0, 4, 4, 0});
  scene.Run(Op::kTexBlt, {7, 5, 0, 0, 0, 0, 4, 4, 0});
  scene.Run(Op::kTexBlt, {5, 6, 0, 0, 0, 0, 2, 2, 0});
  scene.Run(Op::kTexBlt, {8, 5, 0, 0, 0, 0, 2, 2, 0});
  scene.Run(Op::kTexBlt, {6, 5, 0, 0, 3, 0, 2, 4, 0});
  scene.Run(Op::kTexBlt, {6, 5, 0xFFFFFFFF, 0, 0, 0, 4, 4, 0});
  CHECK(scene.Read(6) == Bytes8(4));
  CHECK(scene.Ids() == Ids{"DP2-TEXBLT-001", "DP2-TEXBLT-002", "DP2-TEXBLT-004", "DP2-TEXBLT-005",
                           "DP2-TEXBLT-006", "DP2-TEXBLT-007", "DP2-TEXBLT-008", "DP2-TEXBLT-011",
                           "DP2-TEXBLT-014"});
}

TEST_CASE("TEXBLT: what fits of a rectangle that reaches out is copied, with the finding") {
  Scene scene;
  for (const uint32_t handle : {5U, 6U})
    scene.Texture(handle, kL8, 2);
  scene.Update(5, {1, 2, 3, 4});
  SUBCASE("of the source") {
    scene.Run(Op::kTexBlt, {6, 5, 0, 0, 0, 1, 9, 2, 0});
    CHECK(scene.Read(6) == Bytes8{3, 4, 0, 0});
    CHECK(scene.Ids() == Ids{"DP2-TEXBLT-013"});
  }
  SUBCASE("of the destination") {
    scene.Run(Op::kTexBlt, {6, 5, 1, 0, 0, 0, 2, 2, 0});
    CHECK(scene.Read(6) == Bytes8{0, 1, 0, 3});
    CHECK(scene.Ids() == Ids{"DP2-TEXBLT-014"});
  }
  SUBCASE("nothing fits") {
    scene.Run(Op::kTexBlt, {6, 5, 2, 0, 0, 0, 2, 2, 0});
    scene.Run(Op::kTexBlt, {6, 5, 0, 0, 3, 0, 0x7FFFFFFF, 2, 0});
    CHECK(scene.Read(6) == Bytes8(4));
    CHECK(scene.Ids() == Ids{"DP2-TEXBLT-014", "DP2-TEXBLT-013"});
  }
}

TEST_CASE("TEXBLT: block formats copy whole blocks down to the small levels") {
  Scene scene;
  scene.Texture(5, kDxt1, 8, 4);
  scene.Texture(6, kDxt1, 8, 4);
  scene.Update(5, Ramp(32));
  for (uint32_t level = 1; level < 4; ++level)
    scene.Update(5, Bytes8(8, static_cast<uint8_t>(level)), level);
  scene.Run(Op::kTexBlt, {6, 5, 4, 4, 0, 0, 4, 4, 0});
  Bytes8 expected(32);
  std::copy_n(Ramp(8).begin(), 8, expected.begin() + 24);
  CHECK(scene.Read(6) == expected);
  CHECK(scene.Read(6, 1) == Bytes8(8, 1));
  CHECK(scene.Read(6, 3) == Bytes8(8, 3));
  CHECK(scene.findings.empty());
  scene.Run(Op::kTexBlt, {6, 5, 0, 0, 1, 0, 4, 4, 0});
  CHECK(scene.Ids() == Ids{"DP2-TEXBLT-016"});
}

TEST_CASE("TEXBLT: cube maps copy the named faces, or all") {
  Scene scene;
  for (const uint32_t handle : {5U, 6U}) {
    scene.Create({.handle = handle,
                  .caps = kCapsTexture,
                  .format = kL8,
                  .width = 1,
                  .height = 1,
                  .faces = 0x3F});
  }
  Space& space = scene.device.space(0);
  for (uint32_t face = 0; face < 6; ++face)
    *space.Find(5).surface().level(face, 0).bytes = static_cast<uint8_t>(face + 1);
  scene.Run(Op::kTexBlt, {6, 5, 0, 0, 0, 0, 1, 1, 0x0800 | 0x8000});
  const auto texel = [&space](uint32_t face) {
    return int{*space.Find(6).surface().level(face, 0).bytes};
  };
  CHECK(texel(0) == 0);
  CHECK(texel(1) == 2);
  CHECK(texel(5) == 6);
  scene.Run(Op::kTexBlt, {6, 5, 0, 0, 0, 0, 1, 1, 0});
  CHECK(texel(0) == 1);
  CHECK(texel(4) == 5);
  scene.Texture(7, kL8, 1);
  scene.Update(7, {99});
  scene.Run(Op::kTexBlt, {6, 7, 0, 0, 0, 0, 1, 1, 0x0400});
  CHECK(texel(0) == 99);
  CHECK(texel(1) == 2);
}

TEST_CASE("TEXBLT: a destination that makes its own levels gets the first pair only") {
  Scene scene;
  MakePair(scene);
  scene.Create({.handle = 8,
                .caps = kCapsTexture,
                .caps3 = kCaps3AutoGenMipMap,
                .format = kL8,
                .width = 4,
                .height = 4,
                .levels = 3});
  scene.Run(Op::kTexBlt, {8, 5, 0, 0, 0, 0, 4, 4, 0});
  CHECK(scene.Read(8) == Ramp(16));
  CHECK(scene.Read(8, 1) == Bytes8(4));
  scene.Run(Op::kTexBlt, {6, 8, 0, 0, 0, 0, 4, 4, 0});
  CHECK(scene.Ids() == Ids{"DP2-TEXBLT-020"});
}

TEST_CASE("VOLUMEBLT: boxes") {
  Scene scene;
  for (const uint32_t handle : {5U, 6U}) {
    scene.Create({.handle = handle,
                  .caps = kCapsTexture,
                  .caps2 = kCaps2Volume,
                  .format = kL8,
                  .width = 2,
                  .height = 1,
                  .depth = 2});
  }
  scene.Texture(7, kL8, 2);
  scene.Update(5, {1, 2, 3, 4});
  scene.Run(Op::kVolumeBlt, {6, 5, 1, 0, 0, 0, 0, 1, 1, 1, 2, 0});
  CHECK(scene.Read(6) == Bytes8{0, 3, 0, 0});
  CHECK(scene.findings.empty());
  scene.Run(Op::kVolumeBlt, {6, 5, 0, 0, 1, 0, 0, 3, 1, 0, 1, 0});
  CHECK(scene.Read(6) == Bytes8{0, 3, 1, 2});
  scene.Run(Op::kVolumeBlt, {6, 5, 0, 0, 0, 0, 0, 1, 1, 2, 1, 0});
  scene.Run(Op::kVolumeBlt, {7, 5, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0});
  scene.Run(Op::kVolumeBlt, {6, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0});
  CHECK(scene.Ids() == Ids{"DP2-VOLBLT-002", "DP2-VOLBLT-002", "DP2-VOLBLT-001", "DP2-VOLBLT-003"});
}

TEST_CASE("BUFFERBLT: byte ranges, also within one buffer") {
  Scene scene;
  scene.Buffer(5, {1, 2, 3, 4});
  scene.Buffer(6, Bytes8(4));
  scene.Run(Op::kBufferBlt, {6, 5, 2, 1, 2, 0});
  CHECK(scene.Read(6) == Bytes8{0, 0, 2, 3});
  scene.Run(Op::kBufferBlt, {5, 5, 1, 0, 3, 0});
  CHECK(scene.Read(5) == Bytes8{1, 1, 2, 3});
  CHECK(scene.findings.empty());
  scene.Run(Op::kBufferBlt, {6, 5, 2, 0xFFFFFFFF, 2, 0});
  scene.Run(Op::kBufferBlt, {6, kTarget, 2, 0, 2, 0});
  CHECK(scene.Ids() == Ids{"DP2-BUFBLT-002", "DP2-BUFBLT-001"});
}

TEST_CASE("BLT: levels, stretching, refusals") {
  Scene scene;
  MakePair(scene);
  scene.Run(Op::kBlt, {5, 0, 0, 2, 2, 1, 6, 1, 1, 2, 2, 0, 1});
  CHECK(scene.Read(6) == Bytes8{0, 0, 0, 104});
  scene.Run(Op::kBlt, {5, 0, 0, 4, 4, 0, 6, 0, 0, 2, 2, 0, 0});
  CHECK(scene.Read(6) == Bytes8{6, 8, 14, 16});
  CHECK(scene.findings.empty());
  scene.Run(Op::kBlt, {0, 0, 0, 2, 2, 0, 6, 0, 0, 2, 2, 0, 0});
  scene.Run(Op::kBlt, {5, 0, 0, 2, 2, 3, 6, 0, 0, 2, 2, 0, 0});
  scene.Run(Op::kBlt, {5, 2, 0, 1, 2, 0, 6, 0, 0, 2, 2, 0, 0});
  scene.Run(Op::kBlt, {5, 0, 0, 2, 2, 0, 6, 0, 0, 3, 2, 0, 0});
  scene.Run(Op::kBlt, {5, 0, 0, 2, 2, 0, 6, 0, 0, 2, 2, 0, 3});
  scene.Run(Op::kBlt, {5, 0, 0, 2, 2, 0, 5, 1, 1, 3, 3, 0, 0});
  scene.Run(Op::kBlt, {5, 0, 0, 2, 2, 0, kDepthSurface, 0, 0, 2, 2, 0, 0});
  CHECK(scene.Ids() == Ids{"DP2-BLT-001", "DP2-BLT-002", "DP2-BLT-003", "DP2-BLT-003",
                           "DP2-BLT-005", "DP2-BLT-009", "DP2-BLT-010"});
}

TEST_CASE("SURFACEBLT and COLORFILL") {
  Scene scene;
  MakePair(scene);
  scene.Run(Op::kSurfaceBlt, {5, 1, 1, 3, 2, 0, 6, 0, 0, 2, 1, 0, 0});
  CHECK(scene.Read(6) == Bytes8{6, 7, 0, 0});
  scene.Run(Op::kSurfaceBlt, {5, 0, 0, 4, 4, 0, 6, 0, 0, 2, 2, 0, 0});
  scene.Texture(7, kR5G6B5, 2);
  scene.Run(Op::kColorFill, {7, 1, 0, 2, 1, 0xDEADBEEF});
  CHECK(scene.Read(7) == Bytes8{0, 0, 0xFD, 0xAD, 0, 0, 0, 0});  // 565: 0xADFD
  scene.Run(Op::kColorFill, {kDepthSurface, 0, 0, 1, 1, 0});
  scene.Run(Op::kColorFill, {7, 0, 0, 3, 1, 0});
  CHECK(scene.Ids() == Ids{"DP2-BLT-006", "DP2-BLT-011", "DP2-BLT-003"});
}

TEST_CASE("GENERATEMIPSUBLEVELS: point and linear") {
  Scene scene;
  scene.Create({.handle = 5,
                .caps = kCapsTexture,
                .caps3 = kCaps3AutoGenMipMap,
                .format = kL8,
                .width = 2,
                .height = 2,
                .levels = 2});
  scene.Update(5, {1, 2, 3, 5});
  scene.Run(Op::kGenerateMipSubLevels, {5, 2});
  CHECK(scene.Read(5, 1) == Bytes8{3});
  scene.Run(Op::kGenerateMipSubLevels, {5, 1});
  CHECK(scene.Read(5, 1) == Bytes8{1});
  scene.Texture(6, kL8, 2, 2);
  scene.Run(Op::kGenerateMipSubLevels, {5, 0, 5, 9, 6, 1, 99, 1}, 4);
  CHECK(scene.Ids() == Ids{"DP2-MIPGEN-003", "DP2-MIPGEN-003", "DP2-MIPGEN-002", "DP2-MIPGEN-001"});
}

TEST_CASE("COMPOSERECTS: operations on bits") {
  Scene scene;
  for (const uint32_t handle : {5U, 6U})
    scene.Create({.handle = handle, .caps = kCapsTexture, .format = kA1, .width = 8, .height = 1});
  scene.Update(5, {0b11001010});
  scene.Update(6, {0b00001111});
  scene.Buffer(7,
               TokenBytes().U16({0, 0, 4, 1, 6, 0, 4, 1}).bytes());  // source: x, y, width, height
  // Index, reserved, x, y.
  scene.Buffer(8, TokenBytes().U16({0, 0, 2, 0, 1, 0, 0, 0, 9, 0, 0, 0}).bytes());
  const auto compose = [&scene](uint32_t count, uint32_t operation, uint32_t x_offset) {
    scene.Run(Op::kComposeRects, {5, 6, 7, count, 8, operation, x_offset, 0});
    const uint8_t bits = scene.Read(6)[0];
    scene.Update(6, {0b00001111});
    return bits;
  };
  // Bits 1100 placed at x = 2; the second source rectangle sticks out, the third does not exist.
  CHECK(compose(3, 1, 0) == 0b00110011);
  CHECK(compose(1, 2, 0) == 0b00111111);
  CHECK(compose(1, 3, 0) == 0b00000011);
  CHECK(compose(1, 4, 0) == 0b00001111);
  CHECK(compose(1, 4, 2) == 0b00000011);
  CHECK(compose(1, 1, 4) == 0b00001111);  // cut at the right edge: 11 at x = 6
  CHECK(compose(1, 1, static_cast<uint32_t>(-3)) == 0b10001111);  // cut at the left edge
  CHECK(scene.Ids() == Ids{"DP2-COMPOSE-003"});                   // the third descriptor
  compose(1, 5, 0);
  compose(0x10000, 1, 0);
  scene.Run(Op::kComposeRects, {5, 5, 7, 1, 8, 1, 0, 0});
  scene.Run(Op::kComposeRects, {5, 6, 5, 1, 8, 1, 0, 0});
  CHECK(scene.Ids() == Ids{"DP2-COMPOSE-003", "DP2-COMPOSE-002", "DP2-COMPOSE-003",
                           "DP2-COMPOSE-001", "DP2-COMPOSE-001"});
}

TEST_CASE("Blt events: copies with the surface's colour key, fills, stretching") {
  Scene scene;
  scene.Create({.handle = 5,
                .format = kR5G6B5,
                .width = 2,
                .height = 1,
                .color_key = d3d::ColorKey{0x0201, 0x0201}});
  scene.Create({.handle = 6, .format = kR5G6B5, .width = 2, .height = 1});
  scene.Update(5, {1, 2, 3, 4});
  scene.Collect(3, scene.device.OnBlt({.src = 5, .dest = 6, .flags = 0x8000}));
  CHECK(scene.Read(6) == Bytes8{0, 0, 3, 4});
  scene.Collect(3, scene.device.OnBlt({.src = 5, .dest = 6}));
  CHECK(scene.Read(6) == Bytes8{1, 2, 3, 4});
  scene.Collect(3, scene.device.OnBlt({.src = 5, .src_rect = d3d::Rect{1, 0, 2, 1}, .dest = 6}));
  CHECK(scene.Read(6) == Bytes8{3, 4, 3, 4});
  scene.Collect(3, scene.device.OnBlt({.kind = trace::BltKind::kColorFill,
                                       .dest = 6,
                                       .dest_rect = d3d::Rect{0, 0, 1, 1},
                                       .fill = 0xABCD}));
  CHECK(scene.Read(6) == Bytes8{0xCD, 0xAB, 3, 4});
  scene.Collect(
      3, scene.device.OnBlt(
             {.kind = trace::BltKind::kDepthFill, .dest = kDepthSurface, .fill = 0x12345678}));
  CHECK(scene.Read(kDepthSurface)[1] == 0x56);
  CHECK(scene.Read(kDepthSurface)[0] == 0);  // stencil
  scene.Collect(3, scene.device.OnBlt({.src = 5, .dest = 6, .ddrval = 0x80004005}));
  CHECK(scene.findings.empty());
  scene.Collect(3, scene.device.OnBlt({.src = 5, .src_rect = d3d::Rect{0, 0, 3, 1}, .dest = 6}));
  scene.Collect(3, scene.device.OnBlt({.src = 5, .dest = 6, .dest_rect = d3d::Rect{-1, 0, 1, 1}}));
  scene.Collect(3, scene.device.OnBlt({.src = 5, .dest = 66}));
  scene.Collect(3, scene.device.OnBlt({.src = 5, .dest = kDepthSurface}));
  CHECK(scene.Ids() ==
        Ids{"REPLAY-SURFACE-002", "REPLAY-SURFACE-002", "DP2-SURF-002", "DP2-BLT-010"});
}

TEST_CASE("Blt events: P8 expands through the palette that a context bound") {
  Scene scene;
  scene.Texture(5, kP8, 1);
  scene.Texture(6, kA8R8G8B8, 1);
  scene.Update(5, {3});
  scene.Run(Op::kSetPalette, {7, 0, 5});
  scene.Run(TokenBytes().Op(Op::kUpdatePalette, 1).U32({7}).U16({3, 1}).U32({0x00102030}));
  scene.Collect(3, scene.device.OnBlt({.src = 5, .dest = 6}));
  CHECK(scene.Read(6) == Bytes8{0x30, 0x20, 0x10, 0xFF});
}
