// Flexible vertex formats: bits, vertex size, and where each element lies.
// Source: lib/opcode/dp2.md 6.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dp2trace::d3d {

// Bits of an FVF code (D3DFVF_*).
namespace fvf {
inline constexpr uint32_t kReserved0 = 0x0001;  // set: not an FVF but a handle (level 8 and up)
inline constexpr uint32_t kPositionMask = 0x400E;
inline constexpr uint32_t kXyz = 0x0002;
inline constexpr uint32_t kXyzRhw = 0x0004;
inline constexpr uint32_t kXyzB1 = 0x0006;
inline constexpr uint32_t kXyzB2 = 0x0008;
inline constexpr uint32_t kXyzB3 = 0x000A;
inline constexpr uint32_t kXyzB4 = 0x000C;
inline constexpr uint32_t kXyzB5 = 0x000E;
inline constexpr uint32_t kXyzw = 0x4002;
inline constexpr uint32_t kNormal = 0x0010;
inline constexpr uint32_t kPointSize = 0x0020;  // DX6/7: RESERVED1, a padding slot
inline constexpr uint32_t kDiffuse = 0x0040;
inline constexpr uint32_t kSpecular = 0x0080;
inline constexpr uint32_t kTexcountMask = 0x0F00;
inline constexpr uint32_t kTexcountShift = 8;
inline constexpr uint32_t kLastBetaUByte4 = 0x1000;
inline constexpr uint32_t kFog = 0x2000;
inline constexpr uint32_t kLastBetaD3dColor = 0x8000;
}  // namespace fvf

inline constexpr uint32_t kMaxTextureSets = 8;

enum class PositionKind : uint8_t { kNone, kXyz, kXyzRhw, kXyzw, kXyzBlend };

// The vertex that an FVF code describes. Offsets and sizes are in bytes from the start of the vertex.
struct FvfLayout {
  static constexpr uint32_t kAbsent = 0xFFFFFFFF;
  struct TextureSet {
    uint32_t offset = kAbsent;
    uint32_t dimension = 0;  // floats: 1 to 4; 0 where the set is absent
    bool operator==(const TextureSet&) const = default;
  };

  PositionKind position = PositionKind::kNone;
  uint32_t position_size = 0;  // without blend values: 12 or 16
  uint32_t weight_count = 0;   // f32 blend values after the position, without the packed indices
  uint32_t weights = kAbsent;  // offset of the first
  uint32_t blend_indices = kAbsent;     // u32 in place of the last blend value (LASTBETA_*)
  bool blend_indices_d3dcolor = false;  // packed as a D3DCOLOR
  uint32_t normal = kAbsent;
  uint32_t point_size = kAbsent;
  uint32_t diffuse = kAbsent;
  uint32_t specular = kAbsent;
  uint32_t fog = kAbsent;
  uint32_t texture_set_count = 0;
  std::array<TextureSet, kMaxTextureSets> texture_sets;
  uint32_t size = 0;  // of the whole vertex

  bool operator==(const FvfLayout&) const = default;
};

// Never fails: without a position kind the other elements still have their places; of more than 8 texture sets the first 8 count.
FvfLayout DecodeFvf(uint32_t code);
// DecodeFvf(code).size.
uint32_t FvfVertexSize(uint32_t code);
// Floats of texture coordinate set 0-7: {2, 3, 4, 1}[code]. Source: lib/opcode/dp2.md 6.1.
uint32_t FvfTextureDimension(uint32_t code, uint32_t set);
// "XYZRHW|DIFFUSE|TEX2|TEXCOORDSIZE3(1)"; bits without a name as one hexadecimal number; "0" for 0.
std::string FvfText(uint32_t code);
// The inverse, for people: names in any order with or without "D3DFVF_", blanks around "|", numbers ("0x44", "0"). Null where a word is no
// name or two of them exclude each other (two positions, two counts of texture coordinates); `wrong` is that word.
std::optional<uint32_t> ParseFvf(std::string_view text, std::string_view& wrong);
// All names that ParseFvf() knows, in table order, without prefix.
std::vector<std::string> FvfNames();

// What a 4-byte word of a vertex holds: every element is made of such words.
enum class FvfWord : uint8_t { kFloat, kColor, kIndices };
// The words of the vertex, in order; FvfVertexSize(code) / 4 of them.
std::vector<FvfWord> FvfWords(uint32_t code);

}  // namespace dp2trace::d3d
