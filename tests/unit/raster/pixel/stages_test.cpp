#include <doctest/doctest.h>

#include "../texture/stage_scene.h"
#include "../texture/texture_scene.h"
#include "d3d/legacy_states.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using d3d::Format;
using d3d::RenderState;
using d3d::TextureOp;
using Tss = d3d::TextureStageState;

namespace {

constexpr uint32_t kDiffuse = 0, kCurrent = 1, kTexture = 2, kFactor = 3, kSpecular = 4, kTemp = 5,
                   kConstant = 6;
constexpr uint32_t kComplement = 0x10, kAlphaReplicate = 0x20;

// 1.0 and 0 in U and V.
const std::vector<uint8_t> kUnitU = {0x7F, 0x00};

// Stage 0: BUMPENVMAP over V8U8 (1, 0); stage 1: SELECTARG1 TEXTURE.
void SetUpBump(StageScene& scene, TextureOp op = TextureOp::BumpEnvMap) {
  scene.Bind(0, Format::V8U8, 1, kUnitU);
  scene.SetColor(0, op, kTexture);
  scene.SetColor(1, TextureOp::SelectArg1, kTexture);
  scene.SetAlpha(1, TextureOp::SelectArg1, kTexture);
}

// TEXTUREMAPBLEND as the device sets it.
void SetMapBlend(StageScene& scene, d3d::TextureBlend blend) {
  scene.Set(RenderState::TextureMapBlend, d3d::Value(blend));
  const d3d::StageWrites writes =
      d3d::LegacyStageWrites(d3d::Value(RenderState::TextureMapBlend), d3d::Value(blend),
                             scene.context().runtime_version, true);
  for (const d3d::StageWrite& write : writes.items()) {
    scene.Set(0, write.state, write.value);
  }
}

}  // namespace

TEST_CASE("Stages: all disabled pass the diffuse colour") {  // fact O30
  StageScene scene;
  scene.Set(0, Tss::ColorOp, d3d::Value(TextureOp::Disable));
  scene.diffuse = 0x80FFFF02;
  CHECK(scene.Shade() == 0x80FFFF02);
}

TEST_CASE("Stages: a vertex without colours is white and has no specular") {
  StageScene scene;
  scene.outputs().varying_mask = 0;
  scene.diffuse = 0x12345678;
  scene.specular = 0x12345678;
  scene.Set(RenderState::SpecularEnable, 1);
  CHECK(scene.Shade() == 0xFFFFFFFF);
}

TEST_CASE("Stages: default states modulate the texture and take its alpha") {
  StageScene scene;
  scene.BindColor(0, 0x40FF8000);
  scene.diffuse = 0x80808080;
  CHECK(scene.Shade() == 0x40804000);
}

TEST_CASE("Stages: the first disabled stage ends the cascade") {
  StageScene scene;
  scene.SetColor(0, TextureOp::SelectArg1, kFactor);
  scene.Set(RenderState::TextureFactor, 0xFF112233);
  scene.SetColor(2, TextureOp::SelectArg1, kDiffuse);
  CHECK((scene.Shade() & 0xFFFFFF) == 0x112233);
}

TEST_CASE("Stages: undefined operations are DISABLE") {
  StageScene scene;
  scene.diffuse = 0x80FFFF02;
  scene.Set(0, Tss::ColorOp, 27);
  CHECK(scene.Shade() == 0x80FFFF02);
}

TEST_CASE("Stages: results are clamped between stages") {  // facts O23, O24
  StageScene scene;
  scene.Set(RenderState::TextureFactor, 0x80808080);
  scene.SetColor(0, TextureOp::Add, kDiffuse, kDiffuse);
  scene.SetColor(1, TextureOp::Subtract, kCurrent, kFactor);
  CHECK(IsNear(scene.Shade() & 0xFFFFFF, 0x808080, 2));
  scene.diffuse = 0;
  scene.SetColor(0, TextureOp::Subtract, kDiffuse, kFactor);
  scene.SetColor(1, TextureOp::Add, kCurrent, kFactor | kComplement);
  CHECK(IsNear(scene.Shade() & 0xFFFFFF, 0x7F7F7F, 2));
}

