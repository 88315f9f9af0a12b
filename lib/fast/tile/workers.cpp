#include "fast/tile/workers.h"

#include <algorithm>
#include <atomic>
#include <thread>

// The Debian library of oneTBB is not built for ThreadSanitizer, which reports every use of it as a race.
#if defined(__SANITIZE_THREAD__)
#define DP2TRACE_HAS_TBB 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DP2TRACE_HAS_TBB 0
#endif
#endif
#ifndef DP2TRACE_HAS_TBB
#define DP2TRACE_HAS_TBB 1
#endif

#if DP2TRACE_HAS_TBB
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#else
#include <vector>
#endif

namespace dp2trace::fast {
namespace {

constexpr uint32_t kMaxThreads = 1024;

}  // namespace

#if DP2TRACE_HAS_TBB
struct Workers::Arena {
  tbb::task_arena arena;
  explicit Arena(uint32_t count) : arena(static_cast<int>(count)) {
    // By itself the library has no more threads than the machine has cores. Of several limits the least counts: one for all arenas.
    static const tbb::global_control kLimit(tbb::global_control::max_allowed_parallelism,
                                            kMaxThreads);
  }

  // Calls run(0) to run(count - 1), at the same time as far as there are threads.
  void Execute(uint32_t count, const std::function<void(uint32_t)>& run) {
    arena.execute([&] {
      tbb::task_group group;
      for (uint32_t worker = 1; worker < count; ++worker)
        group.run([&run, worker] { run(worker); });
      run(0);
      group.wait();
    });
  }
};
#else
struct Workers::Arena {
  explicit Arena(uint32_t) {}

  void Execute(uint32_t count, const std::function<void(uint32_t)>& run) {
    std::vector<std::jthread> helpers;
    for (uint32_t worker = 1; worker < count; ++worker)
      helpers.emplace_back([&run, worker] { run(worker); });
    run(0);
  }
};
#endif

Workers::Workers(uint32_t count) : count_(std::clamp(count, 1U, kMaxThreads)) {}
Workers::~Workers() = default;

void Workers::Run(uint32_t items, const std::function<void(uint32_t, uint32_t)>& work) {
  std::atomic<uint32_t> next = 0;
  const auto run = [&](uint32_t worker) {
    for (uint32_t item = next++; item < items; item = next++)
      work(worker, item);
  };
  const uint32_t count = std::min(count_, items);
  if (count <= 1) return run(0);
  if (arena_ == nullptr) arena_ = std::make_unique<Arena>(count_);
  arena_->Execute(count, run);
}

uint32_t DefaultThreadCount() {
  return std::max(std::thread::hardware_concurrency(), 1U);
}

}  // namespace dp2trace::fast
