#include "fast/tile/workers.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

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

// LeakSanitizer does not see the memory of oneTBB: a job that waits there for a thread when the program ends looks lost.
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#define DP2TRACE_NOT_LOST(object) __lsan_ignore_object(object)
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define DP2TRACE_NOT_LOST(object) __lsan_ignore_object(object)
#endif
#endif
#ifndef DP2TRACE_NOT_LOST
#define DP2TRACE_NOT_LOST(object) static_cast<void>(object)
#endif

#if DP2TRACE_HAS_TBB
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#else
#include <vector>
#endif

namespace dp2trace::fast {
namespace {

constexpr uint32_t kMaxThreads = 1024;

}  // namespace

// Items that threads take one by one.
struct Workers::Job {
  Work work;
  uint32_t items;
  std::atomic<uint32_t> next = 0;
  std::atomic<uint32_t> done = 0;

  Job(uint32_t count, Work of) : work(std::move(of)), items(count) {}

  bool is_done() const { return done.load(std::memory_order_acquire) == items; }
  void TakePart(uint32_t worker) {
    for (uint32_t item = next++; item < items; item = next++) {
      work(worker, item);
      if (done.fetch_add(1, std::memory_order_acq_rel) + 1 == items) done.notify_all();
    }
  }
  void Wait() {
    for (uint32_t now = done.load(std::memory_order_acquire); now != items;
         now = done.load(std::memory_order_acquire))
      done.wait(now, std::memory_order_acquire);
  }
};

#if DP2TRACE_HAS_TBB
struct Workers::Arena {
  tbb::task_arena arena;
  explicit Arena(uint32_t count) : arena(static_cast<int>(count)) {
    // By itself the library has no more threads than the machine has cores. Of several limits the least counts: one for all arenas.
    static const tbb::global_control kLimit(tbb::global_control::max_allowed_parallelism,
                                            kMaxThreads);
  }

  // Calls run() on another thread, sooner or later.
  template <class Run>
  void Enqueue(Run run) {
    arena.enqueue(std::move(run));
  }
};
#else
struct Workers::Arena {
  explicit Arena(uint32_t) {}

  template <class Run>
  void Enqueue(Run run) {
    std::erase_if(threads, [](const auto& thread) { return thread.first->load(); });
    auto is_over = std::make_shared<std::atomic<bool> >(false);
    threads.emplace_back(is_over, [run = std::move(run), is_over] {
      run();
      *is_over = true;
    });
  }
  std::vector<std::pair<std::shared_ptr<std::atomic<bool> >, std::jthread> > threads;
};
#endif

Workers::Workers(uint32_t count) : count_(std::clamp(count, 1U, kMaxThreads)) {}
Workers::~Workers() = default;

std::shared_ptr<Workers::Job> Workers::Spread(uint32_t items, Work work) {
  auto job = std::make_shared<Job>(items, std::move(work));
  DP2TRACE_NOT_LOST(job.get());
  if (arena_ == nullptr && count_ > 1) arena_ = std::make_unique<Arena>(count_);
  // Who comes too late finds nothing to do, and holds no more than the job.
  for (uint32_t worker = 1; worker < count_ && worker <= items; ++worker)
    arena_->Enqueue([job, worker] { job->TakePart(worker); });
  return job;
}

void Workers::Run(uint32_t items, Work work) {
  if (count_ == 1 || items <= 1) {
    for (uint32_t item = 0; item < items; ++item)
      work(0, item);
    return;
  }
  const std::shared_ptr<Job> job = Spread(items, std::move(work));
  job->TakePart(0);
  job->Wait();
}

void Workers::Start(uint32_t items, Work work) {
  started_ = Spread(items, std::move(work));
}

void Workers::Finish() {
  if (started_ == nullptr) return;
  started_->TakePart(0);
  started_->Wait();
  started_ = nullptr;
}

bool Workers::is_idle() const {
  return started_ == nullptr || started_->is_done();
}

uint32_t DefaultThreadCount() {
  return std::max(std::thread::hardware_concurrency(), 1U);
}

}  // namespace dp2trace::fast
