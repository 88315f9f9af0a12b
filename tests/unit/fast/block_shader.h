// Runs pixel and vertex work of the block machine on given lanes, and compares with the reference bit by bit.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "fast/machine/kernels.h"
#include "fast/pixel/pixel_code.h"
#include "support/random.h"

namespace dp2trace::testing {

// Numbers at the edges of arithmetic among ordinary ones.
inline float RandomNumber(Random& random) {
  constexpr uint32_t kEdges[] = {0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x3F000000,
                                 0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001, 0x80000001,
                                 0x7F7FFFFF, 0xFF7FFFFF, 0x42FE0000, 0x43000000, 0xC3160000,
                                 0x3EFFFFFF, 0x40490FDB, 0x49800000, 0x00800000, 0x40A00000};
  if (random.OneIn(4)) return std::bit_cast<float>(kEdges[random.Below(std::size(kEdges))]);
  if (random.OneIn(6)) return std::bit_cast<float>(random.Below(0xFFFFFFFF));
  return (static_cast<float>(random.Below(1 << 16)) - 32768.0F) / 8192.0F;
}

// The same bits; all NaN are the same.
inline bool IsSame(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (a != a && b != b);
}

// Blocks with a guard after them.
class GuardedBlocks {
 public:
  explicit GuardedBlocks(uint32_t count) : count_(count), blocks_(count + 1) {
    for (fast::Block& block : blocks_)
      block.lanes.fill(std::bit_cast<float>(kGuard));
  }
  fast::Block* data() { return blocks_.data(); }
  fast::Block& operator[](size_t i) { return blocks_[i]; }
  bool is_intact() const {
    for (const float lane : blocks_[count_].lanes) {
      if (std::bit_cast<uint32_t>(lane) != kGuard) return false;
    }
    return true;
  }

 private:
  static constexpr uint32_t kGuard = 0xDEADBEEF;
  uint32_t count_;
  std::vector<fast::Block> blocks_;
};

inline float ValueAt(fast::Operand operand, const fast::Frame& frame, size_t lane) {
  return operand.is_constant() ? frame.constants[operand.number()].lanes[0]
                               : frame.registers[operand.number()].lanes[lane];
}

}  // namespace dp2trace::testing
