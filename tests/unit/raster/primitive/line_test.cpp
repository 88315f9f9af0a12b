#include <doctest/doctest.h>

#include <limits>

#include "../pixel/scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

void SkipLastPixel(Scene& scene) {
  scene.Set(RenderState::LastPixel, 0);
}

}  // namespace

TEST_CASE("Line: integer end points give the pixels of GDI, LASTPIXEL decides the last") {
  Scene scene(Format::A8R8G8B8, 8, 2);
  CHECK(scene.DrawLine(At(1, 0), At(5, 0)) == 5);
  CHECK(scene.Picture()[0] == ".fffff..");
  scene.Fill(0);
  SkipLastPixel(scene);
  scene.DrawLine(At(1, 0), At(5, 0));
  CHECK(scene.Picture()[0] == ".ffff...");
  scene.Fill(0);
  scene.DrawLine(At(5, 0), At(1, 0));
  CHECK(scene.Picture()[0] == "..ffff..");
}

TEST_CASE("Line: the pixel across is ceil(n - 1/2)") {
  Scene scene(Format::A8R8G8B8, 5, 5);
  SkipLastPixel(scene);
  scene.DrawLine(At(0, 0), At(4, 1));  // at x = 2 the line is half a pixel down: the upper pixel
  CHECK(scene.Picture() == Rows{"fff..", "...f.", ".....", ".....", "....."});
  scene.Fill(0);
  scene.DrawLine(At(0, 0), At(1, 4));
  CHECK(scene.Picture() == Rows{"f....", "f....", "f....", ".f...", "....."});
  scene.Fill(0);
  scene.DrawLine(At(4, 4), At(0, 0));
  CHECK(scene.Picture() == Rows{".....", ".f...", "..f..", "...f.", "....f"});
}

TEST_CASE("Line: a pixel is drawn when the line leaves its diamond") {
  Scene scene(Format::A8R8G8B8, 8, 2);
  SkipLastPixel(scene);
  scene.DrawLine(At(1.25F, 0), At(4.25F, 0));  // starts in the diamond of 1, ends in that of 4
  CHECK(scene.Picture()[0] == ".fff....");
  scene.Fill(0);
  scene.DrawLine(At(0.75F, 0.375F),
                 At(4.5F, 0));  // starts outside of the diamond of 1, before its centre; leaves 4
  CHECK(scene.Picture()[0] == ".ffff...");
  scene.Fill(0);
  CHECK(scene.DrawLine(At(1.125F, 0), At(1.25F, 0)) == 0);  // never leaves
  scene.Set(RenderState::LastPixel, 1);
  CHECK(scene.DrawLine(At(1.125F, 0), At(1.25F, 0)) == 1);
}

TEST_CASE("Line: the lower edges belong to the diamond, and the right corner when y-major") {
  Scene scene(Format::A8R8G8B8, 8, 8);
  SkipLastPixel(scene);
  scene.DrawLine(At(1, 2), At(4.25F, 2.25F));  // ends on the lower right edge of (4, 2)
  CHECK(scene.Picture()[2] == ".fff....");
  scene.Fill(0);
  scene.DrawLine(At(1, 2), At(4.25F, 1.75F));  // on the upper right edge: left
  CHECK(scene.Picture()[2] == ".ffff...");
  scene.Fill(0);
  scene.DrawLine(At(2.5F, 0), At(2.5F, 2));  // y-major, ends in the right corner of (2, 2)
  CHECK(scene.Picture()[1] == "..f.....");
  CHECK(scene.Picture()[2] == "........");
  scene.Fill(0);
  scene.DrawLine(At(2.5F, 2), At(5, 2));  // x-major, starts in it: not in the diamond
  CHECK(scene.Picture()[2] == "...ff...");
}

TEST_CASE("Line: the joints of a strip are drawn once") {
  Scene scene(Format::A8R8G8B8, 8, 8);
  scene.Count();
  scene.Draw([](PrimitiveSink& sink) {
    sink.Line(At(1, 1), At(5, 1), true, false);
    sink.Line(At(5, 1), At(5, 4), false, false);
    sink.Line(At(5, 4), At(2, 4), false, true);
  });
  CHECK(scene.Picture() == Rows{"........", ".11111..", ".....1..", ".....1..", "..1111..",
                                "........", "........", "........"});
}

TEST_CASE("Line: equal end points are one pixel, with LASTPIXEL") {
  Scene scene(Format::A8R8G8B8, 4, 4);
  CHECK(scene.DrawLine(At(2, 1), At(2, 1)) == 1);
  CHECK(scene.Picture()[1] == "..f.");
  SkipLastPixel(scene);
  CHECK(scene.DrawLine(At(2, 1), At(2, 1)) == 0);
}

