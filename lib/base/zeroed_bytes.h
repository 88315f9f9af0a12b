// Bytes that start as zeros. What is never written takes no memory: large blocks come from the system, which gives pages as they are touched.
// A copy shares them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace dp2trace {

class ZeroedBytes {
 public:
  // Holds nothing; data() is null.
  ZeroedBytes() = default;
  // Fails (std::bad_alloc) where the system has no room.
  explicit ZeroedBytes(size_t size) : bytes_(Allocate(size), std::free) {}

  // The first `size` bytes, not shared. What is zero takes no memory in it.
  ZeroedBytes Clone(size_t size) const {
    constexpr size_t kPage = 4096;
    constexpr std::array<uint8_t, kPage> kZeros = {};
    ZeroedBytes clone(size);
    for (size_t at = 0; at < size; at += kPage) {
      const size_t count = std::min(kPage, size - at);
      if (std::memcmp(data() + at, kZeros.data(), count) != 0)
        std::memcpy(clone.data() + at, data() + at, count);
    }
    return clone;
  }

  uint8_t* data() { return bytes_.get(); }
  const uint8_t* data() const { return bytes_.get(); }

 private:
  static uint8_t* Allocate(size_t size) {
    auto* const bytes = static_cast<uint8_t*>(std::calloc(size, 1));
    if (bytes == nullptr && size != 0) throw std::bad_alloc();
    return bytes;
  }

  std::shared_ptr<uint8_t> bytes_;
};

}  // namespace dp2trace
