#include "raster/pixel/combine.h"

#include <doctest/doctest.h>

#include "../texture/texture_scene.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;   // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using d3d::TextureOp;

namespace {

// The scene of facts O1 to O22.
StageRegisters FactRegisters() {
  StageRegisters registers;
  registers.texture = FromColor(0x9900FF00);
  registers.diffuse = FromColor(0x55FF0000);
  registers.current = registers.diffuse;
  registers.factor = FromColor(0xDD333333);
  return registers;
}

// ARG1 TEXTURE, ARG2 TFACTOR, ARG0 DIFFUSE.
Equation FactEquation(TextureOp op) {
  return {op, ArgumentOf(2), ArgumentOf(3), ArgumentOf(0)};
}

struct Fact {
  TextureOp op;
  uint32_t rgb;
};
constexpr Fact kFacts[] = {
    {TextureOp::SelectArg1, 0x00FF00},
    {TextureOp::SelectArg2, 0x333333},
    {TextureOp::Modulate, 0x003300},
    {TextureOp::Modulate2X, 0x006600},
    {TextureOp::Modulate4X, 0x00CC00},
    {TextureOp::Add, 0x33FF33},
    {TextureOp::AddSigned, 0x00B200},
    {TextureOp::AddSigned2X, 0x00FF00},
    {TextureOp::Subtract, 0x00CC00},
    {TextureOp::AddSmooth, 0x33FF33},
    {TextureOp::BlendDiffuseAlpha, 0x227722},
    {TextureOp::BlendTextureAlpha, 0x14AD14},
    {TextureOp::BlendFactorAlpha, 0x07E407},
    {TextureOp::BlendTextureAlphaPm, 0x14FF14},
    {TextureOp::BlendCurrentAlpha, 0x227722},
    {TextureOp::ModulateAlphaAddColor, 0x1FFF1F},
    {TextureOp::ModulateColorAddAlpha, 0x99CC99},
    {TextureOp::ModulateInvAlphaAddColor, 0x14FF14},
    {TextureOp::ModulateInvColorAddAlpha, 0xCC99CC},
    {TextureOp::DotProduct3, 0x999999},
    {TextureOp::MultiplyAdd, 0xFF3300},
    {TextureOp::Lerp, 0x003333},
    {TextureOp::Premodulate, 0x00FF00},
};

// Of alphas a = 0.5, b = 0.25, c = 0.75, which are blend factors where the operation has one: diffuse 0.75, texture 0.5,
// factor 0.25, current 1.
float AlphaOf(TextureOp op) {
  StageRegisters registers;
  registers.texture[3] = 0.5F;
  registers.factor[3] = 0.25F;
  registers.diffuse[3] = 0.75F;
  registers.current[3] = 1.0F;
  return CombineAlpha(FactEquation(op), registers);
}

}  // namespace

TEST_CASE("Combine: colours of every operation are those of the conformance facts") {  // O1 to O22
  for (const Fact& fact : kFacts) {
    CAPTURE(d3d::Value(fact.op));
    CHECK(IsNear(ToArgb(CombineColor(FactEquation(fact.op), FactRegisters())) & 0xFFFFFF, fact.rgb,
                 3));
  }
}

