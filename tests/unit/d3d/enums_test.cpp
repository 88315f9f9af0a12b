#include "d3d/enums.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace dp2trace;       // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::d3d;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("Enums: tables have different names, and rows are found both ways") {
  std::set<std::string_view> names;
  for (const EnumInfo* info : AllEnums()) {
    CAPTURE(info->name);
    CHECK(names.insert(info->name).second);
    for (const EnumValue& row : info->values) {
      CAPTURE(row.name);
      CHECK(NameOf(*info, row.value) == row.name);
      CHECK(FindValue(*info, row.name) == &row);
    }
  }
}

TEST_CASE("Enums: enumerators, names and numbers agree") {
  CHECK(NameOf(kCompareFuncNames, Value(CompareFunc::LessEqual)) == "LESSEQUAL");
  CHECK(Value(CompareFunc::LessEqual) == 4);
  CHECK(Value(BlendFactor::InvSrcAlpha) == 6);
  CHECK(Value(TextureOp::DotProduct3) == 24);
  CHECK(Value(StencilOp::Decr) == 8);
  CHECK(NameOf(kVertexBlendNames, 256) == "0WEIGHTS");
  CHECK(NameOf(kQueryTypeNames, 9) == "OCCLUSION");
  CHECK(NameOf(kDeclUsageNames, 13) == "SAMPLE");
  CHECK(NameOf(kDegreeNames, 4).empty());
}

TEST_CASE("Enums: an argument with modifiers has one name") {
  CHECK(NameOf(kTextureArgNames, 0x32) == "TEXTURE|COMPLEMENT|ALPHAREPLICATE");
  CHECK(FindValue(kTextureArgNames, "CURRENT|COMPLEMENT")->value == 0x11);
  CHECK(NameOf(kTextureTransformNames, 0x103) == "COUNT3|PROJECTED");
  CHECK(NameOf(kTextureArgNames, 0x40).empty());
}

TEST_CASE("Enums: IsDefined knows levels and 9Ex") {
  CHECK_FALSE(IsDefined(kTextureOpNames, 25, 7, false));
  CHECK(IsDefined(kTextureOpNames, 25, 8, false));
  CHECK_FALSE(IsDefined(kBlendFactorNames, 16, 9, false));
  CHECK(IsDefined(kBlendFactorNames, 16, 9, true));
  CHECK(IsDefined(kBlendFactorNames, 1, 9, true));
  CHECK(IsDefined(kClearFlagNames, 7, 7, false));
  CHECK_FALSE(IsDefined(kClearFlagNames, 8, 7, false));
  CHECK(IsDefined(kClearFlagNames, 15, 8, false));
  CHECK(IsDefined(kPatchFlagNames, 0, 8, false));
  CHECK_FALSE(IsDefined(kPatchFlagNames, 4, 9, true));
}

TEST_CASE("Transforms: matrices have names, and aliases address one matrix") {
  CHECK(NameOf(kTransformStateNames, 256) == "WORLDMATRIX(0)");
  CHECK(NameOf(kTransformStateNames, 511) == "WORLDMATRIX(255)");
  CHECK(FindValue(kTransformStateNames, "WORLDMATRIX(42)")->value == 298);
  CHECK(NameOf(kTransformStateNames, 512).empty());
  CHECK(CanonicalTransform(1) == 256);
  CHECK(CanonicalTransform(4) == 257);
  CHECK(CanonicalTransform(6) == 259);
  CHECK(CanonicalTransform(2) == 2);
  CHECK(CanonicalTransform(23) == 23);
  CHECK_FALSE(CanonicalTransform(0).has_value());
  CHECK_FALSE(CanonicalTransform(7).has_value());
  CHECK_FALSE(CanonicalTransform(24).has_value());
  CHECK_FALSE(CanonicalTransform(512).has_value());
}

TEST_CASE("Declarations: sizes of the element types") {
  CHECK(DeclTypeSize(Value(DeclType::Float4)) == 16);
  CHECK(DeclTypeSize(Value(DeclType::UByte4)) == 4);
  CHECK(DeclTypeSize(Value(DeclType::Short4N)) == 8);
  CHECK(DeclTypeSize(Value(DeclType::Float16x4)) == 8);
  CHECK(DeclTypeSize(Value(DeclType::Unused)) == 0);
  CHECK(DeclTypeSize(18) == 0);
}
