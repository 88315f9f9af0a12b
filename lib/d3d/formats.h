// Pixel formats: layout of each, look-up by number, name and DDPIXELFORMAT, and the arithmetic of levels and rows.
// Source: lib/opcode/dp2.md 13.3 and 13.5; lib/raster/rendering-texture.md 3.7 (vendor FOURCC formats).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "d3d/enums.h"

namespace dp2trace::d3d {

enum class Format : uint32_t {
  Unknown = 0,
#define DP2TRACE_FORMAT(Enumerator, code, ...) Enumerator = (code),
#include "d3d/formats.def"
#undef DP2TRACE_FORMAT
};

// What the stored numbers are; decides how a texel becomes a colour.
enum class FormatKind : uint8_t {
  kUnorm,         // R, G, B, A: unsigned, 0..1
  kLuminance,     // L and A: unsigned, L to R, G and B
  kPalette,       // P: palette index, and A
  kBump,          // U, V, W, Q: signed, -1..1; L and A unsigned
  kFloat,         // IEEE half or single
  kDepth,         // Z and S
  kDepthTexture,  // depth that is sampled as a value (vendor FOURCC)
  kPackedRgb,     // two pixels share R and B
  kYuv,           // packed 4:2:2
  kPlanarYuv,     // 4:2:0 in planes
  kBlock,         // DXT and ATI blocks
  kMultiElement,  // several colours per pixel
  kBuffer,        // vertex, index or binary data
  kNone,          // FOURCC NULL: a target without pixels
};
// "unorm", "luminance", ...
std::string_view Name(FormatKind kind);

enum class ChannelType : uint8_t { kUnorm, kSnorm, kUint, kFloat };

// One channel of a pixel (or, for two pixels that share a word, of that word).
struct Channel {
  char name = 0;            // R G B A L P U V W Q Z S; 0 = absent
  uint8_t offset_bits = 0;  // from the least significant bit of the little-endian pixel
  uint8_t width_bits = 0;
  ChannelType type = ChannelType::kUnorm;
  bool operator==(const Channel&) const = default;
};

struct FormatInfo {
  Format format;
  std::string_view name;  // after D3DFMT_
  uint8_t first_level;    // first level whose enumeration has it; kLevel9Ex = Direct3D 9Ex only
  uint8_t last_level;
  FormatKind kind;
  uint8_t block_width;  // pixels of one block; 1 x 1 for plain formats
  uint8_t block_height;
  uint8_t block_size;  // bytes of one block
  // Channels from most to least significant bit: "A8 R8 G8 B8"; X = unused, s = signed, f = float.
  std::string_view layout;
  std::array<Channel, 4> channels;  // the same without X; absent ones last
  bool is_premultiplied;
  uint32_t legacy_flags;      // DDPF_* by which drivers below level 8 know the layout; 0 = none
  uint32_t legacy_bit_count;  // dwRGBBitCount and its aliases; 0 for FOURCC

  constexpr bool is_d3d9ex() const { return first_level == kLevel9Ex; }
  constexpr bool is_fourcc() const { return static_cast<uint32_t>(format) > 0xFFFF; }
  constexpr bool is_block() const { return kind == FormatKind::kBlock; }
  constexpr bool is_depth() const {
    return kind == FormatKind::kDepth || kind == FormatKind::kDepthTexture;
  }
  constexpr bool is_buffer() const { return kind == FormatKind::kBuffer; }
  constexpr bool has_palette() const { return kind == FormatKind::kPalette; }
  constexpr bool has_stencil() const { return FindChannel('S') != nullptr; }
  // DXT1 counts: its blocks can hold transparent texels.
  constexpr bool has_alpha() const {
    return FindChannel('A') != nullptr || (is_block() && name.starts_with("DXT"));
  }
  // Whether its texels have alpha: stored, or in the palette.
  constexpr bool has_alpha(bool is_in_palette) const {
    return has_alpha() || (has_palette() && is_in_palette);
  }
  // The channel called `channel_name`, or null.
  constexpr const Channel* FindChannel(char channel_name) const {
    for (const Channel& channel : channels) {
      if (channel.name == channel_name && channel_name != 0) return &channel;
    }
    return nullptr;
  }
  // Mask of the channel in the pixel, for pixels of up to 64 bits; 0 where absent.
  constexpr uint64_t Mask(char channel_name) const {
    const Channel* channel = FindChannel(channel_name);
    if (channel == nullptr || channel->offset_bits >= 64) return 0;
    const uint64_t ones =
        channel->width_bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << channel->width_bits) - 1;
    return ones << channel->offset_bits;
  }
};

