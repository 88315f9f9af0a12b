// Numbers that look random and follow only from a place: what stood there does not enter them.
#pragma once

#include <cstdint>

namespace dp2trace::scrub {

class Noise {
 public:
  // Of one part of an object. The event has no part in it: what is written again becomes the same again, and a container compresses it.
  constexpr Noise(uint64_t object, uint64_t part)
      : start_(Mix(object * 0x9E3779B97F4A7C15 + part + 1)) {}

  constexpr uint64_t At(uint64_t place) const { return Mix(start_ + place * 0xD1B54A32D192ED03); }

 private:
  // The finalizer of splitmix64.
  static constexpr uint64_t Mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  uint64_t start_;
};

}  // namespace dp2trace::scrub
