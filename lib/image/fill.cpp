#include "image/fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/bytes.h"
#include "base/checked.h"
#include "image/decode.h"
#include "image/encoder.h"
#include "rules/rule.h"

namespace dp2trace::image {
namespace {

using d3d::Format;
using d3d::FormatKind;

// A8R8G8B8 apart.
struct FillColor {
  uint32_t r, g, b, a;
  explicit FillColor(uint32_t argb)
      : r(argb >> 16 & 0xFFU), g(argb >> 8 & 0xFFU), b(argb & 0xFFU), a(argb >> 24) {}
  std::array<uint32_t, 4> rgba() const { return {r, g, b, a}; }
};

uint8_t Byte(uint32_t value) {
  return static_cast<uint8_t>(value);
}

// 8 bits to n bits.
uint32_t ToBits(uint32_t c, uint32_t bits) {
  if (bits <= 8) return c >> (8 - bits);
  return (2 * c * ((1U << bits) - 1) + 255) / 510;  // half up
}

void StoreChannels(const d3d::FormatInfo& info, const FillColor& color, uint8_t* out) {
  uint64_t word = 0;
  for (size_t i = 0; i < 4; ++i) {
    const d3d::Channel* channel = info.FindChannel("RGBA"[i]);
    if (channel == nullptr) continue;
    word |= uint64_t{ToBits(color.rgba()[i], channel->width_bits)} << channel->offset_bits;
  }
  StoreWord(out, info.block_size, word);
}

// Pixels of one bit: the whole byte is eight equal pixels.
void StoreBits(const FillColor& color, uint8_t* out) {
  out[0] = (color.a & 0x80U) != 0 ? 0xFF : 0;
}

// Unspecified: 9Ex format outside the tables; chosen: c / 255 in its biased range, half up.
void StoreXrBias(const d3d::FormatInfo& info, const FillColor& color, uint8_t* out) {
  uint64_t word = uint64_t{color.a >> 6} << 30;
  for (size_t i = 0; i < 3; ++i) {
    const d3d::Channel* channel = info.FindChannel("RGB"[i]);
    word |= uint64_t{384 + color.rgba()[i] * 2} << channel->offset_bits;  // 510 / 255 = 2
  }
  StoreWord(out, info.block_size, word);
}

void StoreFloats(const d3d::FormatInfo& info, const FillColor& color, uint8_t* out) {
  Texel texel = {};
  for (size_t i = 0; i < 4; ++i) {
    texel[i] = static_cast<float>(color.rgba()[i]) / 255.0F;
  }
  Encoder(info).Encode(texel, out);
}

// The order of the bytes in a pair of pixels; UYVY is R<<24 | G<<16 | R<<8 | B, YUY2 G<<24 | R<<16 | B<<8 | R.
std::array<uint8_t, 4> PairOf(Format format, uint8_t r, uint8_t g, uint8_t b) {
  if (format == Format::R8G8B8G8) return {r, g, b, g};
  if (format == Format::G8R8G8B8) return {g, r, g, b};
  if (format == Format::UYVY) return {b, r, g, r};
  return {r, b, r, g};
}

void StorePair(const d3d::FormatInfo& info, const FillColor& color, uint8_t* out) {
  std::ranges::copy(PairOf(info.format, Byte(color.r), Byte(color.g), Byte(color.b)), out);
}

void StoreColorBlock(const FillColor& color, uint8_t* out) {
  const uint32_t packed = ToBits(color.r, 5) << 11 | ToBits(color.g, 6) << 5 | ToBits(color.b, 5);
  Store(out, static_cast<uint16_t>(packed));
  Store(out + 2, static_cast<uint16_t>(packed));
}

// Both end values equal: every code of the block gives the value.
void StoreValueBlock(uint32_t value, uint8_t* out) {
  out[0] = out[1] = Byte(value);
}

// All sixteen texels alike; DXT1 with alpha below 128 is transparent black.
void StoreBlock(const d3d::FormatInfo& info, const FillColor& color, uint8_t* out) {
  if (info.format == Format::Ati1) return StoreValueBlock(color.r, out);
  if (info.format == Format::Ati2) {
    StoreValueBlock(color.g, out);
    return StoreValueBlock(color.r, out + 8);
  }
  if (info.format == Format::DXT1) {
    StoreColorBlock(color, out);
    if (color.a < 128) Store(out + 4, 0xFFFFFFFFU);
    return;
  }
  StoreColorBlock(color, out + 8);
  const bool is_explicit = info.format == Format::DXT2 || info.format == Format::DXT3;
  if (is_explicit) {
    std::fill_n(out, 8, Byte((color.a >> 4) * 17));
  } else {
    StoreValueBlock(color.a, out);
  }
}

// The low bits of the colour as they are, but unused bits 0.
void StoreRaw(const d3d::FormatInfo& info, uint32_t argb, uint8_t* out) {
  uint64_t mask = 0;
  for (const d3d::Channel& channel : info.channels) {
    if (channel.name != 0) mask |= info.Mask(channel.name);
  }
  StoreWord(out, info.block_size, argb & mask);
}

// A row of blocks, every one alike.
std::vector<uint8_t> RowOf(const FillBlock& block, uint64_t row_size) {
  std::vector<uint8_t> row(MemorySize(row_size));
  if (row_size == 0) return row;
  std::memcpy(row.data(), block.bytes.data(), block.size);
  for (size_t done = block.size; done < row.size(); done *= 2) {
    std::memcpy(row.data() + done, row.data(), std::min(done, row.size() - done));
  }
  return row;
}

void FillSlice(const Level& level, const Area& area, uint32_t z, const std::vector<uint8_t>& row) {
  for (uint32_t y = area.top; y < area.bottom && !row.empty(); y += level.info->block_height) {
    std::memcpy(level.block(area.left, y, z), row.data(), row.size());
  }
}

// Luma, then the chroma planes. Unspecified: "unchanged" is taken as Y, U, V in the bytes of R, G, B.
void FillPlanes(const Level& level, uint32_t z, const FillColor& color) {
  uint8_t* bytes = level.bytes + z * level.slice_pitch;
  const uint64_t luma = level.pitch * level.height;
  const uint64_t plane = level.height / 2 * (level.pitch / 2);
  const bool is_interleaved = level.info->format == Format::Nv12;
  std::fill_n(bytes, luma, Byte(color.r));
  for (uint64_t i = 0; i < level.slice_pitch - luma; ++i) {
    const bool is_u = is_interleaved ? i % 2 == 0 : i >= plane;
    bytes[luma + i] = Byte(is_u ? color.g : color.b);
  }
}

// Pixels of one word: what `keep` names stays.
template <class Word>
void FillWords(uint8_t* row, uint32_t count, uint64_t value, uint64_t keep) {
  for (uint32_t x = 0; x < count; ++x, row += sizeof(Word)) {
    const auto kept = static_cast<Word>(Load<Word>(row) & static_cast<Word>(keep));
    Store(row, static_cast<Word>(kept | static_cast<Word>(value)));
  }
}

// The same for any size.
void FillPixels(uint8_t* row, uint32_t count, uint32_t size, uint64_t value, uint64_t keep) {
  if (size == sizeof(uint16_t)) return FillWords<uint16_t>(row, count, value, keep);
  if (size == sizeof(uint32_t)) return FillWords<uint32_t>(row, count, value, keep);
  for (uint32_t x = 0; x < count; ++x, row += size)
    StoreWord(row, size, (LoadWord(row, size) & keep) | value);
}

bool IsEmpty(const Area& area) {
  return area.width() == 0 || area.height() == 0 || area.depth() == 0;
}

// One past the last slice to fill: all samples of a multisampled surface.
uint32_t EndSlice(const Surface& surface, const Area& area) {
  return area.back - 1 + surface.description().samples;
}

}  // namespace

FillBlock FillBlockOf(const d3d::FormatInfo& info, uint32_t argb) {
  FillBlock block;
  block.size = info.block_size;
  const FillColor color(argb);
  uint8_t* out = block.bytes.data();
  switch (info.kind) {
    case FormatKind::kUnorm:
      if (info.format == Format::A2B10G10R10XrBias) {
        StoreXrBias(info, color, out);
      } else if (info.block_width > 1) {
        StoreBits(color, out);
      } else {
        StoreChannels(info, color, out);
      }
      break;
    case FormatKind::kFloat:
      StoreFloats(info, color, out);
      break;
    case FormatKind::kPackedRgb:
    case FormatKind::kYuv:
      StorePair(info, color, out);
      break;
    case FormatKind::kBlock:
      StoreBlock(info, color, out);
      break;
    case FormatKind::kMultiElement:
      Store(out, argb);
      Store(out + 4, argb);
      break;
    case FormatKind::kPlanarYuv:
      out[0] = Byte(color.r);
      break;
    case FormatKind::kLuminance:
    case FormatKind::kPalette:
    case FormatKind::kBump:
    case FormatKind::kDepth:
    case FormatKind::kDepthTexture:
      StoreRaw(info, argb, out);
      break;
    case FormatKind::kBuffer:
    case FormatKind::kNone:
      break;
  }
  return block;
}

Status Fill(Surface& surface, uint32_t face, uint32_t level, const Area& area, uint32_t argb) {
  DP2TRACE_RETURN_IF_ERROR(surface.CheckArea(face, level, area));
  if (IsEmpty(area) || !surface.has_pixels()) return OkStatus();
  const d3d::FormatInfo& info = surface.info();
  const std::vector<uint8_t> row = RowOf(FillBlockOf(info, argb), d3d::RowSize(info, area.width()));
  for (uint32_t z = area.front; z < EndSlice(surface, area); ++z) {
    if (info.kind == FormatKind::kPlanarYuv) {
      FillPlanes(surface.level(face, level), z, FillColor(argb));
    } else {
      FillSlice(surface.level(face, level), area, z, row);
    }
  }
  return OkStatus();
}

std::optional<PixelFill> PixelFillOf(const d3d::FormatInfo& info, uint32_t argb) {
  const bool is_single = info.block_width == 1 && info.block_height == 1 && info.block_size != 0 &&
                         info.kind != FormatKind::kPlanarYuv && info.kind != FormatKind::kBuffer;
  if (!is_single) return std::nullopt;
  return PixelFill{FillBlockOf(info, argb), 0};
}

std::optional<PixelFill> PixelFillOf(const d3d::FormatInfo& info, const DepthFill& fill) {
  if (!info.is_depth()) return std::nullopt;
  PixelFill made;
  made.pixel.size = info.block_size;
  StoreDepthStencil(info, {QuantizeDepth(info, double{fill.depth}), fill.stencil},
                    fill.writes_depth, fill.writes_stencil, made.pixel.bytes.data());
  made.keep = (fill.writes_depth ? 0 : info.Mask('Z')) | (fill.writes_stencil ? 0 : info.Mask('S'));
  return made;
}

Status FillDepth(Surface& surface, uint32_t face, uint32_t level, const Area& area,
                 const DepthFill& fill) {
  DP2TRACE_RETURN_IF_ERROR(surface.CheckArea(face, level, area));
  const d3d::FormatInfo& info = surface.info();
  const std::optional<PixelFill> made = PixelFillOf(info, fill);
  if (!made) {
    return Status(MakeDiagnostic(Rule::kReplaySurface002,
                                 fmt::format("a {} surface has no depth to fill", info.name)));
  }
  if (IsEmpty(area) || !surface.has_pixels()) return OkStatus();
  const uint64_t value = LoadWord(made->pixel.bytes.data(), info.block_size);
  const Level target = surface.level(face, level);
  std::vector<uint8_t> row;  // where nothing stays
  if (made->keep == 0) row = RowOf(made->pixel, d3d::RowSize(info, area.width()));
  for (uint32_t z = area.front; z < EndSlice(surface, area); ++z) {
    FillSlice(target, area, z, row);
    for (uint32_t y = area.top; made->keep != 0 && y < area.bottom; ++y) {
      FillPixels(target.block(area.left, y, z), area.width(), info.block_size, value, made->keep);
    }
  }
  return OkStatus();
}

}  // namespace dp2trace::image
