// Textures made by hand, and samplers over them.
#pragma once

#include <cstdint>
#include <vector>

#include "raster/texture/sampler.h"

namespace dp2trace::testing {

inline constexpr uint32_t kWrap = 1, kMirror = 2, kClamp = 3, kBorder = 4,
                          kMirrorOnce = 5;  // D3DTEXTUREADDRESS

// A texture with zeros in all texels.
device::Resource MakeResource(const image::SurfaceDescription& description);
// One level of one face from little-endian bytes without padding.
void Fill(device::Resource& resource, uint32_t face, uint32_t level,
          const std::vector<uint8_t>& bytes);
// A texture of one level.
device::Resource MakeTexture(d3d::Format format, uint32_t width, uint32_t height,
                             const std::vector<uint8_t>& bytes);
// L8 levels of one grey each, from `width` square down.
device::Resource MakeMipTexture(uint32_t width, const std::vector<uint8_t>& greys);

// CLAMP, everything filtered by `filter`, no mip levels.
raster::SamplerState StateOf(raster::Filter filter, uint32_t address = kClamp);

struct Sampled {
  raster::Float4 color = {};
  bool is_killed = false;
};
// The colour with equal coordinates in all four pixels: magnification.
Sampled Sample(const device::Resource& resource, const raster::SamplerState& state,
               const raster::Float4& coordinates,
               raster::ColorKeyMode color_key = raster::ColorKeyMode::kOff);
// Of the upper left pixel, where coordinates change by `ddx` and `ddy` to the next pixels.
raster::Float4 SampleSloped(const device::Resource& resource, const raster::SamplerState& state,
                            const raster::Float4& coordinates, const raster::Float4& ddx,
                            const raster::Float4& ddy);

// A in the high byte, then R, G, B; half up.
uint32_t ToArgb(const raster::Float4& color);
// True where no channel differs by more than `tolerance`.
bool IsNear(uint32_t actual, uint32_t expected, int tolerance);

}  // namespace dp2trace::testing
