// Packed and planar YUV, and the packed RGB formats of the same shape. Source: lib/raster/rendering-texture.md 3.7.1.
#include "image/yuv.h"

#include <algorithm>

#include "image/decode.h"

namespace dp2trace::image {
namespace {

using d3d::Format;

// Two horizontally adjacent texels share the second and third component.
struct Triple {
  uint8_t first, second, third;  // Y, U, V or G, R, B
};

// Bytes of UYVY and R8G8_B8G8: second, first(0), third, first(1). The other two formats: first(0), second, first(1), third.
Triple LoadTriple(const uint8_t* pair, bool starts_with_shared, uint32_t x) {
  const uint32_t odd = x & 1U;
  if (starts_with_shared) return {pair[1 + size_t{2} * odd], pair[0], pair[2]};
  return {pair[size_t{2} * odd], pair[1], pair[3]};
}

// [0, 255], half up.
int32_t ToByte(float value) {
  const float clamped = std::min(std::max(value, 0.0F), 255.0F);
  return static_cast<int32_t>(clamped + 0.5F);
}

// The byte of a slice, or the last one: with odd extents the formulas of the chroma planes can leave the slice.
float ByteOf(const ConstLevel& level, uint32_t z, uint64_t offset) {
  return level.bytes[z * level.slice_pitch + std::min(offset, level.slice_pitch - 1)];
}

}  // namespace

// Unspecified: the documents name no matrix; chosen: full-range BT.601, binary32, terms from left to right.
StoredTexel FromYuv(float y, float u, float v) {
  const float blue = u - 128.0F;
  const float red = v - 128.0F;
  return {ToByte(y + 1.402F * red), ToByte(y - 0.344F * blue - 0.714F * red),
          ToByte(y + 1.772F * blue), 255};
}

float PlanarLuma(const ConstLevel& level, uint32_t x, uint32_t y, uint32_t z) {
  return ByteOf(level, z, y * level.pitch + x);
}

std::array<float, 2> PlanarChroma(const ConstLevel& level, uint32_t i, uint32_t j, uint32_t z) {
  const uint64_t chroma = level.pitch * level.height;
  if (level.info->format == Format::Nv12) {
    const uint64_t pair = chroma + j * level.pitch + 2 * uint64_t{i};
    return {ByteOf(level, z, pair), ByteOf(level, z, pair + 1)};
  }
  const uint64_t half_pitch = level.pitch / 2;
  const uint64_t v_offset = chroma + j * half_pitch + i;
  const uint64_t u_offset = v_offset + level.height / 2 * half_pitch;
  return {ByteOf(level, z, u_offset), ByteOf(level, z, v_offset)};
}

StoredTexel StoredPackedRgb(const Decoder& decoder, const ConstLevel& level, uint32_t x, uint32_t y,
                            uint32_t z) {
  const bool starts_with_shared = decoder.info().format == Format::R8G8B8G8;
  const Triple grb = LoadTriple(level.block(x, y, z), starts_with_shared, x);
  return {grb.second, grb.first, grb.third, 255};
}

StoredTexel StoredYuv(const Decoder& decoder, const ConstLevel& level, uint32_t x, uint32_t y,
                      uint32_t z) {
  const bool starts_with_shared = decoder.info().format == Format::UYVY;
  const Triple yuv = LoadTriple(level.block(x, y, z), starts_with_shared, x);
  return FromYuv(yuv.first, yuv.second, yuv.third);
}

StoredTexel StoredPlanarYuv(const Decoder& /*decoder*/, const ConstLevel& level, uint32_t x,
                            uint32_t y, uint32_t z) {
  const auto [u, v] = PlanarChroma(level, x >> 1, y >> 1, z);
  return FromYuv(PlanarLuma(level, x, y, z), u, v);
}

}  // namespace dp2trace::image
