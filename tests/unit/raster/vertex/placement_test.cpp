#include "raster/vertex/placement.h"

#include <doctest/doctest.h>

#include <limits>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::RenderState;
using d3d::TransformState;
namespace fvf = d3d::fvf;

device::Matrix Translation(float x, float y, float z) {
  return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1};
}

PlacedVertex Place(const Scene& scene) {
  return VertexPlacement(scene.context.state, scene.layout, true)
      .Apply(FetchVertex(scene.draw, 0, 0));
}

}  // namespace

TEST_CASE("VertexPlacement: world, then view; normals are normalized by NORMALIZENORMALS only") {
  Scene scene(fvf::kXyz | fvf::kNormal);
  scene.Floats({1, 2, 3, 0, 0, -3});
  scene.Transform(TransformState::WorldMatrix0) = Translation(10, 0, 0);
  scene.Transform(TransformState::View) = Translation(0, 0, 5);
  CHECK(Place(scene).world == Float4{11, 2, 3, 1});
  CHECK(Place(scene).eye == Float4{11, 2, 8, 1});
  CHECK(Place(scene).normal == Float3{0, 0, -3});
  scene.Set(RenderState::NormalizeNormals, 1);
  CHECK(Place(scene).normal == Float3{0, 0, -1});
}

TEST_CASE("VertexPlacement: the last weight is what is left of 1 (fact G28)") {
  Scene scene(fvf::kXyzB3);
  scene.Floats({0, 0, 0, 0.5F, 0.25F, 0});
  for (uint32_t i = 0; i < 4; ++i) {
    scene.Transform(TransformState::WorldMatrix0, i) =
        Translation(i == 0 ? 8.0F : 0.0F, i == 3 ? 8.0F : 0.0F, 0);
  }
  CHECK(Place(scene).world == Float4{8, 0, 0, 1});  // VERTEXBLEND off
  scene.Set(RenderState::VertexBlend, 3);
  CHECK(Place(scene).world == Float4{4, 2, 0, 1});
  scene.Set(RenderState::VertexBlend, 1);  // matrices 0 and 1
  CHECK(Place(scene).world == Float4{4, 0, 0, 1});
}

TEST_CASE("VertexPlacement: weights that the format lacks are 0") {
  Scene scene(fvf::kXyzB1);
  scene.Floats({0, 0, 0, 0.25F});
  scene.Transform(TransformState::WorldMatrix0) = Translation(4, 0, 0);
  scene.Transform(TransformState::WorldMatrix0, 2) = Translation(0, 4, 0);
  scene.Set(RenderState::VertexBlend, 2);
  CHECK(Place(scene).world == Float4{1, 3, 0, 1});
}

TEST_CASE("VertexPlacement: indexed blending takes bytes from the lowest on, also of a D3DCOLOR") {
  for (const uint32_t beta : {fvf::kLastBetaUByte4, fvf::kLastBetaD3dColor}) {
    Scene scene(fvf::kXyzB3 | beta);
    scene.Floats({0, 0, 0, 0.5F, 0}).Word(0x00'FF'07'C8);
    scene.Transform(TransformState::WorldMatrix0, 0xC8) = Translation(2, 0, 0);
    scene.Transform(TransformState::WorldMatrix0, 7) = Translation(0, 2, 0);
    scene.Set(RenderState::IndexedVertexBlendEnable, 1);
    scene.Set(RenderState::VertexBlend, 1);
    CHECK(Place(scene).world == Float4{1, 1, 0, 1});
    scene.Set(RenderState::VertexBlend, d3d::Value(d3d::VertexBlend::Weights0));
    CHECK(Place(scene).world == Float4{2, 0, 0, 1});
  }
}

TEST_CASE("VertexPlacement: normals are blended with their own matrices") {
  Scene scene(fvf::kXyzB1 | fvf::kNormal);
  scene.Floats({0, 0, 0, 0.5F, 0, 0, 1});
  scene.Transform(TransformState::WorldMatrix0) = {1, 0, 0,    0, 0, 1, 0, 0,
                                                   0, 0, 0.5F, 0, 0, 0, 0, 1};
  scene.Set(RenderState::VertexBlend, 1);
  CHECK(Place(scene).normal == Float3{0, 0, 1.5F});  // 0.5 * 2 + 0.5 * 1
}

TEST_CASE("VertexPlacement: tweening goes from the first to the second position and normal") {
  Scene scene(fvf::kXyz | fvf::kNormal);
  scene.Floats({0, 0, 0, 0, 0, 1, 4, 8, 0, 1, 0, 0});
  scene.layout.elements.push_back({.offset = 24, .type = 2, .usage = 0, .usage_index = 1});
  scene.layout.elements.push_back({.offset = 36, .type = 2, .usage = 3, .usage_index = 1});
  scene.Set(RenderState::VertexBlend, d3d::Value(d3d::VertexBlend::Tweening));
  scene.Set(RenderState::TweenFactor, 0.25F);
  CHECK(Place(scene).world == Float4{1, 2, 0, 1});
  CHECK(Place(scene).normal == Float3{0.25F, 0, 0.75F});
}

TEST_CASE("VertexPlacement: matrix indices that are no numbers are safe") {
  Scene scene(fvf::kXyzB5);
  scene.Floats({1, 0, 0, 0, 0, 0, 0, std::numeric_limits<float>::quiet_NaN()});
  scene.Set(RenderState::IndexedVertexBlendEnable, 1);
  scene.Set(RenderState::VertexBlend, 3);
  CHECK(Place(scene).world == Float4{1, 0, 0, 1});
}
