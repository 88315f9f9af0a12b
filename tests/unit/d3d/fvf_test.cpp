#include "d3d/fvf.h"

#include <doctest/doctest.h>

using namespace dp2trace::d3d;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Fvf: sizes that the documents print") {
  CHECK(FvfVertexSize(0x112) == 32);   // D3DFVF_VERTEX
  CHECK(FvfVertexSize(0x1E2) == 32);   // D3DFVF_LVERTEX
  CHECK(FvfVertexSize(0x1C4) == 32);   // D3DFVF_TLVERTEX
  CHECK(FvfVertexSize(0x204) == 32);   // XYZRHW, two sets
  CHECK(FvfVertexSize(0x111A) == 44);  // XYZB3 with packed indices, normal, one set
  CHECK(FvfVertexSize(0x042) == 16);   // XYZ, diffuse
  CHECK(FvfVertexSize(0x000) == 0);
  CHECK(FvfVertexSize(0x4002) == 16);  // XYZW
  CHECK(FvfVertexSize(0x00E) == 32);   // XYZB5
}

TEST_CASE("Fvf: a texture format code is not the dimension") {
  CHECK(FvfVertexSize(0x102) == 12 + 8);
  CHECK(FvfVertexSize(0x00010102) == 12 + 12);
  CHECK(FvfVertexSize(0x00020102) == 12 + 16);
  CHECK(FvfVertexSize(0x00030102) == 12 + 4);
  CHECK(FvfTextureDimension(0xC0000000, 7) == 1);
  CHECK(FvfTextureDimension(0xFFFFFFFF, 8) == 0);
}

TEST_CASE("Fvf: elements follow in the documented order") {
  const FvfLayout layout =
      DecodeFvf(fvf::kXyzB2 | fvf::kLastBetaUByte4 | fvf::kNormal | fvf::kPointSize |
                fvf::kDiffuse | fvf::kSpecular | fvf::kFog | 0x200 | 0x00040000);
  CHECK(layout.position == PositionKind::kXyzBlend);
  CHECK(layout.position_size == 12);
  CHECK(layout.weight_count == 1);
  CHECK(layout.weights == 12);
  CHECK(layout.blend_indices == 16);
  CHECK_FALSE(layout.blend_indices_d3dcolor);
  CHECK(layout.normal == 20);
  CHECK(layout.point_size == 32);
  CHECK(layout.diffuse == 36);
  CHECK(layout.specular == 40);
  CHECK(layout.fog == 44);
  CHECK(layout.texture_set_count == 2);
  CHECK(layout.texture_sets[0] == FvfLayout::TextureSet{48, 2});
  CHECK(layout.texture_sets[1] == FvfLayout::TextureSet{56, 3});
  CHECK(layout.texture_sets[2] == FvfLayout::TextureSet{});
  CHECK(layout.size == 68);
}

TEST_CASE("Fvf: XYZB1 with packed indices has no weight left") {
  const FvfLayout layout = DecodeFvf(fvf::kXyzB1 | fvf::kLastBetaD3dColor);
  CHECK(layout.weight_count == 0);
  CHECK(layout.weights == FvfLayout::kAbsent);
  CHECK(layout.blend_indices == 12);
  CHECK(layout.blend_indices_d3dcolor);
}

TEST_CASE("Fvf: packed indices need blend values") {
  CHECK(DecodeFvf(fvf::kXyz | fvf::kLastBetaUByte4).blend_indices == FvfLayout::kAbsent);
}

TEST_CASE("Fvf: of more than eight sets the first eight count") {
  CHECK(DecodeFvf(0xF02).texture_set_count == 8);
  CHECK(FvfVertexSize(0xF02) == 12 + 8 * 8);
}

TEST_CASE("FvfText: flag names, dimensions other than two, unknown bits") {
  CHECK(FvfText(0) == "0");
  CHECK(FvfText(0x1C4) == "XYZRHW|DIFFUSE|SPECULAR|TEX1");
  CHECK(FvfText(0x111A) == "XYZB3|NORMAL|LASTBETA_UBYTE4|TEX1");
  CHECK(FvfText(0x00040242) == "XYZ|DIFFUSE|TEX2|TEXCOORDSIZE3(1)");
  CHECK(FvfText(0x4002) == "XYZW");
  CHECK(FvfText(0x4004) == "XYZRHW|0x4000");
  CHECK(FvfText(0x00010003) == "XYZ|0x10001");
}

TEST_CASE("ParseFvf reads what FvfText writes") {
  for (uint32_t low = 0; low <= 0xFFFF; ++low) {
    for (const uint32_t high : {0u, 0x00010000u, 0x00390000u, 0xFFFF0000u}) {
      std::string_view wrong;
      const std::optional<uint32_t> code = ParseFvf(FvfText(low | high), wrong);
      if (code != (low | high)) FAIL(FvfText(low | high));
    }
  }
}

TEST_CASE("ParseFvf: any order, blanks, prefixes and numbers") {
  std::string_view wrong;
  CHECK(ParseFvf("DIFFUSE | D3DFVF_XYZRHW", wrong) == 0x44);
  CHECK(ParseFvf("XYZ|0x40", wrong) == 0x42);
  CHECK(ParseFvf("66", wrong) == 66);
  CHECK(ParseFvf("TEX1|XYZ|TEXCOORDSIZE4(0)", wrong) == 0x00020102);
}

TEST_CASE("ParseFvf names the word that is not a name or contradicts another") {
  const auto wrong_of = [](std::string_view text) {
    std::string_view wrong;
    CHECK_FALSE(ParseFvf(text, wrong).has_value());
    return std::string(wrong);
  };
  CHECK(wrong_of("XYZRHW|DIFUSE") == "DIFUSE");
  CHECK(wrong_of("XYZ|DIFFUSE|XYZRHW") == "XYZRHW");
  CHECK(wrong_of("XYZ|TEX1|TEX2") == "TEX2");
  CHECK(wrong_of("XYZ|TEX16") == "TEX16");
  CHECK(wrong_of("TEXCOORDSIZE5(0)") == "TEXCOORDSIZE5(0)");
  CHECK(wrong_of("TEXCOORDSIZE2(8)") == "TEXCOORDSIZE2(8)");
  CHECK(wrong_of("XYZ|") == "");
  CHECK(wrong_of("0x100000000") == "0x100000000");
}

TEST_CASE("FvfNames: each is a name") {
  for (const std::string& name : FvfNames()) {
    std::string_view wrong;
    CAPTURE(name);
    CHECK(ParseFvf(name, wrong).has_value());
  }
}

TEST_CASE("FvfWords: one for each four bytes; colours and packed indices are no floats") {
  using enum FvfWord;
  CHECK(FvfWords(0x144) == std::vector{kFloat, kFloat, kFloat, kFloat, kColor, kFloat, kFloat});
  CHECK(FvfWords(fvf::kXyzB2 | fvf::kLastBetaUByte4 | fvf::kSpecular) ==
        std::vector{kFloat, kFloat, kFloat, kFloat, kIndices, kColor});
  CHECK(FvfWords(0).empty());
}
