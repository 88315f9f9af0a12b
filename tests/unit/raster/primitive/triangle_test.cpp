#include <doctest/doctest.h>

#include <limits>

#include "../pixel/scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

// The four triangles of fact rows G2 to G7 around a centre, coloured 1 (top), 2 (left), 3 (right), 4 (bottom).
void DrawSplitQuad(Scene& scene, float x, float y, float dx, float dy) {
  const ScreenVertex a = At(x, y);
  const ScreenVertex b = At(x + dx, y);
  const ScreenVertex c = At(x, y + dy);
  const ScreenVertex d = At(x + dx, y + dy);
  const ScreenVertex centre = At(x + dx / 2, y + dy / 2);
  const std::vector<ScreenVertex> triangles[] = {
      {a, b, centre}, {a, centre, c}, {b, d, centre}, {c, centre, d}};
  for (size_t i = 0; i < 4; ++i) {
    scene.program.color = {0, 0, static_cast<float>(i + 1) / 255.0F, 0};
    scene.DrawPolygon(triangles[i]);
  }
}

// Rows `top` to `top` + 3 of columns `left` and `left` + 1.
Rows SplitQuad(float x, float y, uint32_t left, uint32_t top, float dx = 2, float dy = 4) {
  Scene scene(Format::A8R8G8B8, 8, 8);
  DrawSplitQuad(scene, x, y, dx, dy);
  Rows rows;
  for (uint32_t i = 0; i < 4; ++i)
    rows.push_back(scene.Picture()[top + i].substr(left, 2));
  return rows;
}

}  // namespace

TEST_CASE("Triangle: the documented example covers 15 pixels, its neighbour the other 10") {
  Scene scene(Format::A8R8G8B8, 8, 8);
  CHECK(scene.DrawPolygon({At(0, 0), At(5, 0), At(5, 5)}) == 15);
  CHECK(scene.Picture() == Rows{"fffff...", ".ffff...", "..fff...", "...ff...", "....f...",
                                "........", "........", "........"});
  CHECK(scene.DrawPolygon({At(0, 5), At(0, 0), At(5, 5)}) == 10);
  CHECK(scene.Picture()[4] == "fffff...");
  CHECK(scene.Picture()[5] == "........");
}

TEST_CASE("Triangle: a rectangle covers the centres from ceil(a) to ceil(c) - 1") {
  Scene scene(Format::A8R8G8B8, 8, 8);
  scene.DrawRectangle(1.5F, 0.25F, 4, 3);
  CHECK(scene.Picture() == Rows{"........", "..ff....", "..ff....", "........", "........",
                                "........", "........", "........"});
}

TEST_CASE("Triangle: ties go to the left and top triangle (facts G2 to G7)") {
  CHECK(SplitQuad(1.5F, 1.5F, 2, 2) == Rows{"11", "23", "23", "44"});
  CHECK(SplitQuad(2, 1, 2, 1) == Rows{"11", "21", "23", "24"});
  constexpr float kNudge = 1.0F / 128.0F;
  CHECK(SplitQuad(2 + kNudge, 1, 3, 1) == Rows{"11", "13", "23", "43"});
  CHECK(SplitQuad(2 - kNudge, 1, 2, 1) == Rows{"11", "21", "23", "24"});
  CHECK(SplitQuad(2, 1 - kNudge, 2, 1) == Rows{"21", "21", "24", "24"});
  CHECK(SplitQuad(2, 1 + kNudge, 2, 2) == Rows{"21", "21", "24", "24"});
}

TEST_CASE("Triangle: pixels of a shared edge are drawn once") {
  Scene scene;
  scene.Count();
  const ScreenVertex centre = At(7.3F, 6.9F);
  const ScreenVertex border[] = {At(1, 1),   At(8.2F, 1), At(15, 1), At(15, 9.6F),
                                 At(15, 15), At(6, 15),   At(1, 15), At(1, 5.5F)};
  uint64_t pixels = 0;
  for (size_t i = 0; i < 8; ++i) {
    pixels += scene.DrawPolygon({centre, border[i], border[(i + 1) % 8]});
  }
  CHECK(pixels == 14 * 14);
  for (uint32_t y = 0; y < 16; ++y) {
    for (uint32_t x = 0; x < 16; ++x) {
      const bool is_inside = x >= 1 && x < 15 && y >= 1 && y < 15;
      CHECK(scene.Pixel(x, y) == (is_inside ? 0x01010101U : 0U));
    }
  }
}

