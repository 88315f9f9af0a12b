// The unit of work of the machine: a number for each of 64 lanes. Lanes are pixels of an 8x8 block (lane = 8 * y + x, so that lane, lane + 1,
// lane + 8 and lane + 9 with even x and y are a quad), or vertices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dp2trace::fast {

inline constexpr size_t kLanes = 64;
inline constexpr uint64_t kAllLanes = ~uint64_t{0};

// binary32 numbers, or 32-bit integers and masks (0 or all ones) under the same bits.
struct alignas(64) Block {
  std::array<float, kLanes> lanes;

  uint32_t* words() { return reinterpret_cast<uint32_t*>(lanes.data()); }
  const uint32_t* words() const { return reinterpret_cast<const uint32_t*>(lanes.data()); }
};

// The same number for all lanes, as often as the widest vector has lanes.
struct alignas(64) Constant {
  std::array<float, 16> lanes;
};

}  // namespace dp2trace::fast