TEST_CASE("Stages: ALPHAOP DISABLE keeps the alpha of CURRENT") {  // fact O31
  StageScene scene;
  scene.diffuse = 0x80FFFF02;
  scene.SetColor(0, TextureOp::SelectArg1, kCurrent);
  scene.SetAlpha(0, TextureOp::Disable, kFactor);
  CHECK(scene.Shade() == 0x80FFFF02);
}

TEST_CASE("Stages: DOTPRODUCT3 writes alpha and ignores ALPHAOP") {  // fact O26
  StageScene scene;
  scene.diffuse = 0x408080C0;
  scene.SetColor(0, TextureOp::DotProduct3, kDiffuse, kFactor);
  scene.SetAlpha(0, TextureOp::SelectArg1, kDiffuse);
  scene.SetColor(1, TextureOp::SelectArg1, kCurrent | kAlphaReplicate);
  CHECK(IsNear(scene.Shade() & 0xFFFFFF, 0x828282, 4));
}

TEST_CASE("Stages: TEMP is a result and an argument, 0 before it is written") {  // facts O27, O32
  StageScene scene;
  scene.SetColor(0, TextureOp::SelectArg1, kTemp);
  scene.SetAlpha(0, TextureOp::SelectArg1, kTemp);
  CHECK(scene.Shade() == 0);
  scene.Set(RenderState::TextureFactor, 0x8000FF00);
  scene.diffuse = 0xFFFF0000;
  scene.SetColor(0, TextureOp::SelectArg1, kFactor);
  scene.SetAlpha(0, TextureOp::SelectArg1, kFactor);
  scene.Set(0, Tss::ResultArg, kTemp);
  scene.SetColor(1, TextureOp::Add, kCurrent, kTemp);
  scene.SetAlpha(1, TextureOp::SelectArg1, kTemp);
  CHECK(scene.Shade() == 0x80FFFF00);
}

TEST_CASE("Stages: CONSTANT belongs to its stage") {  // fact O28
  StageScene scene;
  scene.Set(0, Tss::Constant, 0x80A1B2C3);
  scene.Set(1, Tss::Constant, 0x01020304);
  scene.SetColor(0, TextureOp::SelectArg1, kConstant);
  scene.SetAlpha(0, TextureOp::SelectArg1, kConstant);
  CHECK(scene.Shade() == 0x80A1B2C3);
  scene.SetColor(1, TextureOp::SelectArg1, kConstant);
  CHECK((scene.Shade() & 0xFFFFFF) == 0x020304);
}

TEST_CASE("Stages: SUBTRACT only on colour, and on alpha, too") {  // fact O33
  StageScene scene;
  scene.diffuse = 0x80FFFF02;
  scene.Set(0, Tss::Constant, 0x0F0F0F0F);
  scene.SetColor(0, TextureOp::Subtract, kDiffuse, kConstant);
  scene.SetAlpha(0, TextureOp::Disable, kDiffuse);
  CHECK(scene.Shade() == 0x80F0F000);
  scene.SetAlpha(0, TextureOp::Subtract, kDiffuse, kConstant);
  CHECK(scene.Shade() == 0x71F0F000);
}

TEST_CASE(
    "Stages: a stage whose colour operation reads a missing texture ends the cascade") {  // O39, O43
  StageScene scene;
  scene.diffuse = 0x80FFFF02;
  scene.SetColor(0, TextureOp::SelectArg1, kTexture);
  scene.SetAlpha(0, TextureOp::SelectArg1, kFactor);
  CHECK(scene.Shade() == 0x80FFFF02);
  scene.SetColor(0, TextureOp::BlendTextureAlpha, kFactor, kFactor);
  CHECK(scene.Shade() == 0x80FFFF02);
  scene.SetColor(0, TextureOp::SelectArg2, kTexture, kFactor);  // does not read it
  CHECK(scene.Shade() == 0xFFFFFFFF);
  scene.SetColor(1, TextureOp::SelectArg1, kDiffuse);
  scene.SetAlpha(1, TextureOp::SelectArg1, kDiffuse);
  CHECK(scene.Shade() == 0x80FFFF02);
  scene.SetColor(0, TextureOp::SelectArg1, kFactor);
  scene.SetColor(1, TextureOp::SelectArg1, kTexture);
  scene.SetColor(2, TextureOp::SelectArg1, kDiffuse);
  CHECK(scene.Shade() == 0xFFFFFFFF);
}