TEST_CASE("Triangle: culling looks at the winding on screen") {
  const std::vector<ScreenVertex> clockwise = {At(0, 0), At(4, 0), At(4, 4)};
  const std::vector<ScreenVertex> counter = {At(0, 0), At(4, 4), At(4, 0)};
  Scene scene;
  CHECK(scene.DrawPolygon(clockwise) == 10);
  CHECK(scene.DrawPolygon(counter) == 10);
  scene.Set(RenderState::CullMode, d3d::Value(d3d::CullMode::Cw));
  CHECK(scene.DrawPolygon(clockwise) == 0);
  CHECK(scene.DrawPolygon(counter) == 10);
  CHECK_FALSE(scene.program.quads.back().is_front);
  scene.Set(RenderState::CullMode, d3d::Value(d3d::CullMode::Ccw));
  CHECK(scene.DrawPolygon(clockwise) == 10);
  CHECK(scene.program.quads.back().is_front);
  CHECK(scene.DrawPolygon(counter) == 0);
}

TEST_CASE("Triangle: without area or with a position that is not a number it is not drawn") {
  Scene scene;
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  CHECK(scene.DrawPolygon({At(0, 0), At(4, 4), At(8, 8)}) == 0);
  CHECK(scene.DrawPolygon({At(0, 0), At(kNaN, 0), At(8, 8)}) == 0);
  CHECK(scene.DrawPolygon({At(0, 0), At(kInfinity, 0), At(8, 8)}) == 0);
  CHECK(scene.DrawPolygon({At(-1e30F, 0), At(8, 0), At(8, 8)}) == 0);
}

TEST_CASE("Triangle: at the limits of the guard band every pixel is covered") {
  Scene scene;
  CHECK(scene.DrawPolygon({At(-32767, -32767), At(32767, -32767), At(32767, 32767)}) == 136);
  CHECK(scene.DrawRectangle(-32767, -32767, 32767, 32767) == 256);
}

TEST_CASE("Triangle: viewport and scissor rectangle limit the pixels") {
  Scene scene(Format::A8R8G8B8, 8, 8);
  scene.state.viewport = device::Viewport{2, 1, 100, 4};
  CHECK(scene.DrawRectangle(0, 0, 8, 8) == 6 * 4);
  scene.state.scissor = d3d::Rect{0, 2, 4, 3};
  CHECK(scene.DrawRectangle(0, 0, 8, 8) == 6 * 4);
  scene.Set(RenderState::ScissorTestEnable, 1);
  CHECK(scene.DrawRectangle(0, 0, 8, 8) == 2 * 1);
  scene.state.scissor = d3d::Rect{4, 4, 4, 4};
  CHECK(scene.DrawRectangle(0, 0, 8, 8) == 0);
}

TEST_CASE("Attributes: equal ones stay exact, others are linear with equal rhw") {
  Scene scene(Format::A32B32G32R32F);
  scene.program.uses_diffuse = true;
  const auto color = [](float x) { return Float4{x / 16.0F, 0.1F, 0, 0}; };
  scene.DrawPolygon(
      {WithDiffuse(At(0, 0, 0, 0.7F), color(0)), WithDiffuse(At(16, 0, 0, 0.7F), color(16)),
       WithDiffuse(At(16, 16, 0, 0.7F), color(16)), WithDiffuse(At(0, 16, 0, 0.7F), color(0))});
  for (uint32_t x = 0; x < 16; ++x) {
    CHECK(scene.Real(x, 7, 0) == static_cast<float>(x) / 16.0F);
    CHECK(scene.Real(x, 7, 1) == 0.1F);
  }
}

TEST_CASE("Attributes: different rhw make them perspective-correct") {
  Scene scene(Format::A32B32G32R32F);
  scene.program.uses_diffuse = true;
  const ScreenVertex left = WithDiffuse(At(0, 0, 0, 1), {0, 0, 0, 0});
  const ScreenVertex right = WithDiffuse(At(8, 0, 0, 0.5F), {1, 0, 0, 0});
  ScreenVertex below = WithDiffuse(At(0, 8, 0, 1), {0, 0, 0, 0});
  scene.DrawPolygon({left, right, below});
  // At x = 4: a * rhw = 0.25, rhw = 0.75; both planes are exact.
  CHECK(scene.Real(4, 0) == 0.25F * (1.0F / 0.75F));
  scene.outputs.perspective_mask = 0;
  scene.DrawPolygon({left, right, below});
  CHECK(scene.Real(4, 0) == 0.5F);
}

