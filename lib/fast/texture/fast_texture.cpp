#include "fast/texture/fast_texture.h"

#include <xxhash.h>

#include <algorithm>

#include "base/bytes.h"
#include "image/decoder.h"

namespace dp2trace::fast {
namespace {

constexpr uint64_t kRoundsKept = 256;

uint32_t Pack(const image::StoredTexel& texel) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < 4; ++i)
    word |= static_cast<uint32_t>(texel[i]) << (8 * i);
  return word;
}

// A8R8G8B8 and X8R8G8B8, by far the most common.
void CopyArgb(const image::ConstLevel& level, bool has_alpha, uint32_t* to) {
  const uint32_t opaque = has_alpha ? 0 : 0xFF000000U;
  for (uint32_t y = 0; y < level.height; ++y) {
    const uint8_t* row = level.block(0, y);
    for (uint32_t x = 0; x < level.width; ++x) {
      const uint32_t word = LoadU32(row + 4 * size_t{x});
      *to++ = (word & 0xFF00FF00U) | (word >> 16 & 0xFFU) | (word & 0xFFU) << 16 | opaque;
    }
  }
}

void CopyLevel(const image::Decoder& decoder, const image::ConstLevel& level, uint32_t* to) {
  const d3d::Format format = decoder.info().format;
  if (format == d3d::Format::A8R8G8B8 || format == d3d::Format::X8R8G8B8)
    return CopyArgb(level, format == d3d::Format::A8R8G8B8, to);
  for (uint32_t y = 0; y < level.height; ++y) {
    for (uint32_t x = 0; x < level.width; ++x)
      *to++ = Pack(decoder.Stored(level, x, y));
  }
}

std::shared_ptr<const FastTexture> MakeTexture(const raster::Sampler& sampler) {
  const image::Surface& surface = sampler.resource().surface;
  const image::Decoder decoder(surface.info(), sampler.palette());
  auto texture = std::make_shared<FastTexture>();
  for (size_t i = 0; i < 4; ++i) {
    texture->scales[i] = image::UnormScale(decoder.stored_channels()[i].bits) * (1.0F / 65536.0F);
  }
  for (uint32_t n = 0; n < surface.description().levels; ++n) {
    const image::ConstLevel level = surface.level(0, n);
    const auto offset = static_cast<uint32_t>(texture->texels.size());
    texture->levels.push_back({offset, level.width, level.height});
    // A margin: pairs of texels are read at once.
    texture->texels.resize(offset + size_t{level.width} * level.height + 1);
    CopyLevel(decoder, level, texture->texels.data() + offset);
  }
  return texture;
}

}  // namespace

bool HasFastForm(const raster::Sampler& sampler) {
  const device::Resource& resource = sampler.resource();
  if (!sampler.reader().filters_exactly() || sampler.may_kill()) return false;
  if (resource.is_cube() || resource.is_volume()) return false;
  const image::SurfaceDescription& d = resource.surface.description();
  constexpr uint32_t kMaxExtent = 16384;
  if (d.width > kMaxExtent || d.height > kMaxExtent || d.samples > 1) return false;
  const image::Decoder decoder(resource.surface.info(), sampler.palette());
  return std::ranges::none_of(decoder.stored_channels(), &image::StoredChannel::is_signed);
}

std::shared_ptr<const FastTexture> TextureCache::Find(const raster::Sampler& sampler) {
  const image::Surface& surface = sampler.resource().surface;
  Key key = {.surface = surface.id()};
  if (const image::Palette* palette = sampler.palette()) {
    key.palette = XXH3_64bits_withSeed(palette->rgba.data(), sizeof(palette->rgba),
                                       palette->has_alpha ? 2 : 1);
  }
  Entry& entry = entries_[key];
  entry.last_round = round_;
  if (entry.texture == nullptr || entry.generation != surface.generation()) {
    entry.generation = surface.generation();
    entry.texture = MakeTexture(sampler);
  }
  return entry.texture;
}

void TextureCache::EndRound() {
  ++round_;
  if (round_ % kRoundsKept != 0) return;
  std::erase_if(entries_,
                [this](const auto& item) { return item.second.last_round + kRoundsKept < round_; });
}

}  // namespace dp2trace::fast
