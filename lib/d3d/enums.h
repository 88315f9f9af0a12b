// The enumerations and flags of the Direct3D 6-9 driver interface, with their names.
// For every table of enums.def there is `enum class Type : uint32_t` and `extern const EnumInfo kTypeNames`; a value from the wire
// is kept as uint32_t and compared with `Value(Type::Enumerator)` or checked with `IsDefined`.
// Source: lib/opcode/dp2.md 3.1, 7.3, 8.3 to 8.6, 9.1, 10.2, 11 and 15 to 19.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "base/enum_info.h"

namespace dp2trace::d3d {

// The "first level" of what only Direct3D 9Ex defines. It is not a driver level: such a device reports level 9.
inline constexpr uint8_t kLevel9Ex = 10;

#define DP2TRACE_ENUM(Type, spelling, is_flags) enum class Type : uint32_t {
#define DP2TRACE_VALUE(Enumerator, name, value, first, last) Enumerator = (value),
// clang-format off
#define DP2TRACE_ENUM_END() };
// clang-format on
#include "d3d/enums.def"
#undef DP2TRACE_ENUM
#undef DP2TRACE_VALUE
#undef DP2TRACE_ENUM_END

// kPrimitiveTypeNames, kCompareFuncNames, kClearFlagNames, ...
#define DP2TRACE_ENUM(Type, spelling, is_flags) extern const EnumInfo k##Type##Names;
#define DP2TRACE_VALUE(Enumerator, name, value, first, last)
#define DP2TRACE_ENUM_END()
#include "d3d/enums.def"
#undef DP2TRACE_ENUM
#undef DP2TRACE_VALUE
#undef DP2TRACE_ENUM_END

// D3DTRANSFORMSTATETYPE: 1 to 6, 16 to 23 and "WORLDMATRIX(0)" to "WORLDMATRIX(255)" (256 to 511). Source: lib/opcode/dp2.md 9.1.
extern const EnumInfo kTransformStateNames;

// All tables of this folder, in table order; the transform states last.
std::span<const EnumInfo* const> AllEnums();

// The number after an enumerator.
template <class Enum>
constexpr uint32_t Value(Enum enumerator) {
  static_assert(std::is_same_v<std::underlying_type_t<Enum>, uint32_t>);
  return static_cast<uint32_t>(enumerator);
}

// True where a device of this driver level (6-9), with or without 9Ex, defines something with these levels.
constexpr bool IsAtLevel(uint8_t first_level, uint8_t last_level, uint32_t level, bool d3d9ex) {
  if (first_level == kLevel9Ex) return d3d9ex;
  return first_level <= level && level <= last_level;
}

// True for a value of the table that the level defines; for flags, when every bit belongs to such a value.
bool IsDefined(const EnumInfo& info, uint32_t value, uint32_t level, bool d3d9ex);

// D3DTA: selector and modifiers of a texture argument. Source: lib/opcode/dp2.md 8.5.
inline constexpr uint32_t kTextureArgSelectMask = 0x0F;
inline constexpr uint32_t kTextureArgComplement = 0x10;
inline constexpr uint32_t kTextureArgAlphaReplicate = 0x20;

// D3DTSS_TEXCOORDINDEX: coordinate set in the low word, D3DTSS_TCI in the high word. D3DTTFF: count in the low bits. Source: lib/opcode/dp2.md 8.6.
inline constexpr uint32_t kTexcoordSetMask = 0xFFFF;
inline constexpr uint32_t kTexcoordGenerationShift = 16;
inline constexpr uint32_t kTextureTransformCountMask = 0x07;
inline constexpr uint32_t kTextureTransformProjected = 0x100;

// Transform state numbers. Source: lib/opcode/dp2.md 9.1.
enum class TransformState : uint32_t {
  World = 1,  // alias of WorldMatrix(0), as World1..3 are of WorldMatrix(1..3)
  View = 2,
  Projection = 3,
  World1 = 4,
  World2 = 5,
  World3 = 6,
  Texture0 = 16,
  Texture7 = 23,
  WorldMatrix0 = 256,
  WorldMatrix255 = 511,
};
// Bit 31 of a transform number: set to identity, the 64 matrix bytes are ignored.
inline constexpr uint32_t kTransformIdentity = 0x80000000;
inline constexpr uint32_t kTransformSlotCount = 512;

// One number per matrix: 1, 4, 5, 6 become 256 to 259, others stay; nothing where the number is not a transform state.
std::optional<uint32_t> CanonicalTransform(uint32_t state);

// Bytes of a D3DDECLTYPE value; 0 for UNUSED and for what is not a type. Source: lib/opcode/dp2.md 18.3.
uint32_t DeclTypeSize(uint32_t type);

}  // namespace dp2trace::d3d
