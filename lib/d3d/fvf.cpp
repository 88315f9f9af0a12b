#include "d3d/fvf.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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
  // Unspecified: where the fog factor lies; chosen: after specular, before the texture coordinates.
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

namespace {

// One name of an FVF: the bits that it sets, and those that no other name may have set before.
struct FvfWordBits {
  uint32_t bits = 0;
  uint32_t exclusive = 0;
};

std::optional<uint32_t> ParseNumber(std::string_view text, int base) {
  uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, base);
  if (text.empty() || result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

// "TEX3", "TEXCOORDSIZE3(1)".
std::optional<FvfWordBits> ParseTextureName(std::string_view word) {
  constexpr std::string_view kSize = "TEXCOORDSIZE";
  constexpr std::string_view kCount = "TEX";
  if (!word.starts_with(kCount)) return std::nullopt;
  if (!word.starts_with(kSize)) {
    const std::optional<uint32_t> count = ParseNumber(word.substr(kCount.size()), 10);
    if (!count || *count > fvf::kTexcountMask >> fvf::kTexcountShift) return std::nullopt;
    return FvfWordBits{*count << fvf::kTexcountShift, fvf::kTexcountMask};
  }
  word.remove_prefix(kSize.size());
  if (word.size() != 4 || word[1] != '(' || word[3] != ')') return std::nullopt;
  const std::optional<uint32_t> dimension = ParseNumber(word.substr(0, 1), 10);
  const std::optional<uint32_t> set = ParseNumber(word.substr(2, 1), 10);
  const auto* const code = std::ranges::find(kDimensions, dimension.value_or(0));
  if (code == std::end(kDimensions) || !set || *set >= kMaxTextureSets) return std::nullopt;
  const uint32_t shift = kTextureFormatShift + 2 * *set;
  return FvfWordBits{static_cast<uint32_t>(code - std::begin(kDimensions)) << shift,
                     uint32_t{3} << shift};
}

std::optional<FvfWordBits> ParseName(std::string_view word) {
  if (word.starts_with("0x")) {
    const std::optional<uint32_t> bits = ParseNumber(word.substr(2), 16);
    return bits ? std::optional(FvfWordBits{*bits}) : std::nullopt;
  }
  if (const std::optional<uint32_t> bits = ParseNumber(word, 10)) return FvfWordBits{*bits};
  constexpr std::string_view kPrefix = "D3DFVF_";
  if (word.starts_with(kPrefix)) word.remove_prefix(kPrefix.size());
  if (word == "XYZW") return FvfWordBits{fvf::kXyzw, fvf::kPositionMask};
  for (uint32_t i = 1; i < std::size(kPositionNames); ++i) {
    if (word == kPositionNames[i]) return FvfWordBits{2 * i, fvf::kPositionMask};
  }
  for (const FlagName& element : kElementNames) {
    if (word == element.name) return FvfWordBits{element.bit};
  }
  return ParseTextureName(word);
}

std::string_view Trimmed(std::string_view word) {
  while (!word.empty() && word.front() == ' ')
    word.remove_prefix(1);
  while (!word.empty() && word.back() == ' ')
    word.remove_suffix(1);
  return word;
}

}  // namespace

std::optional<uint32_t> ParseFvf(std::string_view text, std::string_view& wrong) {
  uint32_t code = 0;
  uint32_t taken = 0;  // exclusive bits of the names so far
  for (bool at_end = false; !at_end;) {
    const size_t bar = std::min(text.find('|'), text.size());
    at_end = bar == text.size();
    wrong = Trimmed(text.substr(0, bar));
    text.remove_prefix(at_end ? bar : bar + 1);
    const std::optional<FvfWordBits> bits = ParseName(wrong);
    if (!bits || (taken & bits->exclusive) != 0) return std::nullopt;
    taken |= bits->exclusive;
    code |= bits->bits;
  }
  wrong = {};
  return code;
}

std::vector<std::string> FvfNames() {
  std::vector<std::string> names(std::begin(kPositionNames) + 1, std::end(kPositionNames));
  names.emplace_back("XYZW");
  for (const FlagName& element : kElementNames)
    names.emplace_back(element.name);
  for (uint32_t count = 0; count <= kMaxTextureSets; ++count)
    names.push_back(fmt::format("TEX{}", count));
  for (uint32_t set = 0; set < kMaxTextureSets; ++set) {
    for (const uint32_t dimension : kDimensions)
      names.push_back(fmt::format("TEXCOORDSIZE{}({})", dimension, set));
  }
  return names;
}

std::vector<FvfWord> FvfWords(uint32_t code) {
  const FvfLayout layout = DecodeFvf(code);
  std::vector<FvfWord> words(layout.size / 4, FvfWord::kFloat);
  for (const uint32_t color : {layout.diffuse, layout.specular}) {
    if (color != FvfLayout::kAbsent) words[color / 4] = FvfWord::kColor;
  }
  if (layout.blend_indices != FvfLayout::kAbsent)
    words[layout.blend_indices / 4] = FvfWord::kIndices;
  return words;
}

}  // namespace dp2trace::d3d
