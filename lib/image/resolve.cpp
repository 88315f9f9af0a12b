#include "image/resolve.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <vector>

#include "image/encoder.h"

namespace dp2trace::image {
namespace {

bool HasOnlyBytes(const Decoder& decoder) {
  return decoder.has_stored() &&
         std::ranges::all_of(decoder.stored_channels(),
                             [](const StoredChannel& c) { return c == StoredChannel{}; });
}

Texel ResolveBytes(const Decoder& decoder, const ConstLevel& samples, uint32_t x, uint32_t y) {
  const auto count = static_cast<int32_t>(samples.slices);
  StoredTexel sum = {};
  for (uint32_t s = 0; s < samples.slices; ++s) {
    const StoredTexel stored = decoder.Stored(samples, x, y, s);
    for (size_t c = 0; c < 4; ++c) {
      sum[c] += stored[c];
    }
  }
  for (int32_t& channel : sum) {
    channel = (channel + count / 2) / count;
  }
  return decoder.FromStored(sum);
}

// Of a format of whole bytes; unused ones are 0. The same as texel by texel.
void ResolveWholeBytes(const ConstLevel& samples, const Encoder& encoder, const Level& target) {
  std::array<uint8_t, 16> used = {};
  encoder.Encode({1.0F, 1.0F, 1.0F, 1.0F}, used.data());
  const size_t size = size_t{target.width} * target.info->block_size;
  std::vector<uint8_t> masks(size);
  for (size_t i = 0; i < size; ++i)
    masks[i] = used[i % target.info->block_size];
  for (uint32_t y = 0; y < target.height; ++y) {
    const std::span row(target.block(0, y), size);
    AverageBytes(samples, 0, y, row);
    std::ranges::transform(row, masks, row.begin(), std::bit_and<uint8_t>());
  }
}

}  // namespace

Texel ResolveTexel(const Decoder& decoder, const ConstLevel& samples, uint32_t x, uint32_t y) {
  if (samples.slices == 1 || decoder.info().is_depth()) return decoder.Decode(samples, x, y);
  if (HasOnlyBytes(decoder)) return ResolveBytes(decoder, samples, x, y);
  Texel sum = decoder.Decode(samples, x, y, 0);
  for (uint32_t s = 1; s < samples.slices; ++s) {
    const Texel texel = decoder.Decode(samples, x, y, s);
    for (size_t c = 0; c < 4; ++c) {
      sum[c] += texel[c];
    }
  }
  const float scale = 1.0F / static_cast<float>(samples.slices);
  for (float& channel : sum) {
    channel *= scale;
  }
  return sum;
}

void AverageBytes(const ConstLevel& samples, uint32_t left, uint32_t y, std::span<uint8_t> row) {
  const uint32_t count = samples.slices;
  std::array<uint16_t, 1024> sums;
  for (size_t begin = 0; begin < row.size(); begin += sums.size()) {
    const std::span to = row.subspan(begin, std::min(sums.size(), row.size() - begin));
    sums.fill(static_cast<uint16_t>(count / 2));
    for (uint32_t s = 0; s < count; ++s) {
      const uint8_t* const from = samples.block(left, y, s) + begin;
      for (size_t i = 0; i < to.size(); ++i)
        sums[i] = static_cast<uint16_t>(sums[i] + from[i]);
    }
    if (std::has_single_bit(count)) {
      const int shift = std::countr_zero(count);
      for (size_t i = 0; i < to.size(); ++i)
        to[i] = static_cast<uint8_t>(sums[i] >> shift);
    } else {
      for (size_t i = 0; i < to.size(); ++i)
        to[i] = static_cast<uint8_t>(sums[i] / count);
    }
  }
}

Result<Surface> Resolve(const Surface& surface) {
  SurfaceDescription description = surface.description();
  description.samples = 1;
  Result<Surface> resolved = Surface::Create(description, {.keeps_pixels = surface.has_pixels()});
  if (!resolved.ok() || !surface.has_pixels()) return resolved;
  const ConstLevel source = surface.level(0, 0);
  const Level target = resolved->level(0, 0);
  const Encoder encoder(surface.info());
  if (surface.description().samples == 1 || !encoder.can_encode()) {
    std::copy_n(source.bytes, target.slice_pitch, target.bytes);
    return resolved;
  }
  const Decoder decoder(surface.info());
  if (encoder.has_stored() && HasOnlyBytes(decoder)) {
    ResolveWholeBytes(source, encoder, target);
    return resolved;
  }
  for (uint32_t y = 0; y < target.height; ++y) {
    for (uint32_t x = 0; x < target.width; ++x) {
      encoder.Encode(ResolveTexel(decoder, source, x, y), target.block(x, y));
    }
  }
  return resolved;
}

}  // namespace dp2trace::image
