#include "raster/texture/texel_reader.h"

#include <algorithm>
#include <cstring>

#include "raster/texture/srgb_table.h"

namespace dp2trace::raster {
namespace {

using d3d::FormatKind;

// Bits of a raw texel that a colour key is compared with; 0 where the format has no raw texels.
// Unspecified: keys of compressed, YUV, float and depth formats; chosen: they match nothing.
uint64_t KeyMaskOf(const d3d::FormatInfo& info) {
  if (info.block_width != 1 || info.block_height != 1 || info.block_size > 8) return 0;
  if (info.has_palette()) return info.Mask('P');
  const bool is_plain = info.kind == FormatKind::kUnorm || info.kind == FormatKind::kLuminance ||
                        info.kind == FormatKind::kBump;
  if (!is_plain) return 0;
  uint64_t mask = 0;
  for (const d3d::Channel& channel : info.channels) {
    mask |= info.Mask(channel.name);
  }
  return mask;
}

// Unspecified: palettes, packed RGB and the vendor's ATI blocks; chosen: the first two hold UNORM RGB, the last do not.
bool IsSrgbFormat(const image::Decoder& decoder) {
  if (!decoder.filters_exactly()) return false;  // wider than 8 bits, floats, depth
  const d3d::FormatInfo& info = decoder.info();
  switch (info.kind) {
    case FormatKind::kUnorm:
    case FormatKind::kLuminance:
    case FormatKind::kPalette:
    case FormatKind::kPackedRgb:
    case FormatKind::kMultiElement:
      return true;
    case FormatKind::kBlock:
      return info.name.starts_with("DXT");
    case FormatKind::kBump:
    case FormatKind::kFloat:
    case FormatKind::kDepth:
    case FormatKind::kDepthTexture:
    case FormatKind::kYuv:
    case FormatKind::kPlanarYuv:
    case FormatKind::kBuffer:
    case FormatKind::kNone:
      break;
  }
  return false;
}

std::array<int32_t, 4> Rgba8(uint32_t argb) {
  const auto byte = [argb](uint32_t shift) { return static_cast<int32_t>(argb >> shift & 0xFF); };
  return {byte(16), byte(8), byte(0), byte(24)};
}

int32_t LargestOf(const image::StoredChannel& channel) {
  return (1 << (channel.is_signed ? channel.bits - 1 : channel.bits)) - 1;
}

// A border colour among the stored integers.
image::StoredTexel StoredColor(uint32_t argb, const std::array<image::StoredChannel, 4>& channels) {
  const std::array<int32_t, 4> rgba = Rgba8(argb);
  image::StoredTexel texel = {};
  for (size_t i = 0; i < 4; ++i) {
    texel[i] = (2 * rgba[i] * LargestOf(channels[i]) + 255) / 510;
  }
  return texel;
}

}  // namespace

TexelReader::TexelReader(const image::Decoder& decoder, const ReaderOptions& options)
    : decoder_(&decoder), options_(options) {
  key_mask_ = KeyMaskOf(decoder.info());
  if (key_mask_ == 0) options_.color_key.reset();
  options_.blends_color_key = options_.blends_color_key && has_color_key();
  options_.decodes_srgb = options_.decodes_srgb && IsSrgbFormat(decoder);
  options_.compares_depth = options_.compares_depth && decoder.info().kind == FormatKind::kDepth;
  filters_exactly_ = decoder.filters_exactly() && !options_.decodes_srgb;
}

bool TexelReader::MatchesColorKey(const LevelView& view, const Tap& tap) const {
  if (!has_color_key() || tap.is_border || view.is_missing) return false;
  uint64_t word = 0;  // little-endian, at most 8 bytes
  std::memcpy(&word, view.level.block(tap.x, tap.y, tap.z), decoder_->info().block_size);
  const uint64_t raw = word & key_mask_;
  const uint64_t low = options_.color_key->low & key_mask_;
  if (!decoder_->info().has_palette()) return raw == low;  // the runtimes pass high = low
  return low <= raw && raw <= (options_.color_key->high & key_mask_);
}

bool TexelReader::IsZeroedByKey(const LevelView& view, const Tap& tap) const {
  return options_.blends_color_key && MatchesColorKey(view, tap);
}

bool TexelReader::AlphaBit(const LevelView& view, const Tap& tap) const {
  if (tap.is_border || view.is_missing) return (view.border_color >> 24 & 1) != 0;
  if (!decoder_->has_stored()) return true;
  return (decoder_->Stored(view.level, tap.x, tap.y, tap.z)[3] & 1) != 0;
}

image::StoredTexel TexelReader::Stored(const LevelView& view, const Tap& tap) const {
  const std::array<image::StoredChannel, 4>& channels = decoder_->stored_channels();
  if (tap.is_border || view.is_missing) return StoredColor(view.border_color, channels);
  if (IsZeroedByKey(view, tap)) return {};
  image::StoredTexel texel = decoder_->Stored(view.level, tap.x, tap.y, tap.z);
  for (size_t i = 0; i < 4; ++i) {
    texel[i] = std::max(texel[i], -LargestOf(channels[i]));
  }
  return texel;
}

Float4 TexelReader::FromSum(const std::array<int32_t, 4>& sum) const {
  Float4 color = {};
  for (size_t i = 0; i < 4; ++i) {
    const image::StoredChannel& channel = decoder_->stored_channels()[i];
    const float scale = image::UnormScale(channel.is_signed ? channel.bits - 1U : channel.bits);
    color[i] = static_cast<float>(sum[i]) * (scale * (1.0F / 65536.0F));
  }
  return color;
}

// Unspecified: whether the border colour is decoded; chosen: yes, it replaces the tap before this step.
Float4 TexelReader::DecodeSrgb(const LevelView& view, const Tap& tap) const {
  image::StoredTexel texel = {};
  std::array<image::StoredChannel, 4> channels = decoder_->stored_channels();
  if (tap.is_border || view.is_missing) {
    texel = Rgba8(view.border_color);
    channels = {};
  } else if (!IsZeroedByKey(view, tap)) {
    texel = decoder_->Stored(view.level, tap.x, tap.y, tap.z);
  }
  Float4 color = {};
  for (size_t i = 0; i < 3; ++i) {
    color[i] = LinearOfStored(static_cast<uint32_t>(texel[i]), channels[i].bits);
  }
  color[3] = static_cast<float>(texel[3]) * image::UnormScale(channels[3].bits);
  return color;
}

Float4 TexelReader::Decode(const LevelView& view, const Tap& tap, float reference) const {
  if (options_.decodes_srgb) return DecodeSrgb(view, tap);
  if (tap.is_border || view.is_missing) return FromColor(view.border_color);
  if (IsZeroedByKey(view, tap)) return {};
  const image::Texel texel = decoder_->Decode(view.level, tap.x, tap.y, tap.z);
  if (!options_.compares_depth) return texel;
  const float passes = reference <= texel[0] ? 1.0F : 0.0F;
  return {passes, passes, passes, passes};
}

}  // namespace dp2trace::raster
