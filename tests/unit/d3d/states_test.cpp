#include "d3d/states.h"

#include <doctest/doctest.h>

#include <bit>
#include <limits>

using namespace dp2trace;       // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::d3d;  // NOLINT(google-build-using-namespace): test file

namespace {

uint32_t Bits(float value) {
  return std::bit_cast<uint32_t>(value);
}
bool IsLegal(RenderState state, uint32_t value, uint32_t level = 9, bool d3d9ex = false) {
  return IsLegalValue(Info(state), value, level, d3d9ex, level < 8 ? 3 : level - 4);
}
bool IsLegal(TextureStageState state, uint32_t value, uint32_t level = 9,
             uint32_t runtime_version = 5) {
  return IsLegalValue(Info(state), value, level, false, runtime_version);
}

}  // namespace

TEST_CASE("RenderState: every row is found by number and by its names") {
  for (const StateInfo& row : AllRenderStates()) {
    CAPTURE(row.name);
    CHECK(FindRenderState(row.code) == &row);
    CHECK(FindRenderStateByName(row.name) == &row);
    CHECK((row.dx7_name.empty() || row.first_level <= 7));
    CHECK((row.dx9_name.empty() || row.last_level >= 8));
  }
  CHECK(FindRenderStateByName("") == nullptr);
  CHECK(FindRenderStateByName("zenable") == nullptr);
}

TEST_CASE("RenderState: gaps have no row") {
  CHECK(AllRenderStates().size() == 173);
  for (const uint32_t gap :
       {0U, 63U, 96U, 127U, 149U, 150U, 177U, 210U, 255U, 256U, 263U, 0xFFFFFFFFU}) {
    CAPTURE(gap);
    CHECK(FindRenderState(gap) == nullptr);
  }
  CHECK(Value(RenderState::StipplePattern31) == 95);
  CHECK(WrapState(7) == Value(RenderState::Wrap7));
  CHECK(WrapState(8) == Value(RenderState::Wrap8));
  CHECK(WrapState(15) == 205);
}

TEST_CASE("RenderState: generations, types and actions") {
  CHECK(Info(RenderState::ZBias).last_level == 8);
  CHECK(Info(RenderState::DepthBias).first_level == 9);
  CHECK(Info(RenderState::TexturePerspective).dx9_name.empty());
  CHECK(Info(RenderState::PointSize).type == ValueType::kF32);
  CHECK(Info(RenderState::ZFunc).names == &kCompareFuncNames);
  CHECK(Info(RenderState::Wrap8).names == &kWrapCoordNames);
  CHECK(Info(RenderState::LinePattern).type == ValueType::kU16Pair);
  for (const StateInfo& row : AllRenderStates()) {
    CAPTURE(row.code);
    CHECK(row.has_side_effect ==
          (row.code == 50 || row.code == 61 || row.code == 62 || row.code == 169));
  }
}

TEST_CASE("RenderState: defaults") {
  CHECK(DefaultRenderState(Value(RenderState::TexturePerspective), 6) == 0);
  CHECK(DefaultRenderState(Value(RenderState::TexturePerspective), 7) == 1);
  CHECK(DefaultRenderState(Value(RenderState::SpecularEnable), 6) == 1);
  CHECK(DefaultRenderState(Value(RenderState::SpecularEnable), 9) == 0);
  CHECK(DefaultRenderState(Value(RenderState::ZEnable), 9) == 1);
  CHECK(DefaultRenderState(Value(RenderState::ZEnable), 9, false) == 0);
  CHECK(DefaultRenderState(Value(RenderState::PointSizeMax), 9) == Bits(64.0F));
  CHECK(DefaultRenderState(Value(RenderState::TextureFactor), 8) == 0xFFFFFFFF);
  CHECK(DefaultRenderState(Value(RenderState::PositionDegree), 9) == Value(Degree::Cubic));
  CHECK(DefaultRenderState(63, 9) == 0);
}

TEST_CASE("RenderState: every default is legal") {
  for (const StateInfo& row : AllRenderStates()) {
    CAPTURE(row.name);
    CHECK(IsLegalValue(row, DefaultRenderState(row.code, row.first_level), row.first_level, false,
                       3));
  }
}

