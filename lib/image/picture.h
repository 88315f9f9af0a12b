// A picture of 8 bits per channel: what PNG files hold and what images are compared as.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dp2trace::image {

// Rows top to bottom, four bytes R, G, B, A per pixel, no padding: rgba.size() == 4 * width * height.
struct Picture {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<uint8_t> rgba;

  Picture() = default;
  // All pixels 0.
  Picture(uint32_t w, uint32_t h) : width(w), height(h), rgba(size_t{4} * w * h) {}

  std::span<uint8_t, 4> at(uint32_t x, uint32_t y) {
    return std::span<uint8_t, 4>(&rgba[4 * (size_t{y} * width + x)], 4);
  }
  std::span<const uint8_t, 4> at(uint32_t x, uint32_t y) const {
    return std::span<const uint8_t, 4>(&rgba[4 * (size_t{y} * width + x)], 4);
  }

  bool operator==(const Picture&) const = default;
};

}  // namespace dp2trace::image