// The row of a D3DFORMAT number, or null.
const FormatInfo* FindFormat(uint32_t format);
inline const FormatInfo* FindFormat(Format format) {
  return FindFormat(static_cast<uint32_t>(format));
}
const FormatInfo* FindFormatByName(std::string_view name);
// All rows by ascending number.
std::span<const FormatInfo> AllFormats();

// Bits of DDPIXELFORMAT.dwFlags.
namespace ddpf {
inline constexpr uint32_t kAlphaPixels = 0x1;
inline constexpr uint32_t kAlpha = 0x2;
inline constexpr uint32_t kFourCc = 0x4;
inline constexpr uint32_t kPaletteIndexed4 = 0x8;
inline constexpr uint32_t kPaletteIndexed8 = 0x20;
inline constexpr uint32_t kRgb = 0x40;
inline constexpr uint32_t kZBuffer = 0x400;
inline constexpr uint32_t kStencilBuffer = 0x4000;
inline constexpr uint32_t kAlphaPremultiplied = 0x8000;
inline constexpr uint32_t kLuminance = 0x20000;
inline constexpr uint32_t kBumpLuminance = 0x40000;
inline constexpr uint32_t kBumpDuDv = 0x80000;
// dwFourCC holds a D3DFORMAT number (DDI, level 8 and up).
inline constexpr uint32_t kD3dFormat = 0x200000;
}  // namespace ddpf

// The format that a DDPIXELFORMAT describes, or null where no row has this layout. Words are taken by position: 12 bit count, 16 red
// (luminance, du, stencil depth), 20 green (dv, Z mask), 24 blue (bump luminance, stencil mask), 28 alpha. Of equal layouts the
// lowest number wins (16-bit depth: D16_LOCKABLE).
const FormatInfo* FormatFromPixelFormat(uint32_t flags, uint32_t four_cc, uint32_t bit_count,
                                        uint32_t red_mask, uint32_t green_mask, uint32_t blue_mask,
                                        uint32_t alpha_mask);

// Extent of a mip level: max(1, extent >> level). Source: lib/opcode/dp2.md 13.3.
constexpr uint32_t ClipLevelExtent(uint32_t extent, uint32_t level) {
  const uint32_t shifted = level < 32 ? extent >> level : 0;
  return shifted == 0 ? 1 : shifted;
}
// Levels of a full chain down to 1x1x1.
uint32_t FullLevelCount(uint32_t width, uint32_t height, uint32_t depth = 1);

// Bytes of one row of pixels, or of one row of blocks, without padding.
constexpr uint64_t RowSize(const FormatInfo& info, uint32_t width) {
  return (uint64_t{width} + info.block_width - 1) / info.block_width * info.block_size;
}
// Rows of that size in a slice: rows of blocks for block formats; planes of chroma count as rows of half the height.
constexpr uint64_t RowCount(const FormatInfo& info, uint32_t height) {
  const uint64_t rows = (uint64_t{height} + info.block_height - 1) / info.block_height;
  return info.kind == FormatKind::kPlanarYuv ? rows + (rows + 1) / 2 : rows;
}
// Bytes of a level without padding; nothing on overflow. Extents are those of the level itself.
std::optional<uint64_t> LevelSize(const FormatInfo& info, uint32_t width, uint32_t height,
                                  uint32_t depth = 1);

}  // namespace dp2trace::d3d