TEST_CASE("Attributes: helper lanes are extrapolated, colours are clamped") {
  Scene scene;
  scene.outputs.varying_mask = 1U << kDiffuseSlot | 1U << kTexcoordSlot;
  const auto vertex = [](float x, float y) {
    ScreenVertex v = WithDiffuse(At(x, y), {x - 1, 0, 0, 0});
    v.varyings[kTexcoordSlot] = {x - 1, y, 0, 1};
    return v;
  };
  scene.DrawPolygon({vertex(1, 1), vertex(2, 1), vertex(2, 2), vertex(1, 2)});
  REQUIRE(scene.program.quads.size() == 1);
  const Quad& quad = scene.program.quads[0];
  CHECK(quad.x == 0);
  CHECK(quad.y == 0);
  CHECK(quad.covered == 8);
  CHECK(quad.varyings[kTexcoordSlot][0] == Float4{-1, 0, 0, 1});
  CHECK(quad.varyings[kTexcoordSlot][3] == Float4{0, 1, 0, 1});
  CHECK(quad.varyings[kDiffuseSlot][0] == Float4{0, 0, 0, 0});
  scene.outputs.clamps_colors = false;
  scene.DrawPolygon({vertex(1, 1), vertex(2, 1), vertex(2, 2), vertex(1, 2)});
  CHECK(scene.program.quads[1].varyings[kDiffuseSlot][0] == Float4{-1, 0, 0, 0});
}

TEST_CASE("Attributes: the base of a plane is the corner of the block, whatever vertex 0 is") {
  Scene scene(Format::A32B32G32R32F);
  scene.program.uses_diffuse = true;
  const auto vertex = [](float x, float y) { return WithDiffuse(At(x, y), {x * 0.001F, 0, 0, 0}); };
  scene.DrawPolygon({vertex(-1000, -1000), vertex(3000, -1000), vertex(-1000, 3000)});
  const auto a0 = double{-1000 * 0.001F};
  const double slope = (double{3000 * 0.001F} - a0) * 4000.0 * (1.0 / (4000.0 * 4000.0));
  const auto base = static_cast<float>((a0 + slope * 1008.0) + 0.0 * 1000.0);
  CHECK(scene.Real(11, 2) == (base + static_cast<float>(slope) * 3.0F) + 0.0F * 2.0F);
}

TEST_CASE("Wireframe: flagged edges are drawn, joints once") {
  Scene scene(Format::A8R8G8B8, 8, 8);
  scene.Count();
  scene.Set(RenderState::FillMode, d3d::Value(d3d::FillMode::Wireframe));
  scene.DrawPolygon({At(1, 1), At(6, 1), At(6, 6)});
  CHECK(scene.Picture() == Rows{"........", ".111111.", "..1...1.", "...1..1.", "....1.1.",
                                ".....11.", "......1.", "........"});
  scene.Fill(0);
  scene.DrawPolygon({At(1, 1), At(6, 1), At(6, 6)}, 1);
  CHECK(scene.Picture()[1] == ".11111..");
  CHECK(scene.Picture()[2] == "........");
  scene.Set(RenderState::CullMode, d3d::Value(d3d::CullMode::Cw));
  CHECK(scene.DrawPolygon({At(1, 1), At(6, 1), At(6, 6)}) == 0);
}

TEST_CASE("Fill mode POINT: the corners of triangles that are not culled") {
  Scene scene(Format::A8R8G8B8, 8, 8);
  scene.Set(RenderState::FillMode, d3d::Value(d3d::FillMode::Point));
  ScreenVertex corner = At(6.25F, 1);
  corner.point_size = 5;
  CHECK(scene.DrawPolygon({At(1, 1), corner, At(6, 6)}) == 3);
  CHECK(scene.Picture()[1] == ".f....f.");
  CHECK(scene.Picture()[6] == "......f.");
  scene.Set(RenderState::CullMode, d3d::Value(d3d::CullMode::Cw));
  CHECK(scene.DrawPolygon({At(1, 1), At(6, 1), At(6, 6)}) == 0);
}
