// Work in processes of its own: what crashes, hangs or eats memory there ends only that work.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dp2trace {

// A kind of work: text in, text out. It knows nothing of the process that asks but the order.
struct Worker {
  std::string_view name;
  std::string (*work)(const std::string& order) = nullptr;
};

struct WorkerLimits {
  uint64_t timeout_s = 0;
  uint64_t max_memory = 0;  // bytes of address space; 0: no limit
};

// How a worker ended.
struct WorkerEnd {
  enum class Kind { kFinished, kCrash, kTimeOut, kOutOfMemory };
  uint64_t id = 0;
  Kind kind = Kind::kFinished;
  std::string output;  // of kFinished: what the work returned
  std::string reason;  // of the others, for people
};

// POSIX: forks, and the program must have one thread when Start() is called. Windows: starts the program anew, see RunAsWorker().
class WorkerPool {
 public:
  WorkerPool(const Worker& worker, size_t jobs, const WorkerLimits& limits);
  // Ends all workers.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  bool is_full() const { return processes_.size() >= jobs_; }
  bool is_empty() const { return processes_.empty(); }
  // Does the work in a new process. Only where not full. Where no process can be had, Wait() says so. `further_s`: beyond the time of the
  // limits, for what has a limit of its own.
  void Start(uint64_t id, const std::string& order, uint64_t further_s = 0);
  // The next worker that ends. Only where not empty.
  WorkerEnd Wait();

 private:
  struct Process;
  WorkerEnd Finish(size_t index, bool is_late);

  Worker worker_;
  size_t jobs_;
  WorkerLimits limits_;
  std::vector<std::unique_ptr<Process>> processes_;
};

// In a worker: where the program that waits for it ends, even killed, `leave` is called by a thread of its own, and then the worker ends. Without it a
// worker just ends (Linux), or goes on to its end. Windows ends a worker with all that it has started, at once: what
// `leave` would have removed stays.
void LeaveWithParent(std::function<void()> leave);

// Before a program that uses a pool does anything else: where it was started as a worker, it does that work, and ends with the code that
// this returns. `workers` are all that it has.
std::optional<int> RunAsWorker(std::span<const Worker> workers);

}  // namespace dp2trace