TEST_CASE("Stages: an alpha operation that reads a missing texture passes the alpha of CURRENT") {
  StageScene scene;
  scene.diffuse = 0x80FFFF02;
  scene.SetColor(0, TextureOp::SelectArg1, kFactor);
  scene.SetAlpha(0, TextureOp::SelectArg1, kTexture);
  CHECK(scene.Shade() == 0x80FFFFFF);
}

TEST_CASE("Stages: float textures are clamped as arguments, signed ones are not") {
  StageScene scene;
  scene.Set(RenderState::TextureFactor, 0);
  scene.Bind(0, Format::R32F, 1, {0, 0, 0, 0x40});  // 2
  scene.SetColor(0, TextureOp::AddSigned, kTexture, kFactor);
  CHECK((scene.Shade() >> 16 & 0xFF) == 0x80);
  scene.Bind(1, Format::V8U8, 1, {0x81, 0x7F});  // U = -1, V = 1
  scene.SetColor(0, TextureOp::SelectArg1, kDiffuse);
  scene.SetColor(1, TextureOp::Add, kTexture, kCurrent);
  CHECK((scene.Shade() >> 16 & 0xFF) == 0x00);  // -1 + 1
}

TEST_CASE("Stages: PREMODULATE multiplies CURRENT by the next stage's texture") {
  StageScene scene;
  scene.diffuse = 0x80804020;
  scene.SetColor(0, TextureOp::Premodulate, kDiffuse);
  scene.SetAlpha(0, TextureOp::SelectArg1, kDiffuse);
  scene.BindColor(1, 0x80FF00FF);
  scene.SetColor(1, TextureOp::SelectArg1, kCurrent);
  scene.SetAlpha(1, TextureOp::SelectArg1, kCurrent);
  CHECK(scene.Shade() == 0x80800020);
  scene.SetAlpha(0, TextureOp::Premodulate, kDiffuse);
  CHECK(scene.Shade() == 0x40800020);
  scene.SetColor(1, TextureOp::Disable, kCurrent);
  CHECK(scene.Shade() == 0x80804020);
}

TEST_CASE("Stages: a bump stage writes neither CURRENT nor TEMP") {  // facts O34 to O37
  StageScene scene;
  scene.diffuse = 0x80FFFF02;
  scene.Bind(0, Format::V8U8, 1, kUnitU);
  scene.SetColor(0, TextureOp::BumpEnvMap, kTexture);
  scene.Set(1, Tss::Constant, 0xFFFF0000);
  scene.BindColor(1, 0xFFFFFFFF);
  scene.SetColor(1, TextureOp::Modulate, kCurrent, kConstant);
  scene.SetAlpha(1, TextureOp::SelectArg1, kCurrent);
  for (const uint32_t argument : {kTexture, kDiffuse, kTemp, kCurrent}) {
    scene.SetAlpha(0, TextureOp::Modulate2X, argument, argument);
    CHECK(scene.Shade() == 0x80FF0000);
  }
  scene.Set(0, Tss::ResultArg, kTemp);
  scene.SetAlpha(1, TextureOp::SelectArg1, kTemp);
  CHECK(scene.Shade() == 0x00FF0000);
}

