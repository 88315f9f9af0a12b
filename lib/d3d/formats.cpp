#include "d3d/formats.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/checked.h"

namespace dp2trace::d3d {
namespace {

using enum FormatKind;

constexpr bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// Parses "A8 R8 G8 B8" (most significant first). A malformed text yields channels that IsWellFormed() rejects.
constexpr std::array<Channel, 4> ParseLayout(std::string_view layout) {
  std::array<Channel, 4> tokens{};
  size_t count = 0;
  for (size_t at = 0; at < layout.size() && count < tokens.size(); ++count) {
    Channel& token = tokens[count];
    token.name = layout[at++];
    while (at < layout.size() && IsDigit(layout[at])) {
      token.width_bits = static_cast<uint8_t>(token.width_bits * 10 + (layout[at++] - '0'));
    }
    if (token.name == 'P' || token.name == 'S') token.type = ChannelType::kUint;
    if (at < layout.size() && layout[at] != ' ') {
      token.type = layout[at] == 's' ? ChannelType::kSnorm : ChannelType::kFloat;
      ++at;
    }
    if (at < layout.size()) ++at;  // the space
  }
  // Offsets count from the last channel; unused bits take room and no entry.
  uint8_t offset = 0;
  for (size_t i = count; i-- > 0;) {
    tokens[i].offset_bits = offset;
    offset = static_cast<uint8_t>(offset + tokens[i].width_bits);
  }
  std::array<Channel, 4> channels{};
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    if (tokens[i].name != 'X') channels[kept++] = tokens[i];
  }
  return channels;
}

constexpr FormatInfo kFormats[] = {
#define DP2TRACE_FORMAT(Enumerator, code, name, first, last, kind, width, height, size, layout, \
                        premultiplied, legacy, bits)                                            \
  {Format::Enumerator,  name,          first,  last, kind, width, height, size, layout,         \
   ParseLayout(layout), premultiplied, legacy, bits},
#include "d3d/formats.def"
#undef DP2TRACE_FORMAT
};

constexpr uint32_t HighestBit(const FormatInfo& info) {
  uint32_t bits = 0;
  for (const Channel& channel : info.channels)
    bits = std::max<uint32_t>(bits, channel.offset_bits + channel.width_bits);
  return bits;
}

// Numbers ascend strictly, names differ, channels have a width and lie inside the block.
constexpr bool IsWellFormed() {
  constexpr std::string_view kChannelNames = "RGBALPUVWQZS";
  for (size_t i = 0; i < std::size(kFormats); ++i) {
    const FormatInfo& row = kFormats[i];
    if (row.block_width == 0 || row.block_height == 0 || HighestBit(row) > row.block_size * 8U)
      return false;
    for (const Channel& channel : row.channels) {
      if (channel.name == 0) continue;
      if (kChannelNames.find(channel.name) == std::string_view::npos || channel.width_bits == 0)
        return false;
    }
    for (size_t j = i + 1; j < std::size(kFormats); ++j) {
      if (row.format >= kFormats[j].format || row.name == kFormats[j].name) return false;
    }
  }
  return true;
}
static_assert(IsWellFormed());

// The words of a DDPIXELFORMAT from its bit count on.
struct PixelFormatWords {
  uint32_t bit_count, red, green, blue, alpha;
  bool operator==(const PixelFormatWords&) const = default;
};

// The words as a driver below level 8 writes them for the row. Source: lib/opcode/dp2.md 13.5.
PixelFormatWords LegacyWords(const FormatInfo& info) {
  const auto mask = [&info](char name) { return static_cast<uint32_t>(info.Mask(name)); };
  PixelFormatWords words = {info.legacy_bit_count, 0, 0, 0, mask('A')};
  if ((info.legacy_flags & ddpf::kRgb) != 0) {
    words.red = mask('R');
    words.green = mask('G');
    words.blue = mask('B');
  } else if ((info.legacy_flags & ddpf::kLuminance) != 0) {
    words.red = mask('L');
  } else if ((info.legacy_flags & ddpf::kBumpDuDv) != 0) {
    words.red = mask('U');
    words.green = mask('V');
    words.blue = mask('L');
  } else if ((info.legacy_flags & ddpf::kZBuffer) != 0) {
    const Channel* stencil = info.FindChannel('S');
    words.red = stencil != nullptr ? stencil->width_bits : 0;
    words.green = mask('Z');
    words.blue = mask('S');
  }
  return words;
}

