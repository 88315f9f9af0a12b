#include "raster/texture/lod.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "texture_scene.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// Greys of the three levels of a 4 x 4 texture.
constexpr uint8_t kGreys[] = {10, 20, 30};

// The level that magnification reads.
int LevelWith(Filter mip, uint32_t max_mip_level, uint32_t lod) {
  device::Resource texture = MakeMipTexture(4, {kGreys[0], kGreys[1], kGreys[2]});
  texture.lod = lod;
  SamplerState state = StateOf(Filter::kPoint);
  state.mip = mip;
  state.max_mip_level = max_mip_level;
  return static_cast<int>(ToArgb(Sample(texture, state, {}).color) & 0xFF) / 10 - 1;
}

LevelChoice Choose(const SamplerState& state, float ddx_texels, float ddy_texels, float bias = 0,
                   LodRequest::Kind kind = LodRequest::Kind::kDerivatives) {
  const Extent extent = {.size = {64, 64, 1}, .axes = 2, .first_level = 0, .last_level = 6};
  Footprint footprint;
  footprint.ddx = {ddx_texels / 64.0F, 0, 0, 0};
  footprint.ddy = {0, ddy_texels / 64.0F, 0, 0};
  return ChooseLevels(state, extent, footprint, kind, bias);
}

SamplerState MipState(Filter mip) {
  SamplerState state = StateOf(Filter::kLinear);
  state.mag = Filter::kPoint;
  state.mip = mip;
  return state;
}

}  // namespace

TEST_CASE("LodLog2: exact at powers of two, near the logarithm between them") {
  CHECK(LodLog2(1.0F) == 0.0F);
  CHECK(LodLog2(8.0F) == 3.0F);
  CHECK(LodLog2(0x1p-120F) == -120.0F);
  CHECK(LodLog2(std::numeric_limits<float>::infinity()) == 128.0F);
  for (int i = 32; i < 128; ++i) {
    const float x = static_cast<float>(i) / 32;
    CHECK(std::abs(LodLog2(x) - std::log2(x)) < 2e-5F);
  }
}

TEST_CASE("Lod: MIP NONE ignores MAXMIPLEVEL and not SETTEXLOD") {  // facts X3, X5, X7
  for (const uint32_t max_mip_level : {0U, 1U, 2U, 3U}) {
    CHECK(LevelWith(Filter::kNone, max_mip_level, 0) == 0);
  }
  CHECK(LevelWith(Filter::kNone, 0, 1) == 1);
  CHECK(LevelWith(Filter::kNone, 2, 1) == 1);
}

TEST_CASE(
    "Lod: MIP POINT starts at the larger of MAXMIPLEVEL and SETTEXLOD, at most the last level") {  // facts X4, X6, X7
  CHECK(LevelWith(Filter::kPoint, 0, 0) == 0);
  CHECK(LevelWith(Filter::kPoint, 1, 0) == 1);
  CHECK(LevelWith(Filter::kPoint, 3, 0) == 2);
  CHECK(LevelWith(Filter::kPoint, 1, 2) == 2);
  CHECK(LevelWith(Filter::kPoint, 2, 1) == 2);
  CHECK(LevelWith(Filter::kPoint, 0xFFFFFFFF, 0xFFFFFFFF) == 2);
}

TEST_CASE("Lod: one texel per pixel is magnified, slightly more is minified") {
  CHECK(Choose(MipState(Filter::kNone), 1.0F, 1.0F).filter == Filter::kPoint);
  // 0.0014 rounds to 0 in 1/256.
  CHECK(Choose(MipState(Filter::kNone), 1.001F, 1.0F).filter == Filter::kPoint);
  CHECK(Choose(MipState(Filter::kNone), 1.01F, 1.0F).filter == Filter::kLinear);
  // The longer one counts.
  CHECK(Choose(MipState(Filter::kNone), 0.5F, 1.01F).filter == Filter::kLinear);
}

