// What a surface holds at one pixel: the stored bits, and what a picture shows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "image/depth.h"

namespace dp2trace::history {

struct PixelValue {
  // The stored bytes of the pixel (of the block that holds it), sample by sample; of a volume those of the slice.
  std::vector<std::vector<uint8_t>> samples;
  // The pixel of a picture of the surface: R, G, B, A. Nothing for surfaces without pictures.
  std::optional<std::array<uint8_t, 4>> rgba;
  std::optional<image::DepthStencil> depth_stencil;  // of the first sample, in depth formats
  bool operator==(const PixelValue&) const = default;
};

// Nothing where the surface lacks the pixel. Palettes are those of the first context of the space that bound one.
std::optional<PixelValue> ReadPixel(const device::Device& device, uint32_t space,
                                    const device::SurfaceRef& surface, uint32_t x, uint32_t y,
                                    uint32_t slice = 0);

// "0xff204060": the bytes as one little-endian number, up to 8 of them; else "0x" and the bytes in their order.
std::string BitsText(const std::vector<uint8_t>& bytes);

}  // namespace dp2trace::history
