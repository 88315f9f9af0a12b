#include <doctest/doctest.h>

#include <limits>

#include "../pixel/scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Point: a square around the position by the rule of triangles (facts N1, N2)") {
  Scene scene(Format::A8R8G8B8, 32, 32);
  CHECK(scene.DrawPoint(At(16, 16), 15) == 15 * 15);
  CHECK(scene.Picture()[9] == std::string(9, '.') + std::string(15, 'f') + std::string(8, '.'));
  CHECK(scene.Picture()[8] == std::string(32, '.'));
  CHECK(scene.Picture()[23] == scene.Picture()[9]);
  CHECK(scene.Picture()[24] == std::string(32, '.'));
  CHECK(scene.DrawPoint(At(15, 15), 30.75F) == 31 * 31);
  CHECK(scene.DrawPoint(At(3, 3), 1) == 1);
  CHECK(scene.DrawPoint(At(3.5F, 3.5F), 2) == 4);  // [2.5, 4.5)
}

TEST_CASE("Point: nothing for size 0 and for what is not a number") {
  Scene scene;
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  CHECK(scene.DrawPoint(At(3, 3), 0) == 0);
  CHECK(scene.DrawPoint(At(3, 3), -1) == 0);
  CHECK(scene.DrawPoint(At(3, 3), kNaN) == 0);
  CHECK(scene.DrawPoint(At(kNaN, 3), 4) == 0);
}

TEST_CASE("Point: a square partly outside is cut, even with its centre outside") {
  Scene scene(Format::A8R8G8B8, 8, 8);
  CHECK(scene.DrawPoint(At(-1, 4), 5) == 2 * 5);  // [-3.5, 1.5)
  CHECK(scene.DrawPoint(At(4, 4), 256) == 64);
  CHECK(scene.DrawPoint(At(-9, 4), 5) == 0);
}

TEST_CASE("Point: sprites replace every coordinate set, others keep the vertex's") {
  Scene scene;
  scene.outputs.varying_mask = 1U << kTexcoordSlot | 2U << kTexcoordSlot | 1U << kDiffuseSlot;
  ScreenVertex vertex = WithDiffuse(At(8, 8), {0.5F, 2, 0, 1});
  vertex.varyings[kTexcoordSlot] = {9, 8, 7, 6};
  scene.DrawPoint(vertex, 1);
  CHECK(scene.program.quads.back().varyings[kTexcoordSlot][0] == Float4{9, 8, 7, 6});
  CHECK(scene.program.quads.back().varyings[kDiffuseSlot][0] == Float4{0.5F, 1, 0, 1});
  scene.Set(RenderState::PointSpriteEnable, 1);
  scene.program.quads.clear();
  scene.DrawPoint(vertex, 8);
  for (const Quad& quad : scene.program.quads) {
    if (quad.x != 6 || quad.y != 10) continue;
    CHECK(quad.varyings[kTexcoordSlot][0] == Float4{0.25F, 0.75F, 0, 1});
    CHECK(quad.varyings[kTexcoordSlot + 1][3] == Float4{0.375F, 0.875F, 0, 1});
    CHECK(quad.varyings[kDiffuseSlot][0] == Float4{0.5F, 1, 0, 1});
  }
}

TEST_CASE("Point: fill mode and culling do not matter, DEPTHBIAS neither, ZBIAS does") {
  Scene scene;
  scene.AddDepth(Format::D16);
  scene.Fill(0);
  scene.Set(RenderState::FillMode, d3d::Value(d3d::FillMode::Wireframe));
  scene.Set(RenderState::CullMode, d3d::Value(d3d::CullMode::Cw));
  scene.SetReal(RenderState::DepthBias, -0.25F);
  CHECK(scene.DrawPoint(At(4, 4, 0.25F), 3) == 9);
  CHECK(scene.Depth(4, 4) == 0x4000);
  scene.Set(RenderState::ZBias, 1);
  CHECK(scene.DrawPoint(At(4, 4, 0.25F), 3) == 9);
  CHECK(scene.Depth(4, 4) == 0x3FFF);
}