TEST_CASE("RenderState: legal values of enumerations depend on level and state") {
  CHECK(IsLegal(RenderState::SrcBlend, 12));
  CHECK_FALSE(IsLegal(RenderState::DestBlend, 12));
  CHECK_FALSE(IsLegal(RenderState::SrcBlend, 14, 8));
  CHECK(IsLegal(RenderState::SrcBlend, 14, 9));
  CHECK_FALSE(IsLegal(RenderState::SrcBlend, 16, 9));
  CHECK(IsLegal(RenderState::SrcBlend, 16, 9, true));
  CHECK_FALSE(IsLegal(RenderState::VertexBlend, 255, 7));
  CHECK(IsLegal(RenderState::VertexBlend, 256, 8));
  CHECK_FALSE(IsLegal(RenderState::VertexBlend, 4));
  CHECK_FALSE(IsLegal(RenderState::NormalDegree, 3));
  CHECK(IsLegal(RenderState::PositionDegree, 3));
  CHECK_FALSE(IsLegal(RenderState::TextureAddress, 5));
  CHECK_FALSE(IsLegal(RenderState::ZEnable, 3));
}

TEST_CASE("RenderState: legal numbers, floats, flags and pairs") {
  CHECK(IsLegal(RenderState::AlphaRef, 255));
  CHECK_FALSE(IsLegal(RenderState::AlphaRef, 256));
  CHECK(IsLegal(RenderState::LinePattern, 0xFFFF00FF));
  CHECK_FALSE(IsLegal(RenderState::LinePattern, 0x00000100));
  CHECK(IsLegal(RenderState::FogDensity, Bits(1.0F)));
  CHECK_FALSE(IsLegal(RenderState::FogDensity, Bits(1.5F)));
  CHECK(IsLegal(RenderState::FogStart, Bits(-1e30F)));
  CHECK_FALSE(IsLegal(RenderState::FogStart, Bits(std::numeric_limits<float>::infinity())));
  CHECK_FALSE(IsLegal(RenderState::FogStart, Bits(std::numeric_limits<float>::quiet_NaN())));
  CHECK(IsLegal(RenderState::Wrap0, 3, 6));
  CHECK_FALSE(IsLegal(RenderState::Wrap0, 4, 6));
  CHECK(IsLegal(RenderState::Wrap0, 15, 7));
  CHECK_FALSE(IsLegal(RenderState::ColorWriteEnable, 16));
  CHECK(IsLegal(RenderState::Lighting, 0x80000000));
}

TEST_CASE("TextureStageState: rows and names") {
  CHECK(AllTextureStageStates().size() == 35);
  for (const StateInfo& row : AllTextureStageStates()) {
    CAPTURE(row.name);
    CHECK(FindTextureStageState(row.code) == &row);
    CHECK(FindTextureStageStateByName(row.name) == &row);
  }
  CHECK(FindTextureStageState(35) == nullptr);
  CHECK(Info(TextureStageState::Address).dx9_name.empty());
  CHECK(Info(TextureStageState::AddressW).dx7_name.empty());
}

TEST_CASE("TextureStageState: defaults depend on stage and runtime") {
  CHECK(DefaultTextureStageState(Value(TextureStageState::ColorOp), 0, 5) ==
        Value(TextureOp::Modulate));
  CHECK(DefaultTextureStageState(Value(TextureStageState::ColorOp), 1, 5) ==
        Value(TextureOp::Disable));
  CHECK(DefaultTextureStageState(Value(TextureStageState::AlphaOp), 0, 5) ==
        Value(TextureOp::SelectArg1));
  CHECK(DefaultTextureStageState(Value(TextureStageState::TexcoordIndex), 3, 5) == 3);
  CHECK(DefaultTextureStageState(Value(TextureStageState::MipFilter), 0, 3) == 1);
  CHECK(DefaultTextureStageState(Value(TextureStageState::MipFilter), 0, 4) == 0);
  for (const StateInfo& row : AllTextureStageStates()) {
    CAPTURE(row.name);
    CHECK(IsLegalValue(row, DefaultTextureStageState(row.code, 0, 5), 9, false, 5));
    CHECK(IsLegalValue(row, DefaultTextureStageState(row.code, 7, 3), 7, false, 3));
  }
}

