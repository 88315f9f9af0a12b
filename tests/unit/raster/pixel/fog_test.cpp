#include "raster/pixel/fog.h"

#include <doctest/doctest.h>

#include <limits>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::FogMode;

FogPlan Table(FogMode mode, float start, float end, float density = 1) {
  return {.source = FogSource::kZ,
          .table = {.mode = d3d::Value(mode), .start = start, .end = end, .density = density}};
}

// Red under green fog.
Scene FogScene(FogMode table, float start, float end) {
  Scene scene;
  scene.program.color = {1, 0, 0, 1};
  scene.Set(RenderState::FogEnable, 1);
  scene.Set(RenderState::FogColor, 0x4400FF00);
  scene.Set(RenderState::FogTableMode, d3d::Value(table));
  scene.SetReal(RenderState::FogStart, start);
  scene.SetReal(RenderState::FogEnd, end);
  return scene;
}

}  // namespace

TEST_CASE("Fog: the linear table") {
  CHECK(FogFactor(Table(FogMode::Linear, 0, 1), 0.25F) == 0.75F);
  CHECK(FogFactor(Table(FogMode::Linear, 0, 1), -0.5F) == 1);
  CHECK(FogFactor(Table(FogMode::Linear, 0, 1), 2) == 0);
  CHECK(FogFactor(Table(FogMode::Linear, 1, 0), 0.25F) == 0.25F);    // reversed
  CHECK(FogFactor(Table(FogMode::Linear, 0.5F, 0.5F), 0.25F) == 1);  // F6
  CHECK(FogFactor(Table(FogMode::Linear, 0.5F, 0.5F), 0.5F) == 0);
  CHECK(FogFactor(Table(FogMode::Linear, 0, 1), std::numeric_limits<float>::quiet_NaN()) == 0);
}

TEST_CASE("Fog: the exponential tables") {
  CHECK(FogFactor(Table(FogMode::Exp, 0, 1, 2), 0.5F) == doctest::Approx(0.36787944));
  CHECK(FogFactor(Table(FogMode::Exp2, 0, 1, 2), 0.25F) == doctest::Approx(0.77880078));
  CHECK(FogFactor(Table(FogMode::Exp, 0, 1, 1), -0.5F) == 1);
  CHECK(FogFactor(Table(FogMode::Exp, 0, 1, 1), 0) == 1);
}

TEST_CASE("Fog: z of the pixel decides, whatever rhw is (fact F19)") {
  for (const float rhw : {0.3F, 1.0F, 3.0F}) {
    Scene scene = FogScene(FogMode::Linear, 0, 1);
    scene.DrawPolygon({At(0, 0, 0.75F, rhw), At(8, 0, 0.75F, rhw), At(0, 8, 0.75F, rhw)});
    CHECK(scene.Pixel(1, 1) == 0xFF40BF00);  // alpha is not fogged
  }
}

TEST_CASE(
    "Fog: z with its bias and without a clamp, on triangles, lines and points (facts F24, F34)") {
  Scene scene = FogScene(FogMode::Linear, -1, 0);
  scene.SetReal(RenderState::DepthBias, 0.25F);
  scene.DrawRectangle(0, 0, 4, 4, -0.5F);
  CHECK((scene.Pixel(1, 1) & 0xFFFFFF) == 0x40BF00);
  scene.DrawLine(At(0, 8, -0.5F), At(8, 8, -0.5F));
  CHECK((scene.Pixel(2, 8) & 0xFFFFFF) == 0x40BF00);
  scene.DrawPoint(At(12, 12, -0.5F), 1);
  CHECK((scene.Pixel(12, 12) & 0xFFFFFF) == 0x40BF00);
}

TEST_CASE("Fog: w is the reciprocal of the interpolated rhw where the vertices say so") {
  Scene scene = FogScene(FogMode::Linear, 0, 4);
  scene.outputs.table_fog_uses_w = true;
  scene.DrawPolygon({At(0, 0, 0, 1), At(8, 0, 0, 0.25F), At(0, 8, 0, 1)});
  CHECK((scene.Pixel(4, 0) & 0xFFFFFF) == 0x996600);  // w = 1.6, factor 0.6
  scene.DrawRectangle(8, 8, 12, 12);
  CHECK((scene.Pixel(9, 9) & 0xFFFFFF) == 0xBF4000);  // w = 1
}

TEST_CASE("Fog: without a table the interpolated factor decides, perspective-correct and clamped") {
  Scene scene = FogScene(FogMode::None, 0, 1);
  const auto vertex = [](float x, float y, float fog, float rhw) {
    ScreenVertex v = At(x, y, 0, rhw);
    v.fog = fog;
    return v;
  };
  scene.DrawPolygon({vertex(0, 0, 1, 1), vertex(8, 0, 0, 1), vertex(0, 8, 1, 1)});
  CHECK((scene.Pixel(4, 0) & 0xFFFFFF) == 0x808000);
  scene.DrawPolygon({vertex(0, 0, 1, 1), vertex(8, 0, 0, 0.25F), vertex(0, 8, 1, 1)});
  CHECK((scene.Pixel(4, 0) & 0xFFFFFF) == 0xCC3300);  // 0.5 / 0.625 = 0.8
  scene.DrawPolygon({vertex(0, 0, 3, 1), vertex(8, 0, 3, 1), vertex(0, 8, 3, 1)});
  CHECK((scene.Pixel(4, 0) & 0xFFFFFF) == 0xFF0000);
  scene.Set(RenderState::FogEnable, 0);
  scene.DrawPolygon({vertex(0, 0, 0, 1), vertex(8, 0, 0, 1), vertex(0, 8, 0, 1)});
  CHECK((scene.Pixel(4, 0) & 0xFFFFFF) == 0xFF0000);
}

TEST_CASE("Fog: the colour is clamped after the fog, on UNORM targets") {
  Scene scene = FogScene(FogMode::Linear, 0, 1);
  scene.program.color = {3, -1, 0, 1};
  scene.DrawRectangle(0, 0, 4, 4, 0.5F);
  CHECK((scene.Pixel(1, 1) & 0xFFFFFF) == 0xFF0000);
  Scene real(Format::A32B32G32R32F);
  real.state = scene.state;
  real.program.color = {3, -1, 0, 1};
  real.DrawRectangle(0, 0, 4, 4, 0.5F);
  CHECK(real.Real(1, 1, 0) == 1.5F);
  CHECK(real.Real(1, 1, 1) == 0.0F);
}