TEST_CASE("Combine: alpha operations are the same formulas on alpha components") {
  CHECK(AlphaOf(TextureOp::SelectArg1) == 0.5F);
  CHECK(AlphaOf(TextureOp::SelectArg2) == 0.25F);
  CHECK(AlphaOf(TextureOp::Modulate) == 0.125F);
  CHECK(AlphaOf(TextureOp::Modulate2X) == 0.25F);
  CHECK(AlphaOf(TextureOp::Modulate4X) == 0.5F);
  CHECK(AlphaOf(TextureOp::Add) == 0.75F);
  CHECK(AlphaOf(TextureOp::AddSigned) == 0.25F);
  CHECK(AlphaOf(TextureOp::AddSigned2X) == 0.5F);
  CHECK(AlphaOf(TextureOp::Subtract) == 0.25F);
  CHECK(AlphaOf(TextureOp::AddSmooth) == 0.625F);
  CHECK(AlphaOf(TextureOp::BlendDiffuseAlpha) == 0.4375F);
  CHECK(AlphaOf(TextureOp::BlendTextureAlpha) == 0.375F);
  CHECK(AlphaOf(TextureOp::BlendFactorAlpha) == 0.3125F);
  CHECK(AlphaOf(TextureOp::BlendTextureAlphaPm) == 0.625F);
  CHECK(AlphaOf(TextureOp::BlendCurrentAlpha) == 0.5F);
  CHECK(AlphaOf(TextureOp::Premodulate) == 0.5F);
  CHECK(AlphaOf(TextureOp::ModulateAlphaAddColor) == 0.625F);
  CHECK(AlphaOf(TextureOp::ModulateColorAddAlpha) == 0.625F);
  CHECK(AlphaOf(TextureOp::ModulateInvAlphaAddColor) == 0.625F);
  CHECK(AlphaOf(TextureOp::ModulateInvColorAddAlpha) == 0.625F);
  CHECK(AlphaOf(TextureOp::DotProduct3) == 1.0F);  // over black: 4 * 0.75, clamped
  CHECK(AlphaOf(TextureOp::MultiplyAdd) == 0.875F);
  CHECK(AlphaOf(TextureOp::Lerp) == 0.4375F);
}

TEST_CASE("Combine: DOTPRODUCT3 writes alpha") {
  const Float4 color = CombineColor(FactEquation(TextureOp::DotProduct3), FactRegisters());
  CHECK(color[3] == color[0]);
}

TEST_CASE("Combine: results are clamped to 0 and 1") {
  StageRegisters registers = FactRegisters();
  CHECK(CombineColor({TextureOp::Subtract, ArgumentOf(3), ArgumentOf(2), {}}, registers)[1] ==
        0.0F);
  CHECK(CombineColor({TextureOp::Add, ArgumentOf(2), ArgumentOf(3), {}}, registers)[1] == 1.0F);
}

TEST_CASE("Combine: arguments name seven sources; replicated first, then complemented") {
  StageRegisters registers;
  registers.diffuse = FromColor(0x10203040);
  registers.current = FromColor(0x11213141);
  registers.texture = FromColor(0x12223242);
  registers.factor = FromColor(0x13233343);
  registers.specular = FromColor(0x14243444);
  registers.temp = FromColor(0x15253545);
  registers.constant = FromColor(0x80A1B2C3);
  for (uint32_t source = 0; source < 6; ++source) {
    CHECK(ToArgb(ReadArgument(ArgumentOf(source), registers)) == 0x10203040 + source * 0x01010101);
  }
  CHECK(ToArgb(ReadArgument(ArgumentOf(0x06), registers)) == 0x80A1B2C3);  // fact O28
  CHECK(ToArgb(ReadArgument(ArgumentOf(0x16), registers)) == 0x7F5E4D3C);
  CHECK(ToArgb(ReadArgument(ArgumentOf(0x26), registers)) == 0x80808080);
  CHECK(ToArgb(ReadArgument(ArgumentOf(0x36), registers)) == 0x7F7F7F7F);
  CHECK(ArgumentOf(0x0F).source == ArgumentSource::kCurrent);
}

TEST_CASE("Combine: an operation reads a texture only through arguments that it uses") {
  const Argument texture = ArgumentOf(2);
  const Argument other = ArgumentOf(0);
  CHECK(ReadsTexture({TextureOp::SelectArg1, texture, other, other}));
  CHECK_FALSE(ReadsTexture({TextureOp::SelectArg1, other, texture, texture}));
  CHECK_FALSE(ReadsTexture({TextureOp::SelectArg2, texture, other, texture}));
  CHECK_FALSE(ReadsTexture({TextureOp::Modulate, other, other, texture}));
  CHECK(ReadsTexture({TextureOp::Lerp, other, other, texture}));
  CHECK(ReadsTexture({TextureOp::BlendTextureAlpha, other, other, other}));
  CHECK_FALSE(ReadsTexture({TextureOp::Disable, texture, texture, texture}));
}
