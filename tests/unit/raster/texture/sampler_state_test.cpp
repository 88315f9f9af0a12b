#include <doctest/doctest.h>

#include "raster/texture/sampler.h"
#include "stage_scene.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using Tss = d3d::TextureStageState;

namespace {

// MAG, MIN and MIP filter of stage 0 with these numbers.
SamplerState StateWith(uint32_t runtime_version, uint32_t mag, uint32_t min, uint32_t mip) {
  StageScene scene(9, runtime_version);
  scene.Set(0, Tss::MagFilter, mag);
  scene.Set(0, Tss::MinFilter, min);
  scene.Set(0, Tss::MipFilter, mip);
  return SamplerStateOf(scene.context(), 0);
}

}  // namespace

TEST_CASE("SamplerState: filters of DX8 and DX9 are D3DTEXF") {
  CHECK(StateWith(4, 3, 3, 0).mag == Filter::kAnisotropic);
  CHECK(StateWith(4, 4, 5, 1).mag == Filter::kFlatCubic);
  CHECK(StateWith(5, 4, 5, 1).min == Filter::kGaussianCubic);
  CHECK(StateWith(5, 6, 7, 1).mag == Filter::kPyramidalQuad);
  CHECK(StateWith(5, 6, 7, 1).min == Filter::kGaussianQuad);
  CHECK(StateWith(5, 0, 1, 0).mip == Filter::kNone);
  CHECK(StateWith(5, 0, 1, 1).mip == Filter::kPoint);
  CHECK(StateWith(5, 0, 1, 2).mip == Filter::kLinear);
}

TEST_CASE("SamplerState: filters below DX8 have their own numbers") {
  CHECK(StateWith(3, 3, 3, 1).mag == Filter::kFlatCubic);
  CHECK(StateWith(3, 4, 3, 1).mag == Filter::kGaussianCubic);
  CHECK(StateWith(3, 5, 3, 1).mag == Filter::kAnisotropic);
  CHECK(StateWith(3, 5, 3, 1).min == Filter::kAnisotropic);
  CHECK(StateWith(0, 1, 2, 1).min == Filter::kLinear);
  CHECK(StateWith(3, 1, 1, 1).mip == Filter::kNone);
  CHECK(StateWith(3, 1, 1, 2).mip == Filter::kPoint);
  CHECK(StateWith(3, 1, 1, 3).mip == Filter::kLinear);
}

TEST_CASE(
    "SamplerState: filter numbers outside the enumeration are POINT, and LINEAR between levels") {
  CHECK(StateWith(5, 100, 100, 100).mag == Filter::kPoint);
  CHECK(StateWith(3, 6, 4, 4).min == Filter::kPoint);
  CHECK(StateWith(5, 1, 1, 3).mip == Filter::kLinear);
}

TEST_CASE("SamplerState: bit 0 of SRGBTEXTURE decides") {  // fact P24
  StageScene scene;
  for (const uint32_t value : {0U, 2U, 100U, 0x7E41882AU}) {
    scene.Set(0, Tss::SrgbTexture, value);
    CHECK_FALSE(SamplerStateOf(scene.context(), 0).srgb);
  }
  scene.Set(0, Tss::SrgbTexture, 3);
  CHECK(SamplerStateOf(scene.context(), 0).srgb);
}

TEST_CASE("SamplerState: the other states are those of the slot") {
  StageScene scene;
  scene.Set(2, Tss::AddressU, 2);
  scene.Set(2, Tss::AddressV, 3);
  scene.Set(2, Tss::AddressW, 4);
  scene.SetReal(2, Tss::MipMapLodBias, -0.5F);
  scene.Set(2, Tss::MaxMipLevel, 3);
  scene.Set(2, Tss::MaxAnisotropy, 4);
  scene.Set(2, Tss::BorderColor, 0x12345678);
  const SamplerState state = SamplerStateOf(scene.context(), 2);
  CHECK(state.address == std::array<uint32_t, 3>{2, 3, 4});
  CHECK(state.lod_bias == -0.5F);
  CHECK(state.max_mip_level == 3);
  CHECK(state.max_anisotropy == 4);
  CHECK(state.border_color == 0x12345678);
  CHECK(SamplerStateOf(scene.context(), 0).address == std::array<uint32_t, 3>{1, 1, 1});
}

TEST_CASE("ColorKeyMode: COLORKEYBLENDENABLE changes what COLORKEYENABLE does") {
  StageScene scene;
  CHECK(ColorKeyModeOf(scene.context().state) == ColorKeyMode::kOff);
  scene.Set(d3d::RenderState::ColorKeyBlendEnable, 1);
  CHECK(ColorKeyModeOf(scene.context().state) == ColorKeyMode::kOff);
  scene.Set(d3d::RenderState::ColorKeyEnable, 1);
  CHECK(ColorKeyModeOf(scene.context().state) == ColorKeyMode::kBlend);
  scene.Set(d3d::RenderState::ColorKeyBlendEnable, 0);
  CHECK(ColorKeyModeOf(scene.context().state) == ColorKeyMode::kKill);
}

TEST_CASE("MakeSampler: nothing without a texture") {
  StageScene scene;
  CHECK(MakeSampler(scene.context(), 0) == nullptr);
  scene.BindColor(0, 0xFF00FF00);
  CHECK(MakeSampler(scene.context(), 0)->format().format == d3d::Format::A8R8G8B8);
}
