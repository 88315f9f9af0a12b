// One level in every texel format, with the texel that it holds, worked out by hand. decoder_test.cpp demands a row for each format.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "image/texel.h"

namespace dp2trace::image {

struct FormatSample {
  std::string_view format;
  uint32_t width;
  uint32_t height;
  std::string_view bytes;  // the whole level, hexadecimal
  uint32_t x;
  uint32_t y;
  Texel texel;                  // what the sampler sees
  std::array<uint8_t, 4> rgba;  // what a picture shows
};

// Unsigned and signed integers of n bits as numbers.
constexpr float U(int32_t value, uint32_t bits) {
  return static_cast<float>(value) * (1.0F / static_cast<float>((1 << bits) - 1));
}
constexpr float S(int32_t value, uint32_t bits) {
  return U(value, bits - 1);
}

// The palette of the samples: entry i is (i, 255 - i, 7, i / 2) and has alpha.
Palette SamplePalette();

std::span<const FormatSample> FormatSamples();

}  // namespace dp2trace::image