TEST_CASE("Line: patterns start at the least significant bit and go on over a strip") {
  Scene scene(Format::A8R8G8B8, 16, 2);
  scene.Set(RenderState::LinePattern, 0x55550001);
  scene.DrawLine(At(0, 0), At(5, 0));
  CHECK(scene.Picture()[0] == "f.f.f...........");
  scene.Fill(0);
  scene.Set(RenderState::LinePattern, 0x00050002);
  scene.DrawLine(At(0, 0), At(15, 0));
  CHECK(scene.Picture()[0] == "ff..ff..........");
  scene.Fill(0);
  scene.Set(RenderState::LinePattern, 0x00070001);
  scene.Draw([](PrimitiveSink& sink) {
    sink.Line(At(0, 0), At(2, 0), true, false);
    sink.Line(At(2, 0), At(6, 0), false, true);
  });
  CHECK(scene.Picture()[0] == "fff.............");
  scene.Fill(0);
  scene.Set(RenderState::LinePattern, 0x00000000);
  scene.DrawLine(At(0, 0), At(3, 0));
  CHECK(scene.Picture()[0] == "ffff............");
}

TEST_CASE("Line: attributes go from end to end, perspective-correct where rhw differs") {
  Scene scene(Format::A32B32G32R32F, 16, 2);
  scene.program.uses_diffuse = true;
  const Float4 black = {0, 0, 0, 0};
  const Float4 red = {1, 0, 0, 0};
  scene.DrawLine(WithDiffuse(At(0, 0), black), WithDiffuse(At(8, 0), red));
  CHECK(scene.Real(2, 0) == 0.25F);
  CHECK(scene.Real(8, 0) == 1.0F);
  scene.DrawLine(WithDiffuse(At(0, 0, 0, 1), black), WithDiffuse(At(8, 0, 0, 0.5F), red));
  CHECK(scene.Real(4, 0) == 0.25F * (1.0F / 0.75F));
}

TEST_CASE("Line: depth is interpolated and quantised, ZBIAS applies, DEPTHBIAS does not") {
  Scene scene(Format::A8R8G8B8, 16, 2);
  scene.AddDepth(Format::D16);
  scene.Fill(0);
  scene.SetReal(RenderState::DepthBias, -0.25F);
  scene.DrawLine(At(0, 0, 0), At(8, 0, 1));
  CHECK(scene.Depth(2, 0) == 0x4000);  // 16383.75
  scene.Set(RenderState::ZBias, 2);
  scene.DrawLine(At(0, 0, 0), At(8, 0, 1));
  CHECK(scene.Depth(2, 0) == 0x3FFE);
}

TEST_CASE("Line: antialiased ones scale alpha and still write the full colour") {
  Scene scene(Format::A8R8G8B8, 16, 16);
  scene.program.color = {1, 1, 1, 1};
  scene.Set(RenderState::AntialiasedLineEnable, 1);
  scene.DrawLine(At(1, 4), At(7, 4));
  CHECK(scene.Pixel(0, 4) == 0);
  CHECK(scene.Pixel(1, 4) == 0x80FFFFFF);  // half of the samples lie after the end
  CHECK(scene.Pixel(2, 4) == 0xFFFFFFFF);
  CHECK(scene.Pixel(7, 4) == 0x80FFFFFF);
  CHECK(scene.Pixel(4, 3) == 0);
  scene.Fill(0);
  scene.DrawLine(At(1, 4.5F), At(7, 4.5F));
  CHECK(scene.Pixel(4, 4) == 0x80FFFFFF);
  CHECK(scene.Pixel(4, 5) == 0x80FFFFFF);
  scene.Fill(0);
  scene.Set(RenderState::AntialiasedLineEnable, 0);
  scene.Set(RenderState::EdgeAntiAlias, 1);
  scene.DrawLine(At(1, 4), At(7, 4));
  CHECK(scene.Pixel(1, 4) == 0xFFFFFFFF);
  scene.options.is_line_list = true;
  scene.DrawLine(At(1, 4), At(7, 4));
  CHECK(scene.Pixel(1, 4) == 0x80FFFFFF);
}

TEST_CASE("Line: positions that are no numbers draw nothing, long lines are clipped") {
  Scene scene(Format::A8R8G8B8, 8, 8);
  CHECK(scene.DrawLine(At(0, 0), At(std::numeric_limits<float>::quiet_NaN(), 3)) == 0);
  CHECK(scene.DrawLine(At(-32767, 2), At(32767, 2)) == 8);
  CHECK(scene.DrawLine(At(3, 32767), At(3, -32767)) == 8);
}
