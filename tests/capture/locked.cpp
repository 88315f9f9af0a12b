#include "locked.h"

#include <mutex>
#include <thread>

namespace {

std::recursive_mutex& Lock() {
  static std::recursive_mutex lock;
  return lock;
}

}  // namespace

#define D2C_API static
#define D2C_LOCK(c) ((void)(c), Lock().lock())
#define D2C_UNLOCK(c) ((void)(c), Lock().unlock())
#define D2C_IMPLEMENTATION
#include "dp2trace_capture.h"

namespace dp2trace::testing {

std::vector<uint8_t> RecordLocked(uint32_t threads, uint32_t count) {
  std::vector<uint8_t> file;
  std::vector<uint8_t> buffer(512);
  d2c capture;
  const auto append = [](void* to, const void* bytes, d2c_u32 size) {
    const auto* const from = static_cast<const uint8_t*>(bytes);
    static_cast<std::vector<uint8_t>*>(to)->insert(static_cast<std::vector<uint8_t>*>(to)->end(),
                                                   from, from + size);
    return 0;
  };
  d2c_open(&capture, append, &file, buffer.data(), 512, nullptr, 0);
  {
    std::vector<std::jthread> workers;
    for (uint32_t i = 0; i < threads; ++i) {
      workers.emplace_back([&] {
        for (uint32_t k = 0; k < count; ++k) {
          struct d2c_marker marker;
          d2c_marker_init(&marker);
          marker.text = "a marker of some length";
          d2c_marker(&capture, &marker);
        }
      });
    }
  }
  d2c_finish(&capture);
  return file;
}

}  // namespace dp2trace::testing