TEST_CASE("TextureStageState: the same filter number means different filters") {
  const StateInfo& mip = Info(TextureStageState::MipFilter);
  const StateInfo& mag = Info(TextureStageState::MagFilter);
  CHECK(NameOf(*ValueNames(mip, 3), 1) == "NONE");
  CHECK(NameOf(*ValueNames(mip, 4), 1) == "POINT");
  CHECK(NameOf(*ValueNames(mag, 2), 5) == "ANISOTROPIC");
  CHECK(NameOf(*ValueNames(mag, 5), 3) == "ANISOTROPIC");
  CHECK(ValueNames(Info(TextureStageState::ColorOp), 2) == &kTextureOpNames);
  CHECK(IsLegal(TextureStageState::MipFilter, 3, 9, 3));
  CHECK_FALSE(IsLegal(TextureStageState::MipFilter, 3, 7, 4));
  CHECK_FALSE(IsLegal(TextureStageState::MipFilter, 0, 9, 3));
  CHECK(IsLegal(TextureStageState::MagFilter, 4, 9, 4));
  CHECK_FALSE(IsLegal(TextureStageState::MagFilter, 4, 9, 5));
  CHECK(IsLegal(TextureStageState::MagFilter, 6, 9, 5));
  CHECK_FALSE(IsLegal(TextureStageState::MagFilter, 8, 9, 5));
  CHECK_FALSE(IsLegal(TextureStageState::MinFilter, 4, 9, 3));
}

TEST_CASE("TextureStageState: legal values") {
  CHECK(IsLegal(TextureStageState::ColorOp, 18));
  CHECK_FALSE(IsLegal(TextureStageState::AlphaOp, 18));
  CHECK(IsLegal(TextureStageState::AlphaOp, 24));
  CHECK_FALSE(IsLegal(TextureStageState::ColorOp, 25, 7));
  CHECK_FALSE(IsLegal(TextureStageState::ColorOp, 0));
  CHECK(IsLegal(TextureStageState::ColorArg1, 0x36));
  CHECK_FALSE(IsLegal(TextureStageState::ColorArg1, 6, 8));
  CHECK_FALSE(IsLegal(TextureStageState::ColorArg1, 0x42));
  CHECK(IsLegal(TextureStageState::ResultArg, 5));
  CHECK_FALSE(IsLegal(TextureStageState::ResultArg, 2));
  CHECK_FALSE(IsLegal(TextureStageState::ResultArg, 0x11));
  CHECK(IsLegal(TextureStageState::TexcoordIndex, 0x00030007, 7));
  CHECK_FALSE(IsLegal(TextureStageState::TexcoordIndex, 0x00040000, 7));
  CHECK(IsLegal(TextureStageState::TexcoordIndex, 0x00040000, 8));
  CHECK_FALSE(IsLegal(TextureStageState::TexcoordIndex, 0x00010000, 6));
  CHECK_FALSE(IsLegal(TextureStageState::TexcoordIndex, 8));
  CHECK(IsLegal(TextureStageState::TextureTransformFlags, 0x100));
  CHECK_FALSE(IsLegal(TextureStageState::TextureTransformFlags, 5));
  CHECK(IsLegal(TextureStageState::BumpEnvMat00, Bits(-8.0F)));
  CHECK(IsLegal(TextureStageState::BumpEnvMat00, Bits(7.9999995F)));
  CHECK_FALSE(IsLegal(TextureStageState::BumpEnvMat00, Bits(8.0F)));
  CHECK_FALSE(IsLegal(TextureStageState::AddressU, 5, 7));
  CHECK(IsLegal(TextureStageState::AddressU, 5, 8));
}

TEST_CASE("TextureStageState: stages of combiner and sampler states") {
  const StateInfo& color_op = Info(TextureStageState::ColorOp);
  const StateInfo& texture_map = Info(TextureStageState::TextureMap);
  CHECK(IsLegalStage(color_op, 7, 9));
  CHECK_FALSE(IsLegalStage(color_op, 8, 9));
  CHECK(IsLegalStage(texture_map, 15, 9));
  CHECK_FALSE(IsLegalStage(texture_map, 16, 9));
  CHECK(IsLegalStage(texture_map, 256, 9));
  CHECK(IsLegalStage(texture_map, 260, 9));
  CHECK_FALSE(IsLegalStage(texture_map, 261, 9));
  CHECK_FALSE(IsLegalStage(texture_map, 8, 8));
}
