// Checked arithmetic for sizes that come from an input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace dp2trace {

inline std::optional<uint64_t> CheckedAdd(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

inline std::optional<uint64_t> CheckedMul(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// A size that may be more than this machine can address: then one that no allocation fulfils.
inline size_t MemorySize(uint64_t size) {
  return static_cast<size_t>(std::min<uint64_t>(size, PTRDIFF_MAX));
}

}  // namespace dp2trace