TEST_CASE("Stages: BUMPENVMAP moves the coordinates of the next stage") {  // fact D1
  StageScene scene;
  SetUpBump(scene);
  scene.Bind(1, Format::L8, 2, {0x11, 0x22});
  CHECK(scene.Shade() == 0xFF111111);
  scene.SetReal(0, Tss::BumpEnvMat00, 0.5F);  // u += 0.5 * Du
  CHECK(scene.Shade() == 0xFF222222);
  scene.SetReal(0, Tss::BumpEnvMat00, 0.0F);
  scene.SetReal(0, Tss::BumpEnvMat10, 0.5F);  // u += 0.5 * Dv, and Dv is 0
  CHECK(scene.Shade() == 0xFF111111);
  scene.Bind(0, Format::V8U8, 1, {0x00, 0x7F});
  CHECK(scene.Shade() == 0xFF222222);
}

TEST_CASE("Stages: BUMPENVMAT01 and 11 move v") {
  StageScene scene;
  SetUpBump(scene);
  scene.BindColor(1, 0xFF112233);
  scene.Set(1, Tss::AddressV, d3d::Value(d3d::TextureAddress::Border));
  scene.Set(1, Tss::BorderColor, 0xFF445566);
  CHECK(scene.Shade() == 0xFF112233);
  scene.SetReal(0, Tss::BumpEnvMat11, 2.0F);  // Dv is 0
  CHECK(scene.Shade() == 0xFF112233);
  scene.SetReal(0, Tss::BumpEnvMat01, 2.0F);
  CHECK(scene.Shade() == 0xFF445566);
}

TEST_CASE("Stages: BUMPENVMAPLUMINANCE scales the colour of the next texture") {  // facts D2, D3
  StageScene scene;
  SetUpBump(scene, TextureOp::BumpEnvMapLuminance);
  scene.Bind(0, Format::X8L8V8U8, 1, {0, 0, 0x40, 0});  // L = 0.25
  scene.BindColor(1, 0x80FF80C0);
  scene.SetReal(0, Tss::BumpEnvLScale, 2.0F);
  scene.SetReal(0, Tss::BumpEnvLOffset, 0.1F);
  CHECK(IsNear(scene.Shade(), 0x80994C72, 2));
  scene.SetReal(0, Tss::BumpEnvLScale, 10.0F);
  scene.SetReal(0, Tss::BumpEnvLOffset, 10.0F);
  CHECK(scene.Shade() == 0x80FF80C0);
}

TEST_CASE("Stages: formats without luminance count as 1") {
  StageScene scene;
  SetUpBump(scene, TextureOp::BumpEnvMapLuminance);
  scene.BindColor(1, 0x80FF80C0);
  scene.SetReal(0, Tss::BumpEnvLScale, 0.5F);
  CHECK(IsNear(scene.Shade(), 0x80804060, 1));
}

TEST_CASE("Stages: bump stages compose") {
  StageScene scene;
  scene.Bind(0, Format::V8U8, 1, kUnitU);
  scene.SetColor(0, TextureOp::BumpEnvMap, kTexture);
  scene.SetReal(0, Tss::BumpEnvMat00, 0.5F);
  scene.Bind(1, Format::V8U8, 2,
             {0x00, 0x00, 0x7F, 0x00});  // stage 0 makes it read the second texel
  scene.SetColor(1, TextureOp::BumpEnvMap, kTexture);
  scene.SetReal(1, Tss::BumpEnvMat00, 0.5F);
  scene.Bind(2, Format::L8, 2, {0x11, 0x22});
  scene.SetColor(2, TextureOp::SelectArg1, kTexture);
  CHECK((scene.Shade() & 0xFFFFFF) == 0x222222);
}

TEST_CASE("Stages: a bump stage before a disabled stage does nothing") {
  StageScene scene;
  SetUpBump(scene);
  scene.SetColor(1, TextureOp::Disable, kTexture);
  scene.diffuse = 0x80FFFF02;
  CHECK(scene.Shade() == 0x80FFFF02);
}