TEST_CASE("Lod: MIP POINT rounds to the nearest level") {
  CHECK(Choose(MipState(Filter::kPoint), 1.4F, 0).first == 0);  // 0.485
  CHECK(Choose(MipState(Filter::kPoint), 1.5F, 0).first == 1);  // 0.585
  CHECK(Choose(MipState(Filter::kPoint), 4.0F, 1.0F).first == 2);
  CHECK(Choose(MipState(Filter::kPoint), 1e30F, 0).first == 6);
}

TEST_CASE("Lod: MIP LINEAR blends two levels by 1/256") {
  const LevelChoice choice = Choose(MipState(Filter::kLinear), 2.0F, 0, 0.25F);
  CHECK(choice.first == 1);
  CHECK(choice.second == 2);
  CHECK(choice.fraction == 0.25F);
  const LevelChoice last = Choose(MipState(Filter::kLinear), 1e9F, 0);
  CHECK(last.first == 6);
  CHECK(last.fraction == 0);
}

TEST_CASE("Lod: biases add up and are limited to 16") {
  SamplerState state = MipState(Filter::kPoint);
  state.lod_bias = 1.5F;
  CHECK(Choose(state, 1.0F, 0, 0.5F).first == 2);
  state.lod_bias = 1000.0F;
  CHECK(Choose(state, 0x1p-20F, 0).first == 0);  // -20 + 16
  CHECK(Choose(state, 0x1p-14F, 0).first == 2);
}

TEST_CASE("Lod: without a derivative, and with one that is not a number, level 0 is magnified") {
  CHECK(Choose(MipState(Filter::kPoint), 0, 0).filter == Filter::kPoint);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(Choose(MipState(Filter::kPoint), nan, nan).filter == Filter::kPoint);
  SamplerState state = MipState(Filter::kLinear);
  state.min = Filter::kAnisotropic;
  state.max_anisotropy = 8;
  CHECK(Choose(state, nan, nan).first == 0);
}

TEST_CASE("Lod: an explicit level takes only the bias of the state and no derivatives") {
  SamplerState state = MipState(Filter::kPoint);
  state.lod_bias = 1.0F;
  CHECK(Choose(state, 64.0F, 64.0F, 2.0F, LodRequest::Kind::kExplicit).first == 3);
  CHECK(Choose(state, 64.0F, 64.0F, -1.0F, LodRequest::Kind::kExplicit).filter == Filter::kPoint);
  CHECK(Choose(state, 64.0F, 64.0F, 1e30F, LodRequest::Kind::kExplicit).first == 6);
}

TEST_CASE(
    "Lod: ANISOTROPIC takes as many samples as the footprint is longer than wide, and a finer level") {
  SamplerState state = MipState(Filter::kPoint);
  state.min = Filter::kAnisotropic;
  state.max_anisotropy = 2;
  const LevelChoice limited = Choose(state, 4.0F, 1.0F);  // 16 / 2^2 = 4: level 1
  CHECK(limited.samples == 2);
  CHECK(limited.first == 1);
  CHECK(limited.step[0] == 0.0625F);
  state.max_anisotropy = 16;
  const LevelChoice free = Choose(state, 4.0F, 10.0F);  // ratio 2.5: 3 samples, 100 / 9: level 1.74
  CHECK(free.samples == 3);
  CHECK(free.first == 2);
  CHECK(free.step[1] == 10.0F / 64.0F);
  state.max_anisotropy = 0xFFFFFFFF;
  CHECK(Choose(state, 64.0F, 0).samples == 16);
}

TEST_CASE("Lod: ANISOTROPIC with MAXANISOTROPY 1 is LINEAR") {
  SamplerState state = MipState(Filter::kPoint);
  state.min = Filter::kAnisotropic;
  state.max_anisotropy = 1;
  const LevelChoice choice = Choose(state, 4.0F, 1.0F);
  CHECK(choice.samples == 1);
  CHECK(choice.first == 2);
}

TEST_CASE("Lod: cubic filters do not minify") {
  SamplerState state = MipState(Filter::kNone);
  state.min = Filter::kFlatCubic;
  CHECK(Choose(state, 4.0F, 1.0F).filter == Filter::kLinear);
}
