// A small random generator with the same numbers on every platform (splitmix64). Not for anything but tests.
#pragma once

#include <cstdint>

namespace dp2trace::testing {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  uint32_t U32() { return static_cast<uint32_t>(Next() >> 32); }
  uint8_t Byte() { return static_cast<uint8_t>(Next() >> 56); }
  // 0 to bound - 1; bound > 0. The bias of the remainder does not matter here.
  uint32_t Below(uint32_t bound) { return static_cast<uint32_t>(Next() % bound); }
  // True once in `n` times on average.
  bool OneIn(uint32_t n) { return Below(n) == 0; }

 private:
  uint64_t state_;
};

}  // namespace dp2trace::testing
