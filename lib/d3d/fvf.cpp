#include "d3d/fvf.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace dp2trace::d3d {
namespace {

constexpr uint32_t kDimensions[] = {2, 3, 4, 1};  // by the 2-bit texture format code
constexpr uint32_t kTextureFormatShift = 16;
constexpr uint32_t kBlendPositionMask = 0x000E;  // the position kind without the bit of XYZW

struct FlagName {
  uint32_t bit;
  std::string_view name;
};
constexpr FlagName kElementNames[] = {
    {fvf::kNormal, "NORMAL"},
    {fvf::kPointSize, "PSIZE"},
    {fvf::kDiffuse, "DIFFUSE"},
    {fvf::kSpecular, "SPECULAR"},
    {fvf::kFog, "FOG"},
    {fvf::kLastBetaUByte4, "LASTBETA_UBYTE4"},
    {fvf::kLastBetaD3dColor, "LASTBETA_D3DCOLOR"},
};
constexpr std::string_view kPositionNames[] = {"",      "XYZ",   "XYZRHW", "XYZB1",
                                               "XYZB2", "XYZB3", "XYZB4",  "XYZB5"};

// Blend values of XYZB1 to XYZB5; 0 for other kinds.
uint32_t BlendValueCount(uint32_t code) {
  const uint32_t kind = code & kBlendPositionMask;
  return kind >= fvf::kXyzB1 ? kind / 2 - 2 : 0;
}

PositionKind DecodePosition(uint32_t code) {
  if ((code & fvf::kPositionMask) == fvf::kXyzw) return PositionKind::kXyzw;
  switch (code & kBlendPositionMask) {
    case 0:
      return PositionKind::kNone;
    case fvf::kXyz:
      return PositionKind::kXyz;
    case fvf::kXyzRhw:
      return PositionKind::kXyzRhw;
  }
  return PositionKind::kXyzBlend;
}

uint32_t PositionSize(PositionKind kind) {
  switch (kind) {
    case PositionKind::kNone:
      return 0;
    case PositionKind::kXyz:
    case PositionKind::kXyzBlend:
      return 12;
    case PositionKind::kXyzRhw:
    case PositionKind::kXyzw:
      return 16;
  }
  return 0;
}

}  // namespace

uint32_t FvfTextureDimension(uint32_t code, uint32_t set) {
  if (set >= kMaxTextureSets) return 0;
  return kDimensions[(code >> (kTextureFormatShift + 2 * set)) & 3];
}

FvfLayout DecodeFvf(uint32_t code) {
  FvfLayout layout;
  const auto take = [&layout](uint32_t bytes) {
    const uint32_t offset = layout.size;
    layout.size += bytes;
    return offset;
  };

  layout.position = DecodePosition(code);
  layout.position_size = PositionSize(layout.position);
  take(layout.position_size);
  layout.weight_count = BlendValueCount(code);
  const bool has_indices =
      layout.weight_count > 0 && (code & (fvf::kLastBetaUByte4 | fvf::kLastBetaD3dColor)) != 0;
  if (has_indices) --layout.weight_count;
  if (layout.weight_count > 0) layout.weights = take(4 * layout.weight_count);
  if (has_indices) {
    layout.blend_indices = take(4);
    layout.blend_indices_d3dcolor = (code & fvf::kLastBetaUByte4) == 0;
  }
  if ((code & fvf::kNormal) != 0) layout.normal = take(12);
  if ((code & fvf::kPointSize) != 0) layout.point_size = take(4);
  if ((code & fvf::kDiffuse) != 0) layout.diffuse = take(4);
  if ((code & fvf::kSpecular) != 0) layout.specular = take(4);
  // Unspecified: where the fog factor lies; chosen: behind specular, before the texture coordinates.
  if ((code & fvf::kFog) != 0) layout.fog = take(4);
  layout.texture_set_count =
      std::min((code & fvf::kTexcountMask) >> fvf::kTexcountShift, kMaxTextureSets);
  for (uint32_t set = 0; set < layout.texture_set_count; ++set) {
    const uint32_t dimension = FvfTextureDimension(code, set);
    layout.texture_sets[set] = {take(4 * dimension), dimension};
  }
  return layout;
}

uint32_t FvfVertexSize(uint32_t code) {
  return DecodeFvf(code).size;
}

std::string FvfText(uint32_t code) {
  std::string text;
  uint32_t rest = code;
  const auto append = [&text](std::string_view name) {
    if (!text.empty()) text += '|';
    text += name;
  };

  if ((code & fvf::kPositionMask) == fvf::kXyzw) {
    append("XYZW");
    rest &= ~fvf::kXyzw;
  } else if ((code & kBlendPositionMask) != 0) {
    append(kPositionNames[(code & kBlendPositionMask) / 2]);
    rest &= ~kBlendPositionMask;
  }
  for (const FlagName& element : kElementNames) {
    if ((code & element.bit) == 0) continue;
    append(element.name);
    rest &= ~element.bit;
  }
  const uint32_t count = (code & fvf::kTexcountMask) >> fvf::kTexcountShift;
  if (count != 0) append(fmt::format("TEX{}", count));
  rest &= ~fvf::kTexcountMask;
  for (uint32_t set = 0; set < std::min(count, kMaxTextureSets); ++set) {
    const uint32_t dimension = FvfTextureDimension(code, set);
    if (dimension != 2) append(fmt::format("TEXCOORDSIZE{}({})", dimension, set));
    rest &= ~(uint32_t{3} << (kTextureFormatShift + 2 * set));
  }
  if (rest != 0 || text.empty()) append(rest != 0 ? fmt::format("{:#x}", rest) : "0");
  return text;
}

}  // namespace dp2trace::d3d
