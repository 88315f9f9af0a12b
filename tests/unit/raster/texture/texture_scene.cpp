#include "texture_scene.h"

#include <doctest/doctest.h>

#include <cstdlib>

namespace dp2trace::testing {

using raster::Float4;
using raster::Float4Quad;

device::Resource MakeResource(const image::SurfaceDescription& description) {
  Result<image::Surface> surface = image::Surface::Create(description);
  REQUIRE(surface.ok());
  device::Resource resource{.handle = 1, .color_key = {}, .surface = std::move(*surface)};
  if (description.faces == image::kCubeFaces) resource.present_faces = 0x3F;
  return resource;
}

void Fill(device::Resource& resource, uint32_t face, uint32_t level,
          const std::vector<uint8_t>& bytes) {
  REQUIRE(resource.surface.UpdateRange(face, level, 0, bytes).ok());
}

device::Resource MakeTexture(d3d::Format format, uint32_t width, uint32_t height,
                             const std::vector<uint8_t>& bytes) {
  device::Resource resource = MakeResource({.format = format, .width = width, .height = height});
  REQUIRE(bytes.size() == resource.surface.size_bytes());
  Fill(resource, 0, 0, bytes);
  return resource;
}

device::Resource MakeMipTexture(uint32_t width, const std::vector<uint8_t>& greys) {
  device::Resource resource = MakeResource({.format = d3d::Format::L8,
                                            .width = width,
                                            .height = width,
                                            .levels = static_cast<uint32_t>(greys.size())});
  for (uint32_t level = 0; level < greys.size(); ++level) {
    const uint32_t extent = d3d::ClipLevelExtent(width, level);
    Fill(resource, 0, level, std::vector<uint8_t>(size_t{extent} * extent, greys[level]));
  }
  return resource;
}

raster::SamplerState StateOf(raster::Filter filter, uint32_t address) {
  raster::SamplerState state;
  state.address = {address, address, address};
  state.mag = filter;
  state.min = filter;
  return state;
}

Sampled Sample(const device::Resource& resource, const raster::SamplerState& state,
               const Float4& coordinates, raster::ColorKeyMode color_key) {
  const raster::Sampler sampler(resource, std::nullopt, state, color_key);
  uint32_t killed = 0;
  const Float4Quad colors =
      sampler.Sample({coordinates, coordinates, coordinates, coordinates}, {}, killed);
  CHECK(colors[0] == colors[3]);
  CHECK((killed == 0 || killed == 0xF));
  return {colors[0], killed != 0};
}

Float4 SampleSloped(const device::Resource& resource, const raster::SamplerState& state,
                    const Float4& coordinates, const Float4& ddx, const Float4& ddy) {
  Float4Quad quad = {};
  for (size_t lane = 0; lane < 4; ++lane) {
    for (size_t i = 0; i < 4; ++i) {
      quad[lane][i] =
          coordinates[i] + (lane % 2 == 1 ? ddx[i] : 0.0F) + (lane >= 2 ? ddy[i] : 0.0F);
    }
  }
  const raster::Sampler sampler(resource, std::nullopt, state, raster::ColorKeyMode::kOff);
  uint32_t killed = 0;
  return sampler.Sample(quad, {}, killed)[0];
}

uint32_t ToArgb(const Float4& color) {
  const auto byte = [&](size_t i) {
    return static_cast<uint32_t>(raster::Saturate(color[i]) * 255.0F + 0.5F);
  };
  return byte(3) << 24 | byte(0) << 16 | byte(1) << 8 | byte(2);
}

bool IsNear(uint32_t actual, uint32_t expected, int tolerance) {
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    const int difference =
        static_cast<int>(actual >> shift & 0xFF) - static_cast<int>(expected >> shift & 0xFF);
    if (std::abs(difference) > tolerance) {
      MESSAGE("actual ", actual, ", expected ", expected);
      return false;
    }
  }
  return true;
}

}  // namespace dp2trace::testing
