// Work on several threads whose results are taken one by one, in order.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/floats.h"

namespace dp2trace {

// Hands out indices in order and takes results in any order.
template <class Result>
class ResultQueue {
 public:
  ResultQueue(size_t count, size_t max_waiting) : count_(count), max_waiting_(max_waiting) {}

  // The next index to work on, once there is room for its result; nothing at the end.
  std::optional<size_t> Next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return next_ >= count_ || next_ < taken_ + max_waiting_; });
    if (next_ >= count_) return std::nullopt;
    return next_++;
  }
  void Put(size_t index, Result result) {
    const std::lock_guard lock(mutex_);
    results_.emplace(index, std::move(result));
    changed_.notify_all();
  }
  // A thread has run out of memory, or the like.
  void Fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    changed_.notify_all();
  }
  // The result of `index`, when it is there. Throws what a thread failed with.
  Result Take(size_t index) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this, index] { return failure_ != nullptr || results_.contains(index); });
    if (failure_ != nullptr) {
      count_ = std::min(count_, next_);
      changed_.notify_all();
      std::rethrow_exception(failure_);
    }
    Result result = std::move(results_.extract(index).mapped());
    taken_ = index + 1;
    changed_.notify_all();
    return result;
  }
  // Nothing more is handed out.
  void Stop() {
    const std::lock_guard lock(mutex_);
    count_ = std::min(count_, next_);
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t count_;
  size_t max_waiting_;
  size_t next_ = 0;
  size_t taken_ = 0;
  std::map<size_t, Result> results_;
  std::exception_ptr failure_;
};

// Calls make(i) for each i below `count`, on `threads` threads, and take(result) on the calling thread, in the order of i, until it
// returns false. No more than a few results per thread wait for their turn. With one thread all happens on the calling one. Throws what
// make throws, once the other threads have ended.
template <class Make, class Take>
void InOrder(size_t count, size_t threads, const Make& make, const Take& take) {
  using Result = std::invoke_result_t<Make, size_t>;
  constexpr size_t kWaitingPerThread = 4;
  threads = std::min(threads, count);
  if (threads <= 1) {
    for (size_t i = 0; i < count; ++i) {
      if (!take(make(i))) return;
    }
    return;
  }
  ResultQueue<Result> queue(count, threads * kWaitingPerThread);
  std::vector<std::jthread> workers;
  for (size_t i = 0; i < threads; ++i) {
    workers.push_back(StartThread([&] {
      try {
        while (const std::optional<size_t> index = queue.Next())
          queue.Put(*index, make(*index));
      } catch (...) {
        queue.Fail(std::current_exception());
      }
    }));
  }
  for (size_t i = 0; i < count; ++i) {
    if (take(queue.Take(i))) continue;
    queue.Stop();
    return;
  }
}

}  // namespace dp2trace
