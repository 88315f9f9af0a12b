#include "raster/pixel/blend.h"

#include <doctest/doctest.h>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::BlendFactor;
using d3d::BlendOp;

// Numbers without rounding.
constexpr Float4 kSource = {0.5F, 0.25F, 1, 0.75F};
constexpr Float4 kDestination = {0.25F, 1, 0.5F, 0.5F};
constexpr Float4 kSecond = {0.125F, 0.5F, 0, 1};

device::State BlendState(uint32_t source, uint32_t destination, uint32_t operation = 1) {
  device::State state(9, 5, true);
  state.render[d3d::Value(RenderState::AlphaBlendEnable)] = 1;
  state.render[d3d::Value(RenderState::SrcBlend)] = source;
  state.render[d3d::Value(RenderState::DestBlend)] = destination;
  state.render[d3d::Value(RenderState::BlendOp)] = operation;
  state.render[d3d::Value(RenderState::BlendFactor)] = 0x00FF00FF;  // (1, 0, 1, 0)
  return state;
}

Float4 Blended(const device::State& state) {
  return Blend(MakeBlendPlan(state), kSource, kSecond, kDestination);
}

void SetBlend(Scene& scene, BlendFactor source, BlendFactor destination) {
  scene.Set(RenderState::AlphaBlendEnable, 1);
  scene.Set(RenderState::SrcBlend, d3d::Value(source));
  scene.Set(RenderState::DestBlend, d3d::Value(destination));
}

}  // namespace

TEST_CASE("Blend: every factor on the source") {
  const Float4 expected[] = {
      {0, 0, 0, 0},                       // ZERO
      {0.5F, 0.25F, 1, 0.75F},            // ONE
      {0.25F, 0.0625F, 1, 0.5625F},       // SRCCOLOR
      {0.25F, 0.1875F, 0, 0.1875F},       // INVSRCCOLOR
      {0.375F, 0.1875F, 0.75F, 0.5625F},  // SRCALPHA
      {0.125F, 0.0625F, 0.25F, 0.1875F},  // INVSRCALPHA
      {0.25F, 0.125F, 0.5F, 0.375F},      // DESTALPHA
      {0.25F, 0.125F, 0.5F, 0.375F},      // INVDESTALPHA
      {0.125F, 0.25F, 0.5F, 0.375F},      // DESTCOLOR
      {0.375F, 0, 0.5F, 0.375F},          // INVDESTCOLOR
      {0.25F, 0.125F, 0.5F, 0.75F},       // SRCALPHASAT: min(0.75, 0.5), alpha 1
  };
  for (uint32_t i = 0; i < 11; ++i)
    CHECK(Blended(BlendState(i + 1, 1)) == expected[i]);
  CHECK(Blended(BlendState(14, 1)) == Float4{0.5F, 0, 1, 0});
  CHECK(Blended(BlendState(15, 1)) == Float4{0, 0.25F, 0, 0.75F});
  CHECK(Blended(BlendState(16, 1)) == Float4{0.0625F, 0.125F, 0, 0.75F});
  CHECK(Blended(BlendState(17, 1)) == Float4{0.4375F, 0.125F, 1, 0});
}

TEST_CASE("Blend: BOTH factors of the source decide the destination, too") {
  CHECK(Blended(BlendState(12, 2)) == Float4{0.4375F, 0.4375F, 0.875F, 0.6875F});
  CHECK(Blended(BlendState(13, 2)) == Float4{0.3125F, 0.8125F, 0.625F, 0.5625F});
}

TEST_CASE("Blend: operations; minimum and maximum ignore the factors") {
  CHECK(Blended(BlendState(2, 2, 1)) == Float4{0.75F, 1.25F, 1.5F, 1.25F});
  CHECK(Blended(BlendState(2, 2, 2)) == Float4{0.25F, -0.75F, 0.5F, 0.25F});
  CHECK(Blended(BlendState(2, 2, 3)) == Float4{-0.25F, 0.75F, -0.5F, -0.25F});
  CHECK(Blended(BlendState(1, 1, 4)) == Float4{0.25F, 0.25F, 0.5F, 0.5F});
  CHECK(Blended(BlendState(1, 1, 5)) == Float4{0.5F, 1, 1, 0.75F});
}

TEST_CASE("Blend: alpha has its own equation where it is enabled") {
  device::State state = BlendState(2, 1);
  state.render[d3d::Value(RenderState::SrcBlendAlpha)] = 1;
  state.render[d3d::Value(RenderState::DestBlendAlpha)] = 2;
  state.render[d3d::Value(RenderState::BlendOpAlpha)] = 3;
  CHECK(Blended(state)[3] == 0.75F);
  state.render[d3d::Value(RenderState::SeparateAlphaBlendEnable)] = 1;
  CHECK(Blended(state) == Float4{0.5F, 0.25F, 1, 0.5F});
}

TEST_CASE("Blend: numbers without meaning act as the defaults") {
  CHECK(Blended(BlendState(0, 99, 77)) == kSource);
}

TEST_CASE("Blend: facts B1 to B4 on 8-bit targets") {
  Scene scene;
  scene.Fill(0xFFFF0000);
  scene.program.color = {0, 1, 0, 0.25F};
  SetBlend(scene, BlendFactor::SrcAlpha, BlendFactor::InvSrcAlpha);
  scene.DrawRectangle(0, 0, 4, 4);
  CHECK((scene.Pixel(0, 0) & 0xFFFFFF) == 0xBF4000);
  // B2, B3: alpha of the target, 1 where the format has none.
  scene.Fill(0x80FF0000);
  scene.program.color = {0, 0, 1, 1};
  SetBlend(scene, BlendFactor::DestAlpha, BlendFactor::InvDestAlpha);
  scene.DrawRectangle(0, 0, 4, 4);
  CHECK((scene.Pixel(0, 0) & 0xFFFFFF) == 0x7F0080);
  Scene opaque(Format::X8R8G8B8);
  opaque.Fill(0x80FF0000);
  opaque.program.color = {0, 0, 1, 1};
  SetBlend(opaque, BlendFactor::DestAlpha, BlendFactor::InvDestAlpha);
  opaque.DrawRectangle(0, 0, 4, 4);
  CHECK(opaque.Pixel(0, 0) == 0x0000FF);
}

TEST_CASE("Blend: inputs are clamped on UNORM targets and not on float targets") {
  Scene scene;
  scene.Fill(0xFF808080);
  scene.program.color = {2, -1, 0.5F, 1};
  SetBlend(scene, BlendFactor::One, BlendFactor::One);
  scene.Set(RenderState::BlendOp, d3d::Value(BlendOp::RevSubtract));
  scene.DrawRectangle(0, 0, 4, 4);
  CHECK((scene.Pixel(0, 0) & 0xFFFFFF) == 0x008001);  // 0.50196 - 0.5 = 0.5 / 255, half up
  Scene real(Format::A32B32G32R32F);
  real.program.color = {2, -1, 0.5F, 1};
  SetBlend(real, BlendFactor::One, BlendFactor::One);
  real.DrawRectangle(0, 0, 4, 4);
  real.DrawRectangle(0, 0, 4, 4);
  CHECK(real.Real(0, 0, 0) == 4);
  CHECK(real.Real(0, 0, 1) == -2);
}
