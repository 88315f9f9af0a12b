// Formats whose channels are not plain integers: floats, the derived third component of CxV8U8, the biased range of XR_BIAS.
#include <bit>
#include <cmath>

#include "base/bytes.h"
#include "image/decode.h"
#include "image/half.h"

namespace dp2trace::image {
namespace {

float LoadFloatChannel(const uint8_t* pixel, const d3d::Channel& channel) {
  const uint8_t* at = pixel + channel.offset_bits / 8;
  return channel.width_bits == 16 ? HalfToFloat(LoadU16(at)) : Load<float>(at);
}

float FromSnorm8(uint8_t byte) {
  const float value = static_cast<float>(static_cast<int8_t>(byte)) * UnormScale(7);
  return value > -1.0F ? value : -1.0F;
}

}  // namespace

Texel DecodeFloat(const d3d::FormatInfo& info, const uint8_t* pixel) {
  Texel texel = {1.0F, 1.0F, 1.0F, 1.0F};
  for (size_t i = 0; i < 4; ++i) {
    if (const d3d::Channel* channel = info.FindChannel("RGBA"[i])) {
      texel[i] = LoadFloatChannel(pixel, *channel);
    }
  }
  return texel;
}

Texel DecodeCxV8U8(const uint8_t* pixel) {
  const float u = FromSnorm8(pixel[0]);
  const float v = FromSnorm8(pixel[1]);
  const float rest = 1.0F - u * u - v * v;
  return {u, v, std::sqrt(rest > 0.0F ? rest : 0.0F), 1.0F};
}

// Unspecified by lib/raster/rendering-texture.md 3.7; the 9Ex documentation gives (value - 384) / 510 for the ten-bit channels.
Texel DecodeXrBias(const Decoder& decoder, const uint8_t* pixel) {
  const uint64_t word = LoadU32(pixel);
  Texel texel = {};
  for (size_t i = 0; i < 3; ++i) {
    const int32_t biased = ExtractBits(word, decoder.slots()[i]) - 384;
    texel[i] = static_cast<float>(biased) / 510.0F;
  }
  texel[3] = static_cast<float>(ExtractBits(word, decoder.slots()[3])) * UnormScale(2);
  return texel;
}

}  // namespace dp2trace::image
