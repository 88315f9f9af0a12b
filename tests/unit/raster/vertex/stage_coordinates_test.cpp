#include "raster/vertex/stage_coordinates.h"

#include <doctest/doctest.h>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::RenderState;
using d3d::TextureStageState;
using d3d::TransformState;
namespace fvf = d3d::fvf;

constexpr uint32_t kOneSet = 1U << fvf::kTexcountShift;
constexpr uint32_t kThreeFloats = 1U << 16;

Float4 Coordinates(const Scene& scene, uint32_t stage = 0) {
  return scene.Processed().varyings[kTexcoordSlot + stage];
}

void SetGeneration(Scene& scene, d3d::TexcoordGeneration mode) {
  scene.SetStage(0, TextureStageState::TexcoordIndex,
                 d3d::Value(mode) << d3d::kTexcoordGenerationShift);
}

}  // namespace

TEST_CASE(
    "StageCoordinates: the input is padded with 1, then 0; row 3 translates two components (facts C4, C7)") {
  Scene scene(fvf::kXyz | kOneSet);
  scene.Floats({0, 0, 0, 0.25F, 0.5F});
  scene.Transform(TransformState::Texture0) = {1, 0, 0, 0, 0,   1,   0,   0,
                                               2, 4, 8, 0, 100, 100, 100, 100};
  scene.SetStage(0, TextureStageState::TextureTransformFlags, 2);
  CHECK(Coordinates(scene) == Float4{2.25F, 4.5F, 0, 0});
  scene.SetStage(0, TextureStageState::TextureTransformFlags, 3);
  CHECK(Coordinates(scene) == Float4{2.25F, 4.5F, 8, 0});
  CHECK(scene.Outputs().texcoord_components[0] == kDivisorInW);

  Scene three(fvf::kXyz | kOneSet | kThreeFloats);
  three.Floats({0, 0, 0, 1, 2, 3});
  three.Transform(TransformState::Texture0)[12] = 10;
  three.SetStage(0, TextureStageState::TextureTransformFlags, 4);
  CHECK(Coordinates(three) == Float4{11, 2, 3, 1});
}

TEST_CASE("StageCoordinates: with PROJECTED w is the last component that counts") {
  Scene scene(fvf::kXyz | kOneSet);
  scene.Floats({0, 0, 0, 0.25F, 0.5F});
  scene.SetStage(0, TextureStageState::TextureTransformFlags, 0x102);
  CHECK(Coordinates(scene) == Float4{0.25F, 0.5F, 0, 0.5F});
  scene.SetStage(0, TextureStageState::TextureTransformFlags, 0x103);
  CHECK(Coordinates(scene) == Float4{0.25F, 0.5F, 1, 1});
}

TEST_CASE(
    "StageCoordinates: COUNT1, DISABLE and flags above COUNT4 do not transform (facts C13, C15)") {
  Scene scene(fvf::kXyz | kOneSet);
  scene.Floats({0, 0, 0, 0.5F, 1});
  scene.Transform(TransformState::Texture0) = {};
  for (const uint32_t flags : {0U, 1U, 5U, 0x100U, 0x101U, 0xFFFFFE03U, 0xFFFFFFFFU}) {
    scene.SetStage(0, TextureStageState::TextureTransformFlags, flags);
    const float w = (flags & 0x100) != 0 ? 1.0F : 0.0F;
    CHECK(Coordinates(scene) == Float4{0.5F, 1, 0, w});
  }
}

TEST_CASE("StageCoordinates: transformed vertices are not transformed nor generated (fact C6)") {
  Scene scene(fvf::kXyzRhw | kOneSet);
  scene.Floats({1, 2, 0, 1, 0.5F, 1});
  scene.Transform(TransformState::Texture0) = {};
  scene.SetStage(0, TextureStageState::TextureTransformFlags, 2);
  scene.SetStage(0, TextureStageState::TexcoordIndex, 0x20000);
  CHECK(Coordinates(scene) == Float4{0.5F, 1, 0, 1});
}

TEST_CASE("StageCoordinates: each stage takes the set that it names, a missing set is 0") {
  Scene scene(fvf::kXyz | 2U << fvf::kTexcountShift);
  scene.Floats({0, 0, 0, 1, 2, 3, 4});
  scene.SetStage(1, TextureStageState::ColorOp, 4);
  scene.SetStage(0, TextureStageState::TexcoordIndex, 1);
  scene.SetStage(1, TextureStageState::TexcoordIndex, 7);
  CHECK(Coordinates(scene, 0) == Float4{3, 4, 0, 0});
  CHECK(Coordinates(scene, 1) == Float4{});
  scene.SetStage(1, TextureStageState::TextureTransformFlags, 2);
  CHECK(Coordinates(scene, 1) == Float4{});
}

TEST_CASE("StageCoordinates: generated vectors") {
  Scene scene(fvf::kXyz | fvf::kNormal);
  scene.Floats({3, 0, 4, 0, 0, -1});
  SetGeneration(scene, d3d::TexcoordGeneration::CameraSpaceNormal);
  CHECK(Coordinates(scene) == Float4{0, 0, -1, 0});
  SetGeneration(scene, d3d::TexcoordGeneration::CameraSpacePosition);
  CHECK(Coordinates(scene) == Float4{3, 0, 4, 0});
  // E = (-0.6, 0, -0.8); R = 2 (E.N) N - E = (0.6, 0, -0.8).
  SetGeneration(scene, d3d::TexcoordGeneration::CameraSpaceReflectionVector);
  CHECK(Coordinates(scene)[0] == doctest::Approx(0.6));
  CHECK(Coordinates(scene)[2] == doctest::Approx(-0.8));
  scene.Set(RenderState::LocalViewer, 0U);
  CHECK(Coordinates(scene) == Float4{0, 0, -1, 0});
  SetGeneration(scene, d3d::TexcoordGeneration::SphereMap);
  CHECK(Coordinates(scene) == Float4{0.5F, 0.5F, 0, 0});
  scene.Set(RenderState::LocalViewer, 1U);  // m = 2 sqrt(0.36 + 3.24)
  CHECK(Coordinates(scene)[0] == doctest::Approx(0.5 + 0.6 / (2 * 1.8973666)));
}

TEST_CASE("StageCoordinates: generated vectors are transformed with 1 as fourth component") {
  Scene scene(fvf::kXyz);
  scene.Floats({1, 2, 3});
  SetGeneration(scene, d3d::TexcoordGeneration::CameraSpacePosition);
  scene.SetStage(0, TextureStageState::TextureTransformFlags, 3);
  scene.Transform(TransformState::Texture0)[12] = 10;
  CHECK(Coordinates(scene) == Float4{11, 2, 3, 0});
}
