#include <doctest/doctest.h>

#include <limits>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::RenderState;
using d3d::TextureStageState;
using d3d::TransformState;
namespace fvf = d3d::fvf;

float PointSizeOf(Scene& scene) {
  return scene.Processed().point_size;
}

}  // namespace

TEST_CASE("Fixed function: clip position is world, view, projection") {
  Scene scene(fvf::kXyz);
  scene.Floats({1, 2, 3});
  scene.Transform(TransformState::WorldMatrix0)[12] = 10;
  scene.Transform(TransformState::View)[14] = 1;
  scene.Transform(TransformState::Projection) = {2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0};
  CHECK(scene.Processed().position == Float4{22, 6, 3, 4});
}

TEST_CASE("Fixed function: missing colours are white and (0, 0, 0, 0)") {
  Scene scene(fvf::kXyz);
  scene.Floats({0, 0, 0});
  const Vertex vertex = scene.Processed();
  CHECK(vertex.varyings[kDiffuseSlot] == Float4{1, 1, 1, 1});
  CHECK(vertex.varyings[kSpecularSlot] == Float4{0, 0, 0, 0});
}

TEST_CASE("Fixed function: unlit colours are those of the vertex, clamped") {
  Scene scene(fvf::kXyz | fvf::kDiffuse | fvf::kSpecular);
  scene.Floats({0, 0, 0}).Word(0xFF00FF00U).Word(0x000000FFU);
  scene.context.state.material.diffuse = {};
  CHECK(scene.Processed().varyings[kDiffuseSlot] == Float4{0, 1, 0, 1});
  CHECK(scene.Processed().varyings[kSpecularSlot] == Float4{0, 0, 1, 0});

  Scene floats(fvf::kXyz);
  floats.Floats({0, 0, 0, 2, -1, std::numeric_limits<float>::quiet_NaN(), 0.5F});
  floats.layout.elements.push_back(
      {.offset = 12, .type = 3, .usage = d3d::Value(d3d::DeclUsage::Color) & 0xFF});
  CHECK(floats.Processed().varyings[kDiffuseSlot] == Float4{1, 0, 0, 0.5F});
}

TEST_CASE("Fixed function: transformed vertices pass as they are") {
  Scene scene(fvf::kXyzRhw | fvf::kDiffuse);
  scene.Floats({10, 20, 5, 0.25F}).Word(0xFFFF0000U);
  scene.Set(RenderState::Lighting, 1U);
  scene.Set(RenderState::ClipPlaneEnable, 1U);
  scene.context.state.clip_planes[0] = {0, 0, 0, -1};
  scene.Transform(TransformState::WorldMatrix0) = {};
  const Vertex vertex = scene.Processed();
  CHECK(vertex.position == Float4{10, 20, 5, 0.25F});
  CHECK(vertex.varyings[kDiffuseSlot] == Float4{1, 0, 0, 1});
  CHECK(vertex.plane_distances[0] == 0);
  CHECK(scene.Outputs().is_transformed);
}

TEST_CASE("Fixed function: enabled clip planes are in world space") {
  Scene scene(fvf::kXyz);
  scene.Floats({1, 2, 3});
  scene.Transform(TransformState::WorldMatrix0)[12] = 4;
  scene.Transform(TransformState::View)[12] = 100;
  scene.context.state.clip_planes[0] = {1, 0, 0, -7};
  scene.context.state.clip_planes[5] = {0, 1, 1, 1};
  scene.Set(RenderState::ClipPlaneEnable, 0x20U);
  CHECK(scene.Processed().plane_distances == std::array<float, 6>{0, 0, 0, 0, 0, 6});
  scene.Set(RenderState::ClipPlaneEnable, 0x21U);
  CHECK(scene.Processed().plane_distances == std::array<float, 6>{-2, 0, 0, 0, 0, 6});
}