// Sets the words to 0 that carry nothing for a pixel format with these flags, so that what a driver left in them does not count.
PixelFormatWords Significant(PixelFormatWords words, uint32_t flags) {
  constexpr uint32_t kPalette = ddpf::kPaletteIndexed8;
  if ((flags & kPalette) != 0 || (flags & ddpf::kAlpha) != 0)
    words.red = words.green = words.blue = 0;
  if ((flags & ddpf::kLuminance) != 0) words.green = words.blue = 0;
  if ((flags & ddpf::kBumpDuDv) != 0 && (flags & ddpf::kBumpLuminance) == 0) words.blue = 0;
  if ((flags & ddpf::kZBuffer) != 0 && (flags & ddpf::kStencilBuffer) == 0)
    words.red = words.blue = 0;
  if ((flags & ddpf::kAlphaPixels) == 0 || (flags & kPalette) != 0) words.alpha = 0;
  return words;
}

}  // namespace

std::string_view Name(FormatKind kind) {
  switch (kind) {
    case kUnorm:
      return "unorm";
    case kLuminance:
      return "luminance";
    case kPalette:
      return "palette";
    case kBump:
      return "bump";
    case kFloat:
      return "float";
    case kDepth:
      return "depth";
    case kDepthTexture:
      return "depth texture";
    case kPackedRgb:
      return "packed rgb";
    case kYuv:
      return "yuv";
    case kPlanarYuv:
      return "planar yuv";
    case kBlock:
      return "block";
    case kMultiElement:
      return "multi element";
    case kBuffer:
      return "buffer";
    case kNone:
      return "none";
  }
  return "none";
}

const FormatInfo* FindFormat(uint32_t format) {
  const auto* row =
      std::ranges::lower_bound(kFormats, static_cast<Format>(format), {}, &FormatInfo::format);
  return row == std::end(kFormats) || static_cast<uint32_t>(row->format) != format ? nullptr : row;
}

const FormatInfo* FindFormatByName(std::string_view name) {
  const auto* row = std::ranges::find(kFormats, name, &FormatInfo::name);
  return row == std::end(kFormats) ? nullptr : row;
}

std::span<const FormatInfo> AllFormats() {
  return kFormats;
}

const FormatInfo* FormatFromPixelFormat(uint32_t flags, uint32_t four_cc, uint32_t bit_count,
                                        uint32_t red_mask, uint32_t green_mask, uint32_t blue_mask,
                                        uint32_t alpha_mask) {
  if ((flags & (ddpf::kD3dFormat | ddpf::kFourCc)) != 0) return FindFormat(four_cc);
  uint32_t kind = flags & ~ddpf::kAlphaPremultiplied;
  // Palettes hold colours: programs say so by DDPF_RGB beside DDPF_PALETTEINDEXED8, and so does a display mode of 8 bits.
  if ((kind & ddpf::kPaletteIndexed8) != 0) kind &= ~ddpf::kRgb;
  const PixelFormatWords words =
      Significant({bit_count, red_mask, green_mask, blue_mask, alpha_mask}, kind);
  const auto* row = std::ranges::find_if(kFormats, [&](const FormatInfo& info) {
    return info.legacy_flags != 0 && info.legacy_flags == kind &&
           Significant(LegacyWords(info), kind) == words;
  });
  return row == std::end(kFormats) ? nullptr : row;
}

uint32_t FullLevelCount(uint32_t width, uint32_t height, uint32_t depth) {
  return std::max(1U, static_cast<uint32_t>(std::bit_width(std::max({width, height, depth}))));
}

std::optional<uint64_t> LevelSize(const FormatInfo& info, uint32_t width, uint32_t height,
                                  uint32_t depth) {
  const std::optional<uint64_t> slice = CheckedMul(RowSize(info, width), RowCount(info, height));
  return slice ? CheckedMul(*slice, depth) : std::nullopt;
}

}  // namespace dp2trace::d3d