TEST_CASE("Stages: PROJECTED divides before sampling") {
  StageScene scene;
  scene.Bind(0, Format::L8, 4, {0x11, 0x22, 0x33, 0x44});
  scene.SetColor(0, TextureOp::SelectArg1, kTexture);
  scene.coordinates = {1.5F, 0, 2, 4};
  scene.Set(0, Tss::TextureTransformFlags, 0x103);
  CHECK((scene.Shade() & 0xFF) == 0x44);  // 0.75
  scene.Set(0, Tss::TextureTransformFlags, 0x104);
  CHECK((scene.Shade() & 0xFF) == 0x22);  // 0.375
}

TEST_CASE("Stages: each stage samples with its own slot") {
  StageScene scene;
  // Stage 1 has no coordinates: 0.
  scene.outputs().varying_mask &= ~(1U << (raster::kTexcoordSlot + 1));
  scene.Bind(0, Format::L8, 2, {0x11, 0x22});
  scene.SetColor(0, TextureOp::SelectArg1, kTexture);
  scene.coordinates = {0.75F, 0, 0, 1};
  CHECK((scene.Shade() & 0xFF) == 0x22);
  scene.Bind(1, Format::L8, 2, {0x11, 0x22});
  scene.SetColor(1, TextureOp::SelectArg1, kTexture);
  CHECK((scene.Shade() & 0xFF) == 0x11);
}

TEST_CASE("Stages: SPECULARENABLE adds the specular colour, not its alpha") {
  StageScene scene;
  scene.Set(0, Tss::ColorOp, d3d::Value(TextureOp::Disable));
  scene.diffuse = 0x40102080;
  scene.specular = 0xFF0102FF;
  CHECK(scene.Shade() == 0x40102080);
  scene.Set(RenderState::SpecularEnable, 1);
  CHECK(scene.Shade() == 0x401122FF);
}

TEST_CASE("Stages: SPECULAR and TFACTOR are arguments") {  // fact O25
  StageScene scene;
  scene.specular = 0x10203040;
  scene.Set(RenderState::TextureFactor, 0x80112233);
  scene.SetColor(0, TextureOp::SelectArg1, kSpecular);
  scene.SetAlpha(0, TextureOp::SelectArg1, kSpecular);
  CHECK(scene.Shade() == 0x10203040);
  scene.SetColor(0, TextureOp::SelectArg1, kFactor | kAlphaReplicate);
  CHECK((scene.Shade() & 0xFFFFFF) == 0x808080);
}

TEST_CASE("Stages: the colour key kills where COLORKEYENABLE is set") {  // facts K1, K2
  StageScene scene;
  scene.BindColor(0, 0xFF00FF00);
  scene.texture(0).color_key = d3d::ColorKey{0xFF00FF00, 0xFF00FF00};
  CHECK(scene.Shade() == 0xFF00FF00);
  CHECK_FALSE(scene.is_killed());
  scene.Set(RenderState::ColorKeyEnable, 1);
  scene.Shade();
  CHECK(scene.is_killed());
  scene.SetColor(0, TextureOp::SelectArg1, kDiffuse);  // the texture is not read
  scene.SetAlpha(0, TextureOp::SelectArg1, kDiffuse);
  scene.Shade();
  CHECK_FALSE(scene.is_killed());
}

TEST_CASE(
    "Stages: DECALMASK and MODULATEMASK show the diffuse colour where the stored alpha is even") {
  StageScene scene(6, 1);
  scene.Bind(0, Format::A4R4G4B4, 2, {0xF0, 0x20, 0xF0, 0x30});  // alpha 2 and 3, green
  scene.diffuse = 0x80FF8000;
  SetMapBlend(scene, d3d::TextureBlend::DecalMask);
  CHECK(scene.Shade() == 0x80FF8000);
  scene.coordinates = {0.75F, 0, 0, 1};
  CHECK(scene.Shade() == 0x8000FF00);
  SetMapBlend(scene, d3d::TextureBlend::ModulateMask);
  CHECK(scene.Shade() == 0x80008000);
  scene.SetColor(0, TextureOp::SelectArg2, kTexture, kFactor);  // later states override
  CHECK((scene.Shade() & 0xFFFFFF) == 0xFFFFFF);
}
