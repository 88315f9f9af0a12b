#include "device/layout.h"

#include <doctest/doctest.h>

#include "device_scene.h"
#include "rules/rule.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::device;  // NOLINT(google-build-using-namespace): test file
using d3d::DeclUsage;

namespace {

enum Type : uint8_t { kFloat1, kFloat2, kFloat3, kFloat4, kColor, kUByte4 };

uint8_t Usage(DeclUsage usage) {
  return static_cast<uint8_t>(d3d::Value(usage));
}

Rule TokenRule(std::initializer_list<uint32_t> tokens) {
  const Result<TokenDeclaration> result = ReadDeclarationTokens(TokenBytes().U32(tokens).bytes());
  REQUIRE_FALSE(result.ok());
  return result.status().diagnostic().rule;
}

Rule ElementRule(const TokenBytes& elements) {
  const Result<VertexLayout> result = LayoutOfElements(elements.bytes());
  REQUIRE_FALSE(result.ok());
  return result.status().diagnostic().rule;
}

// STREAM 0, then FLOAT3 to register 0.
constexpr uint32_t kStream0 = 0x20000000, kFloat3ToV0 = 0x40020000, kEndOfLayout = 0xFFFFFFFF;

}  // namespace

TEST_CASE("LayoutOfFvf: elements in memory order") {
  // XYZ | NORMAL | PSIZE | DIFFUSE | SPECULAR | TEX2, set 0 with 3 floats, set 1 with 1.
  const VertexLayout layout = LayoutOfFvf(0x00D0000 | 0x2F2, 9);
  const std::vector<VertexElement> expected = {
      {.offset = 0, .type = kFloat3, .usage = Usage(DeclUsage::Position)},
      {.offset = 12, .type = kFloat3, .usage = Usage(DeclUsage::Normal)},
      {.offset = 24, .type = kFloat1, .usage = Usage(DeclUsage::PSize)},
      {.offset = 28, .type = kColor, .usage = Usage(DeclUsage::Color)},
      {.offset = 32, .type = kColor, .usage = Usage(DeclUsage::Color), .usage_index = 1},
      {.offset = 36, .type = kFloat3, .usage = Usage(DeclUsage::Texcoord)},
      {.offset = 48, .type = kFloat1, .usage = Usage(DeclUsage::Texcoord), .usage_index = 1},
  };
  CHECK(layout.elements == expected);
  CHECK_FALSE(layout.is_transformed);
  CHECK(layout.Find(DeclUsage::Texcoord, 1) == &layout.elements[6]);
  CHECK(layout.Find(DeclUsage::Fog) == nullptr);
}

TEST_CASE("LayoutOfFvf: the slot of PSIZE is padding below level 8") {
  const VertexLayout layout = LayoutOfFvf(0x1E2, 7);  // D3DLVERTEX
  REQUIRE(layout.elements.size() == 4);
  CHECK(layout.elements[1].offset == 16);
  CHECK(layout.Find(DeclUsage::PSize) == nullptr);
}

TEST_CASE("LayoutOfFvf: transformed vertices, fog, blend weights") {
  const VertexLayout transformed = LayoutOfFvf(0x2004, 9);
  CHECK(transformed.is_transformed);
  CHECK(transformed.elements[0].type == kFloat4);
  CHECK(transformed.elements[0].usage == Usage(DeclUsage::PositionT));
  CHECK(transformed.Find(DeclUsage::Fog)->offset == 16);
  const VertexLayout indices = LayoutOfFvf(0x100A, 9);  // XYZB3, the last one indices
  CHECK(indices.Find(DeclUsage::BlendWeight)->type == kFloat2);
  CHECK(indices.Find(DeclUsage::BlendIndices)->offset == 20);
  CHECK(indices.Find(DeclUsage::BlendIndices)->type == kUByte4);
  const VertexLayout only = LayoutOfFvf(0x1006, 9);  // XYZB1: indices and no weight
  CHECK(only.Find(DeclUsage::BlendWeight) == nullptr);
  const VertexLayout five = LayoutOfFvf(0x000E, 9);  // XYZB5: four weights and one float of indices
  CHECK(five.Find(DeclUsage::BlendWeight)->type == kFloat4);
  CHECK(five.Find(DeclUsage::BlendIndices)->type == kFloat1);
  CHECK(five.Find(DeclUsage::BlendIndices)->offset == 28);
  const VertexLayout colour = LayoutOfFvf(0x8008, 9);  // XYZB2 and LASTBETA_D3DCOLOR
  CHECK(colour.Find(DeclUsage::BlendWeight)->type == kColor);
  CHECK(colour.Find(DeclUsage::BlendIndices)->type == kUByte4);
}

