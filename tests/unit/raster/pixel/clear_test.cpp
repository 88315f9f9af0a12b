#include "raster/pixel/clear.h"

#include <doctest/doctest.h>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint32_t kTarget = 1, kZBuffer = 2, kStencil = 4, kComputeRects = 8;

void Clear(Scene& scene, uint32_t flags, const std::vector<d3d::Rect>& rects) {
  raster::Clear(
      scene.state, scene.surfaces(),
      {.flags = flags, .color = 0x0000000F, .depth = 0.5F, .stencil = 0x1AB, .rects = rects});
}

}  // namespace

TEST_CASE("Clear: rectangles without COMPUTERECTS are cut to the target only") {
  Scene scene(Format::A8R8G8B8, 6, 4);
  scene.state.viewport = device::Viewport{0, 0, 1, 1};
  scene.state.scissor = d3d::Rect{0, 0, 1, 1};
  scene.Set(RenderState::ScissorTestEnable, 1);
  scene.Set(RenderState::ColorWriteEnable, 0);
  Clear(scene, kTarget, {{4, 1, 100, 3}, {-5, -5, 1, 1}});
  CHECK(scene.Picture() == Rows{"f.....", "....ff", "....ff", "......"});
}

TEST_CASE("Clear: COMPUTERECTS cuts to viewport and scissor (facts B14 to B16)") {
  Scene scene(Format::A8R8G8B8, 6, 4);
  scene.state.viewport = device::Viewport{1, 1, 4, 2};
  Clear(scene, kTarget | kComputeRects, {{0, 0, 3, 2}});
  CHECK(scene.Picture() == Rows{"......", ".ff...", "......", "......"});
  Clear(scene, kTarget | kComputeRects, {});
  CHECK(scene.Picture() == Rows{"......", ".ffff.", ".ffff.", "......"});
  scene.Fill(0);
  scene.state.scissor = d3d::Rect{2, 0, 6, 2};
  Clear(scene, kTarget | kComputeRects, {});
  CHECK(scene.Picture()[2] == ".ffff.");
  scene.Fill(0);
  scene.Set(RenderState::ScissorTestEnable, 1);
  Clear(scene, kTarget | kComputeRects, {});
  CHECK(scene.Picture() == Rows{"......", "..fff.", "......", "......"});
}

TEST_CASE("Clear: no rectangles without COMPUTERECTS and inverted rectangles clear nothing") {
  Scene scene(Format::A8R8G8B8, 6, 4);
  Clear(scene, kTarget, {});
  Clear(scene, kTarget, {{3, 0, 1, 4}, {0, 3, 4, 1}, {2, 2, 2, 3}});
  CHECK(scene.Picture() == Rows(4, "......"));
}

TEST_CASE("Clear: depth and stencil are written apart, quantised and cut") {
  Scene scene(Format::A8R8G8B8, 4, 4);
  scene.AddDepth(Format::D24S8);
  scene.Set(RenderState::StencilWriteMask, 0);
  scene.Set(RenderState::ZWriteEnable, 0);
  Clear(scene, kZBuffer, {{0, 0, 4, 4}});
  CHECK(scene.Depth(0, 0) == 0x80000000);
  CHECK(scene.Pixel(0, 0) == 0);
  Clear(scene, kStencil, {{0, 0, 2, 4}});
  CHECK(scene.Depth(0, 0) == 0x800000AB);
  CHECK(scene.Depth(2, 0) == 0x80000000);
}

TEST_CASE("Clear: what is not bound is left out") {
  Scene scene(Format::A8R8G8B8, 4, 4);
  Clear(scene, kTarget | kZBuffer | kStencil, {{0, 0, 4, 4}});
  CHECK(scene.Pixel(0, 0) == 0xF);
  Scene depth_only(Format::A8R8G8B8, 4, 4);
  depth_only.AddDepth(Format::D16);
  depth_only.targets.clear();
  Clear(depth_only, kTarget | kZBuffer | kStencil, {{0, 0, 4, 4}});
  CHECK(depth_only.Depth(3, 3) == 0x8000);
}

TEST_CASE("Clear: all targets get the colour (fact B21), all samples too") {
  Scene scene(Format::A8R8G8B8, 4, 4, 4);
  scene.targets.push_back(MakeResource(Format::R5G6B5, 2, 2));
  Clear(scene, kTarget, {{0, 0, 4, 4}});
  CHECK(scene.Pixel(3, 3, 3) == 0xF);
  CHECK(Scene::Word(scene.targets[1], 1, 1) == 1);
}

TEST_CASE("Clear: sRGB writing encodes the colour (fact P6)") {
  Scene scene(Format::A8R8G8B8, 4, 4);
  scene.Set(RenderState::SrgbWriteEnable, 1);
  scene.Fill(0x7F7F7F7F);
  CHECK(scene.Pixel(0, 0) == 0x7FBBBBBB);
  Scene real(Format::A32B32G32R32F, 4, 4);
  real.Set(RenderState::SrgbWriteEnable, 1);
  real.Fill(0xFF330000);
  CHECK(real.Real(0, 0) == 0.2F);
}
