#include "fast/machine/workers.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/floats.h"

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
  std::mutex mutex;
  std::condition_variable ended;

  Job(uint32_t count, Work of) : work(std::move(of)), items(count) {}

  bool is_done() const { return done.load(std::memory_order_acquire) == items; }
  void TakePart(uint32_t worker) {
    for (uint32_t item = next++; item < items; item = next++) {
      work(worker, item);
      if (done.fetch_add(1, std::memory_order_acq_rel) + 1 != items) continue;
      const std::scoped_lock lock(mutex);
      ended.notify_all();
    }
  }
  // Not std::atomic::wait(): without futexes it may sleep on for ever (libstdc++ 12 for Windows).
  void Wait() {
    if (is_done()) return;
    std::unique_lock lock(mutex);
    ended.wait(lock, [this] { return is_done(); });
  }
};

// The other threads, numbered from 1. They take part in what was added first, and sleep while there is nothing to do.
class Workers::Pool {
 public:
  explicit Pool(uint32_t count) {
    threads_.reserve(count - 1);
    // The system may refuse: those that are there do the work, the caller at the least.
    try {
      for (uint32_t worker = 1; worker < count; ++worker)
        threads_.emplace_back([this, worker] { Loop(worker); });
    } catch (const std::system_error&) {
    }
  }
  ~Pool() {
    {
      const std::scoped_lock lock(mutex_);
      is_ending_ = true;
    }
    added_.notify_all();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void Add(std::shared_ptr<Job> job) {
    const uint32_t items = job->items;
    {
      const std::scoped_lock lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    for (size_t i = 0; i < items && i < threads_.size(); ++i)
      added_.notify_one();
  }

 private:
  void Loop(uint32_t worker) {
    SetDefaultFloats();
    std::unique_lock lock(mutex_);
    while (true) {
      added_.wait(lock, [this] { return !jobs_.empty() || is_ending_; });
      if (jobs_.empty()) return;
      const std::shared_ptr<Job> job = jobs_.front();
      lock.unlock();
      job->TakePart(worker);
      lock.lock();
      std::erase(jobs_, job);
    }
  }

  std::mutex mutex_;
  // Not std::condition_variable_any with a stop token, for the reason of Job::Wait().
  std::condition_variable added_;
  bool is_ending_ = false;
  // With items that no one has taken, or none any more.
  std::vector<std::shared_ptr<Job>> jobs_;
  // The last member: they use the others until they are joined.
  std::vector<std::jthread> threads_;
};

Workers::Workers(uint32_t count) : count_(std::clamp(count, 1U, kMaxThreads)) {}
Workers::~Workers() = default;

std::shared_ptr<Workers::Job> Workers::Spread(uint32_t items, Work work) {
  auto job = std::make_shared<Job>(items, std::move(work));
  if (count_ == 1 || items == 0) return job;
  if (pool_ == nullptr) pool_ = std::make_unique<Pool>(count_);
  pool_->Add(job);
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

void Workers::RunRanges(uint32_t items, uint32_t least, const RangeWork& work) {
  constexpr uint32_t kRangesOfAThread = 4;
  const uint32_t size = std::max({least, items / (count_ * kRangesOfAThread), 1U});
  const uint32_t ranges = items / size + (items % size != 0 ? 1 : 0);
  Run(ranges, [&](uint32_t worker, uint32_t range) {
    const uint32_t begin = range * size;
    work(worker, begin, begin + std::min(items - begin, size));
  });
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