TEST_CASE("Level 9 elements: with and without end marker") {
  TokenBytes elements;
  elements.U16({0, 0}).U8({3, 0, 9, 0}).U16({2, 16}).U8({4, 0, 10, 1});
  const Result<VertexLayout> bare = LayoutOfElements(elements.bytes());
  REQUIRE(bare.ok());
  CHECK(bare->is_transformed);
  CHECK(bare->elements[1] ==
        VertexElement{.stream = 2, .offset = 16, .type = 4, .usage = 10, .usage_index = 1});
  CHECK(ElementEnds(*bare)[2] == 20);
  CHECK(UsedStreams(*bare) == 0b101);
  elements.U16({0xFF, 0}).U8({17, 0, 0, 0});
  CHECK(LayoutOfElements(elements.bytes())->elements == bare->elements);
  elements.U16({3, 0}).U8({0, 0, 3, 0});
  CHECK(ElementRule(elements) == Rule::kDp2Vsh016);
}

TEST_CASE("Level 9 elements: members out of range, repeated usages, too many") {
  CHECK(ElementRule(TokenBytes().U16({16, 0}).U8({0, 0, 0, 0})) == Rule::kDp2Vsh015);
  CHECK(ElementRule(TokenBytes().U16({0, 0}).U8({18, 0, 0, 0})) == Rule::kDp2Vsh015);
  CHECK(ElementRule(TokenBytes().U16({0, 0}).U8({0, 7, 0, 0})) == Rule::kDp2Vsh015);
  CHECK(ElementRule(TokenBytes().U16({0, 0}).U8({0, 0, 14, 0})) == Rule::kDp2Vsh015);
  CHECK(ElementRule(TokenBytes().U16({0, 0}).U8({0, 0, 3, 0}).U16({0, 8}).U8({0, 0, 3, 0})) ==
        Rule::kDp2Vsh019);
  TokenBytes many;
  for (uint32_t i = 0; i < 65; ++i)
    many.U16({0, 0}).U8({0, 0, 5, i});
  CHECK(ElementRule(many) == Rule::kDp2Vsh016);
}

TEST_CASE("Level 8 tokens: offsets add up in a stream, registers have usages") {
  // Stream 0: FLOAT3 to v0, skip 2 words, D3DCOLOR to v5; stream 3: FLOAT2 to v8.
  const TokenBytes tokens = TokenBytes().U32(
      {kStream0, kFloat3ToV0, 0x50020000, 0x40040005, 0x20000003, 0x40010008, kEndOfLayout});
  const Result<TokenDeclaration> declaration = ReadDeclarationTokens(tokens.bytes());
  REQUIRE(declaration.ok());
  const std::vector<VertexElement> expected = {
      {.type = kFloat3, .usage = Usage(DeclUsage::Position), .shader_register = 0},
      {.offset = 20, .type = kColor, .usage = Usage(DeclUsage::Color), .shader_register = 5},
      {.stream = 3,
       .type = kFloat2,
       .usage = Usage(DeclUsage::Texcoord),
       .usage_index = 1,
       .shader_register = 8},
  };
  CHECK(declaration->layout.elements == expected);
  CHECK(declaration->constants.empty());
}

TEST_CASE("Level 8 tokens: constants, extensions, tessellator") {
  // Two constants at c5, an extension of one word, TESSNORMAL of v0 to v3, TESSUV to v7.
  const TokenBytes tokens =
      TokenBytes().U32({kStream0, kFloat3ToV0, 0x84000005, 1, 2, 3, 4, 5, 6, 7, 8, 0xA1000000,
                        0xFFFFFFFF, 0x60020003, 0x70010007, kEndOfLayout});
  const Result<TokenDeclaration> declaration = ReadDeclarationTokens(tokens.bytes());
  REQUIRE(declaration.ok());
  CHECK(declaration->constants ==
        std::vector<DeclaredConstant>{{5, {1, 2, 3, 4}}, {6, {5, 6, 7, 8}}});
  REQUIRE(declaration->layout.elements.size() == 3);
  CHECK(declaration->layout.elements[1].method == d3d::Value(d3d::DeclMethod::CrossUv));
  CHECK(declaration->layout.elements[1].usage == Usage(DeclUsage::Normal));
  CHECK(declaration->layout.elements[2].method == d3d::Value(d3d::DeclMethod::Uv));
}

TEST_CASE("Level 8 tokens: what is refused") {
  CHECK(TokenRule({}) == Rule::kDp2Vsh007);
  CHECK(TokenRule({kStream0, kFloat3ToV0}) == Rule::kDp2Vsh007);
  CHECK(TokenRule({kEndOfLayout, kEndOfLayout}) == Rule::kDp2Vsh007);
  CHECK(TokenRule({0xC0000000, kEndOfLayout}) == Rule::kDp2Vsh008);
  CHECK(TokenRule({kStream0, 0x40020011, kEndOfLayout}) == Rule::kDp2Vsh008);
  CHECK(TokenRule({kStream0, 0x40080000, kEndOfLayout}) == Rule::kDp2Vsh008);
  CHECK(TokenRule({kFloat3ToV0, kEndOfLayout}) == Rule::kDp2Vsh009);
  CHECK(TokenRule({0x82000000, 1, 2, 3, kEndOfLayout}) ==
        Rule::kDp2Vsh007);  // the fourth word is the END
  CHECK(TokenRule({0x82000000, 1, 2, kEndOfLayout}) == Rule::kDp2Vsh010);
  CHECK(TokenRule({0xBF000000, kEndOfLayout}) == Rule::kDp2Vsh010);
}
