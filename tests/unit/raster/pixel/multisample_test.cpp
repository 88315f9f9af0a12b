#include <doctest/doctest.h>

#include <utility>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

// Bit s: sample s of the pixel is not 0.
uint32_t Samples(Scene& scene, uint32_t x, uint32_t y, uint32_t count) {
  uint32_t result = 0;
  for (uint32_t s = 0; s < count; ++s) {
    if (scene.Pixel(x, y, s) != 0) result |= 1U << s;
  }
  return result;
}

}  // namespace

TEST_CASE("Multisample: each sample has its own coverage at the standard positions") {
  Scene two(Format::A8R8G8B8, 8, 8, 2);
  two.DrawRectangle(2, 2, 4, 4);  // samples at +1/4 and -1/4
  CHECK(Samples(two, 2, 2, 2) == 1);
  CHECK(Samples(two, 3, 3, 2) == 3);
  CHECK(Samples(two, 4, 4, 2) == 2);
  CHECK(Samples(two, 2, 4, 2) == 0);
  Scene four(Format::A8R8G8B8, 8, 8, 4);
  four.DrawRectangle(2, 0, 8, 8);  // right of the centre: samples 1 and 3
  CHECK(Samples(four, 2, 4, 4) == 0xA);
  Scene eight(Format::A8R8G8B8, 8, 8, 8);
  eight.DrawRectangle(0, 2, 8, 8);  // below the centre: y = 3, 1, 5, 7
  CHECK(Samples(eight, 4, 2, 8) == 0x56);
}

TEST_CASE("Multisample: without MULTISAMPLEANTIALIAS the centre stands for every sample") {
  Scene scene(Format::A8R8G8B8, 8, 8, 4);
  scene.Set(RenderState::MultisampleAntialias, 0);
  CHECK(scene.DrawRectangle(2, 2, 4, 4) == 4);
  CHECK(Samples(scene, 2, 2, 4) == 15);
  CHECK(Samples(scene, 4, 4, 4) == 0);
}

TEST_CASE("Multisample: the mask enables samples for draws and not for clears (fact G30)") {
  Scene scene(Format::A8R8G8B8, 4, 4, 2);
  scene.Set(RenderState::MultisampleMask, 5);
  scene.Fill(0xFFFF0000);
  CHECK(scene.Pixel(1, 1, 1) == 0xFFFF0000);
  scene.DrawRectangle(-2, -2, 8, 8);
  CHECK(scene.Pixel(1, 1, 0) == 0xFFFFFFFF);
  CHECK(scene.Pixel(1, 1, 1) == 0xFFFF0000);
  Scene single(Format::A8R8G8B8, 4, 4);
  single.Set(RenderState::MultisampleMask, 0);
  CHECK(single.DrawRectangle(0, 0, 4, 4) == 16);
}

TEST_CASE("Multisample: alpha to coverage draws to as many samples as alpha is large") {
  constexpr uint32_t kAtoc = 0x434F5441, kA2m1 = 0x314D3241;
  Scene scene(Format::A8R8G8B8, 4, 4, 4);
  scene.program.color = {1, 1, 1, 0.5F};
  scene.DrawRectangle(-2, -2, 8, 8);
  CHECK(Samples(scene, 1, 1, 4) == 15);
  for (const auto& [state, code] :
       {std::pair{RenderState::AdaptiveTessY, kAtoc}, std::pair{RenderState::PointSize, kA2m1}}) {
    scene.Fill(0);
    scene.Set(state, code);
    scene.DrawRectangle(-2, -2, 8, 8);
    CHECK(Samples(scene, 1, 1, 4) == 3);
    scene.Set(state, 0);
  }
  Scene single(Format::A8R8G8B8, 4, 4);
  single.program.color = {1, 1, 1, 0.25F};
  single.Set(RenderState::AdaptiveTessY, kAtoc);
  CHECK(single.DrawRectangle(0, 0, 4, 4) == 16);
}

TEST_CASE("Multisample: depth is evaluated and tested per sample") {
  Scene scene(Format::A8R8G8B8, 8, 8, 2);
  scene.AddDepth(Format::D16);
  scene.Fill(0);
  scene.DrawPolygon({At(-8, -8, -0.5F), At(24, -8, 1.5F), At(24, 8, 1.5F), At(-8, 8, -0.5F)});
  // z = x / 16; samples of pixel 4 at 4.25 and 3.75.
  CHECK(Scene::Word(scene.depth[0], 4, 4, 0) == 17408);  // 17407.73
  CHECK(Scene::Word(scene.depth[0], 4, 4, 1) == 15360);  // 15359.77
  scene.Fill(0, 0.25F);
  CHECK(scene.DrawPolygon(
            {At(-8, -8, -0.5F), At(24, -8, 1.5F), At(24, 8, 1.5F), At(-8, 8, -0.5F)}) == 5 * 8);
  CHECK(Samples(scene, 4, 4, 2) == 2);
}

TEST_CASE("Multisample: centroid inputs stay inside of the primitive") {
  // The diffuse colour is x / 16 over a rectangle from x = 2.25 on. Pixel 2: its centre is outside, samples 1 and 3 of four are at
  // 2.375 and 2.125, so that only the first is covered. Pixel 3: the centre is inside.
  const auto red_of = [](uint32_t x, uint32_t centroid_mask, bool is_multisampled) {
    Scene scene(Format::A8R8G8B8, 8, 8, 4);
    scene.Set(RenderState::MultisampleAntialias, is_multisampled ? 1 : 0);
    scene.options.centroid_mask = centroid_mask;
    const Float4 start = {2.25F / 16, 0, 0, 1};
    const Float4 end = {1, 0, 0, 1};
    scene.DrawPolygon({WithDiffuse(At(2.25F, 0), start), WithDiffuse(At(16, 0), end),
                       WithDiffuse(At(16, 8), end), WithDiffuse(At(2.25F, 8), start)});
    for (const Quad& quad : scene.program.quads) {
      if (quad.y == 4 && quad.x == static_cast<int32_t>(x & ~1U))
        return quad.varyings[kDiffuseSlot][x & 1][0];
    }
    return -1.0F;
  };
  const uint32_t diffuse = 1U << kDiffuseSlot;
  CHECK(red_of(2, 0, true) == doctest::Approx(2.0 / 16));
  CHECK(red_of(2, diffuse, true) == doctest::Approx(2.375 / 16));
  CHECK(red_of(2, 1U << kTexcoordSlot, true) == doctest::Approx(2.0 / 16));
  CHECK(red_of(3, diffuse, true) == doctest::Approx(3.0 / 16));
  // Without samples the centre decides; pixel 2 is a helper of pixel 3.
  CHECK(red_of(2, diffuse, false) == doctest::Approx(2.0 / 16));
}

TEST_CASE("Multisample: points cover samples, lines whole pixels") {
  Scene scene(Format::A8R8G8B8, 8, 8, 2);
  scene.DrawPoint(At(3, 3), 2);  // [2, 4)
  CHECK(Samples(scene, 2, 2, 2) == 1);
  CHECK(Samples(scene, 4, 4, 2) == 2);
  scene.DrawLine(At(0, 6), At(7, 6));
  CHECK(Samples(scene, 5, 6, 2) == 3);
}
