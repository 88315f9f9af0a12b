// Bytes that start as zeros. What is never written takes no memory: large blocks come from the system, which gives pages as they are touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace dp2trace {

class ZeroedBytes {
 public:
  // Holds nothing; data() is null.
  ZeroedBytes() = default;
  // Fails (std::bad_alloc) where the system has no room.
  explicit ZeroedBytes(size_t size) : bytes_(static_cast<uint8_t*>(std::calloc(size, 1))) {
    if (bytes_ == nullptr && size != 0) throw std::bad_alloc();
  }

  uint8_t* data() { return bytes_.get(); }
  const uint8_t* data() const { return bytes_.get(); }

 private:
  struct Free {
    void operator()(uint8_t* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<uint8_t, Free> bytes_;
};

}  // namespace dp2trace
