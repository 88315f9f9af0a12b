#include "raster/vertex/vertex_fog.h"

#include <doctest/doctest.h>

#include "scene.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::FogMode;
using d3d::RenderState;
namespace fvf = d3d::fvf;

struct Fogged : Scene {
  explicit Fogged(uint32_t format = fvf::kXyz, FogMode mode = FogMode::None) : Scene(format) {
    Set(RenderState::FogEnable, 1);
    Set(RenderState::FogVertexMode, d3d::Value(mode));
  }
  void Range(float start, float end) {
    Set(RenderState::FogStart, start);
    Set(RenderState::FogEnd, end);
  }
  float FactorAt(float x, float y, float z) {
    vertices.clear();
    Floats({x, y, z});
    return Processed().fog;
  }
};

}  // namespace

TEST_CASE("VertexFog: linear fog may be reversed; equal limits are fully fogged (facts F5, F8)") {
  Fogged scene(fvf::kXyz, FogMode::Linear);
  scene.Range(0.8F, 0.2F);
  CHECK(scene.FactorAt(0, 0, 0.1F) == 0);
  CHECK(scene.FactorAt(0, 0, 0.4F) == doctest::Approx(1.0 / 3));
  CHECK(scene.FactorAt(0, 0, 0.7F) == doctest::Approx(5.0 / 6));
  CHECK(scene.FactorAt(0, 0, 0.9F) == 1);
  scene.Range(512, 512);
  CHECK(scene.FactorAt(0, 0, 0.1F) == 0);
}

TEST_CASE("VertexFog: the distance is |z|, or the range (facts F12, F22, F23, F25)") {
  Fogged scene(fvf::kXyz, FogMode::Linear);
  scene.Range(0, 1);
  CHECK(scene.FactorAt(0, 0, -0.5F) == 0.5F);
  scene.Range(-1, 0);
  CHECK(scene.FactorAt(0, 0, -0.5F) == 0);
  scene.Range(0, 4);
  scene.Set(RenderState::RangeFogEnable, 1);
  CHECK(scene.FactorAt(1, 2, -2) == 0.25F);
  scene.Set(RenderState::FogVertexMode, d3d::Value(FogMode::Exp));
  scene.Set(RenderState::FogDensity, 1.0F);
  CHECK(scene.FactorAt(0, 0, -0.5F) == doctest::Approx(0.60653066));
  scene.Set(RenderState::FogVertexMode, d3d::Value(FogMode::Exp2));
  CHECK(scene.FactorAt(0, 0, -0.5F) == doctest::Approx(0.77880078));
}

TEST_CASE("VertexFog: which source is taken") {
  Fogged plain(fvf::kXyz | fvf::kSpecular);
  plain.Floats({0, 0, 0.25F}).Word(0x33000000U);
  CHECK(plain.Processed().fog == FromColor(0x33000000)[3]);
  plain.Set(RenderState::FogVertexMode, d3d::Value(FogMode::Linear));
  CHECK(plain.Processed().fog == 0.75F);
  plain.Set(RenderState::FogTableMode, d3d::Value(FogMode::Exp));
  CHECK(plain.Processed().fog == 1);
  plain.Set(RenderState::FogTableMode, 0U);
  plain.Set(RenderState::FogEnable, 0U);
  CHECK(plain.Processed().fog == 1);

  Fogged transformed(fvf::kXyzRhw | fvf::kSpecular,
                     FogMode::Linear);  // the vertex mode is ignored (fact F3)
  transformed.Floats({0, 0, 0.5F, 1}).Word(0xFF000000U);
  CHECK(transformed.Processed().fog == 1);

  Fogged without_specular(fvf::kXyzRhw);
  without_specular.Floats({0, 0, 0, 1});
  CHECK(without_specular.Processed().fog == 0);

  Fogged own(fvf::kXyz | fvf::kFog, FogMode::Linear);
  own.Floats({0, 0, 0.5F, 1.5F});
  CHECK(own.Processed().fog == 1.5F);
}

TEST_CASE("VertexFog: lit vertices give the specular alpha of the material") {
  Fogged scene(fvf::kXyz | fvf::kNormal);
  scene.Floats({0, 0, 0, 0, 0, 1});
  scene.Set(RenderState::Lighting, 1);
  scene.context.state.material.specular = {0, 0, 0, 0.5F};
  CHECK(scene.Processed().fog == 0.5F);
}

TEST_CASE(
    "TableFogUsesW: w for projective matrices; WINFO decides where a stream has no projection") {
  Scene scene(fvf::kXyzRhw);
  CHECK_FALSE(TableFogUsesW(scene.context.state, false));
  scene.context.state.w_near = 1;
  scene.context.state.w_far = 100;
  CHECK(TableFogUsesW(scene.context.state, false));
  CHECK_FALSE(TableFogUsesW(scene.context.state, true));
  scene.context.state.w_far = 1;
  CHECK_FALSE(TableFogUsesW(scene.context.state, false));
  scene.Transform(d3d::TransformState::Projection) = {1, 0, 0, 0, 0, 1, 0,  0,
                                                      0, 0, 1, 1, 0, 0, -1, 0};
  CHECK(TableFogUsesW(scene.context.state, true));
  CHECK(scene.Outputs().table_fog_uses_w);
}
