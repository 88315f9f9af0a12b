// Quads of a mask of 8x8 pixels, whose bit 8 * y + x is the pixel (x, y).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace dp2trace::fast {

// Bits of the four lanes of the quad whose first lane is 0.
inline constexpr uint64_t kQuadLanes = 0x303;

// Bit 8 * 2 * row + 2 * column of each quad that has a lane in the mask.
constexpr uint64_t QuadBits(uint64_t mask) {
  const uint64_t pairs = mask | mask >> 1;
  return (pairs | pairs >> 8) & 0x0055005500550055;
}
// All lanes of the quads with bits.
constexpr uint64_t LanesOfQuads(uint64_t quads) {
  const uint64_t pairs = quads | quads << 1;
  return pairs | pairs << 8;
}
constexpr size_t FirstLane(uint32_t quad) {
  return 16 * (quad / 4) + 2 * (quad % 4);
}
// Bits 0 to 3: the pixels of a quad, row by row.
constexpr uint32_t LanesOfQuad(uint64_t mask, size_t first) {
  const uint64_t m = mask >> first;
  return static_cast<uint32_t>((m & 3U) | (m >> 6 & 12U));
}
constexpr uint64_t SpreadQuad(uint32_t lanes, size_t first) {
  return (uint64_t{lanes & 3U} | uint64_t{lanes & 12U} << 6) << first;
}

inline uint64_t CountOf(uint64_t mask) {
  return mask == ~uint64_t{0} ? 64 : static_cast<uint64_t>(std::popcount(mask));
}

}  // namespace dp2trace::fast
