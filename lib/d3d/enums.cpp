#include "d3d/enums.h"

#include <array>

namespace dp2trace::d3d {
namespace {

#define DP2TRACE_ENUM(Type, spelling, is_flags) constexpr EnumValue k##Type##Rows[] = {
#define DP2TRACE_VALUE(Enumerator, name, value, first, last) {name, value, first, last},
// clang-format off
#define DP2TRACE_ENUM_END() };
// clang-format on
#include "d3d/enums.def"
#undef DP2TRACE_ENUM
#undef DP2TRACE_VALUE
#undef DP2TRACE_ENUM_END

// Rows ascend strictly and have different names; a flag is a single bit.
constexpr bool IsWellFormed(std::span<const EnumValue> rows, bool is_flags) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name.empty() || rows[i].first_level > rows[i].last_level) return false;
    if (is_flags && (rows[i].value == 0 || (rows[i].value & (rows[i].value - 1)) != 0))
      return false;
    for (size_t j = i + 1; j < rows.size(); ++j) {
      if (rows[i].value >= rows[j].value || rows[i].name == rows[j].name) return false;
    }
  }
  return !rows.empty();
}

#define DP2TRACE_ENUM(Type, spelling, is_flags) \
  static_assert(IsWellFormed(k##Type##Rows, is_flags));
#define DP2TRACE_VALUE(Enumerator, name, value, first, last)
#define DP2TRACE_ENUM_END()
#include "d3d/enums.def"
#undef DP2TRACE_ENUM
#undef DP2TRACE_VALUE
#undef DP2TRACE_ENUM_END

constexpr size_t kWorldMatrixCount = 256;
constexpr std::string_view kWorldMatrixPrefix = "WORLDMATRIX(";

struct MatrixName {
  std::array<char, 16> text{};  // "WORLDMATRIX(255)"
  size_t size = 0;
};

constexpr std::array<MatrixName, kWorldMatrixCount> kWorldMatrixNames = [] {
  std::array<MatrixName, kWorldMatrixCount> names{};
  for (size_t i = 0; i < names.size(); ++i) {
    MatrixName& name = names[i];
    for (const char c : kWorldMatrixPrefix)
      name.text[name.size++] = c;
    if (i >= 100) name.text[name.size++] = static_cast<char>('0' + i / 100);
    if (i >= 10) name.text[name.size++] = static_cast<char>('0' + i / 10 % 10);
    name.text[name.size++] = static_cast<char>('0' + i % 10);
    name.text[name.size++] = ')';
  }
  return names;
}();

// Source: lib/opcode/dp2.md 9.1.
constexpr EnumValue kNamedTransforms[] = {
    {"WORLD", 1, 7, 7},     {"VIEW", 2, 7, 9},      {"PROJECTION", 3, 7, 9}, {"WORLD1", 4, 7, 7},
    {"WORLD2", 5, 7, 7},    {"WORLD3", 6, 7, 7},    {"TEXTURE0", 16, 7, 9},  {"TEXTURE1", 17, 7, 9},
    {"TEXTURE2", 18, 7, 9}, {"TEXTURE3", 19, 7, 9}, {"TEXTURE4", 20, 7, 9},  {"TEXTURE5", 21, 7, 9},
    {"TEXTURE6", 22, 7, 9}, {"TEXTURE7", 23, 7, 9},
};

constexpr auto kTransformRows = [] {
  std::array<EnumValue, std::size(kNamedTransforms) + kWorldMatrixCount> rows{};
  size_t count = 0;
  for (const EnumValue& row : kNamedTransforms)
    rows[count++] = row;
  for (size_t i = 0; i < kWorldMatrixCount; ++i) {
    const MatrixName& name = kWorldMatrixNames[i];
    const std::string_view text(name.text.data(), name.size);
    rows[count++] =
        EnumValue{text, Value(TransformState::WorldMatrix0) + static_cast<uint32_t>(i), 8, 9};
  }
  return rows;
}();

// By D3DDECLTYPE value, in bytes. Source: lib/opcode/dp2.md 18.2 and 18.3.
constexpr uint8_t kDeclTypeSizes[] = {4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4, 8, 0};
static_assert(std::size(kDeclTypeSizes) == std::size(kDeclTypeRows));

}  // namespace

#define DP2TRACE_ENUM(Type, spelling, is_flags) \
  constinit const EnumInfo k##Type##Names = {spelling, is_flags, k##Type##Rows};
#define DP2TRACE_VALUE(Enumerator, name, value, first, last)
#define DP2TRACE_ENUM_END()
#include "d3d/enums.def"
#undef DP2TRACE_ENUM
#undef DP2TRACE_VALUE
#undef DP2TRACE_ENUM_END

constinit const EnumInfo kTransformStateNames = {"D3DTRANSFORMSTATETYPE", false, kTransformRows};

std::span<const EnumInfo* const> AllEnums() {
  static constexpr const EnumInfo* kAll[] = {
#define DP2TRACE_ENUM(Type, spelling, is_flags) &k##Type##Names,
#define DP2TRACE_VALUE(Enumerator, name, value, first, last)
#define DP2TRACE_ENUM_END()
#include "d3d/enums.def"
#undef DP2TRACE_ENUM
#undef DP2TRACE_VALUE
#undef DP2TRACE_ENUM_END
      &kTransformStateNames,
  };
  return kAll;
}

bool IsDefined(const EnumInfo& info, uint32_t value, uint32_t level, bool d3d9ex) {
  uint32_t known_bits = 0;
  for (const EnumValue& row : info.values) {
    if (!IsAtLevel(row.first_level, row.last_level, level, d3d9ex)) continue;
    if (!info.is_flags && row.value == value) return true;
    known_bits |= row.value;
  }
  return info.is_flags && (value & ~known_bits) == 0;
}

std::optional<uint32_t> CanonicalTransform(uint32_t state) {
  constexpr uint32_t kMatrix0 = Value(TransformState::WorldMatrix0);
  if (state == Value(TransformState::World)) return kMatrix0;
  if (state >= Value(TransformState::World1) && state <= Value(TransformState::World3)) {
    return kMatrix0 + 1 + state - Value(TransformState::World1);
  }
  if (NameOf(kTransformStateNames, state).empty()) return std::nullopt;
  return state;
}

uint32_t DeclTypeSize(uint32_t type) {
  return type < std::size(kDeclTypeSizes) ? kDeclTypeSizes[type] : 0;
}

}  // namespace dp2trace::d3d
