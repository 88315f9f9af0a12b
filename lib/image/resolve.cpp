#include "image/resolve.h"

#include <algorithm>

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
  for (uint32_t y = 0; y < target.height; ++y) {
    for (uint32_t x = 0; x < target.width; ++x) {
      encoder.Encode(ResolveTexel(decoder, source, x, y), target.block(x, y));
    }
  }
  return resolved;
}

}  // namespace dp2trace::image