TEST_CASE("Fixed function: point size is that of the vertex or the state, clamped (facts N3, N4)") {
  Scene scene(fvf::kXyz);
  scene.Floats({0, 0, 0});
  scene.Set(RenderState::PointSize, 15.0F);
  CHECK(PointSizeOf(scene) == 15);
  scene.Set(RenderState::PointSizeMax, 1.0F);
  CHECK(PointSizeOf(scene) == 1);
  scene.Set(RenderState::PointSizeMin, 20.0F);  // above the maximum: wins
  CHECK(PointSizeOf(scene) == 20);
  scene.Set(RenderState::PointSizeMin, 0.0F);
  scene.Set(RenderState::PointSizeMax, 1000.0F);
  scene.Set(RenderState::PointSize, 500.0F);
  CHECK(PointSizeOf(scene) == 256);

  Scene sized(fvf::kXyz | fvf::kPointSize);
  sized.Floats({0, 0, 0, 24});
  CHECK(PointSizeOf(sized) == 24);
  CHECK(sized.Outputs().has_point_size);
}

TEST_CASE(
    "Fixed function: points are scaled by distance and viewport height, transformed ones are not") {
  Scene scene(fvf::kXyz);
  scene.Floats({0, 0, 3});
  scene.context.state.viewport->height = 128;
  scene.Set(RenderState::PointScaleEnable, 1U);
  scene.Set(RenderState::PointSize, 0.5F);
  scene.Set(RenderState::PointScaleA, 1.0F);
  scene.Set(RenderState::PointScaleB, 2.0F);
  scene.Set(RenderState::PointScaleC, 1.0F);  // 128 * 0.5 * sqrt(1 / (1 + 2 * 3 + 9)) = 16
  CHECK(PointSizeOf(scene) == 16);

  Scene transformed(fvf::kXyzRhw);
  transformed.Floats({0, 0, 3, 1});
  transformed.Set(RenderState::PointScaleEnable, 1U);
  CHECK(PointSizeOf(transformed) == 1);
}

TEST_CASE(
    "Fixed function: active slots are diffuse, used specular, and stages before the first DISABLE") {
  Scene scene(fvf::kXyz | 3U << fvf::kTexcountShift);
  constexpr uint32_t kDiffuse = 1U << kDiffuseSlot;
  constexpr uint32_t kSpecular = 1U << kSpecularSlot;
  constexpr uint32_t kStage0 = 1U << kTexcoordSlot;
  CHECK(scene.Outputs().varying_mask == (kDiffuse | kStage0));
  scene.SetStage(2, TextureStageState::ColorOp, 4);  // after a disabled stage
  CHECK(scene.Outputs().varying_mask == (kDiffuse | kStage0));
  scene.SetStage(1, TextureStageState::ColorOp, 4);
  CHECK(scene.Outputs().varying_mask == (kDiffuse | kStage0 * 7));
  scene.SetStage(1, TextureStageState::AlphaArg2, 0x14);  // SPECULAR | COMPLEMENT
  CHECK(scene.Outputs().varying_mask == (kDiffuse | kSpecular | kStage0 * 7));
  scene.SetStage(0, TextureStageState::ColorOp, 1);
  CHECK(scene.Outputs().varying_mask == kDiffuse);
  scene.Set(RenderState::SpecularEnable, 1U);
  CHECK(scene.Outputs().varying_mask == (kDiffuse | kSpecular));
  scene.context.state.pixel_shader = 1;
  CHECK(scene.Outputs().varying_mask == 0x3FF);
}

TEST_CASE("Fixed function: WRAPn is found by the set number, not by the stage") {
  Scene scene(fvf::kXyz | 2U << fvf::kTexcountShift);
  scene.Set(RenderState::Wrap1, 3U);
  scene.SetStage(0, TextureStageState::TexcoordIndex, 1);
  CHECK(scene.Outputs().wrap[0] == 3);
  scene.SetStage(0, TextureStageState::TexcoordIndex, 0xFFFF);
  CHECK(scene.Outputs().wrap[0] == 0);
}
