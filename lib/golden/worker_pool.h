// Work in processes of its own: what crashes, hangs or eats memory there ends that work alone.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dp2trace::golden {

struct WorkerLimits {
  uint64_t timeout_s = 0;
  uint64_t max_memory = 0;  // bytes of address space
};

// How a worker ended.
struct WorkerEnd {
  enum class Kind { kFinished, kCrash, kTimeOut, kOutOfMemory };
  uint64_t id = 0;
  Kind kind = Kind::kFinished;
  std::string output;  // of kFinished: what the work returned
  std::string reason;  // of the others, for people
};

// Forks: the program must have one thread when Start() is called.
class WorkerPool {
 public:
  WorkerPool(size_t jobs, const WorkerLimits& limits) : jobs_(jobs), limits_(limits) {}
  // Ends all workers.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  bool is_full() const { return workers_.size() >= jobs_; }
  bool is_empty() const { return workers_.empty(); }
  // Runs the work in a new process. Only where not full. Where no process can be had, Wait() says so.
  void Start(uint64_t id, const std::function<std::string()>& work);
  // The next worker that ends. Only where not empty.
  WorkerEnd Wait();

 private:
  using Clock = std::chrono::steady_clock;
  struct Worker {
    uint64_t id = 0;
    pid_t process = -1;  // -1: could not be started
    int pipe = -1;
    Clock::time_point deadline;
    std::string output;
    std::string error;
  };
  // Reads what is there; true at the end of the output.
  static bool ReadOutput(Worker& worker);
  // Waits for output, or for the first deadline.
  void Poll();
  WorkerEnd Finish(size_t index, bool is_late);

  size_t jobs_;
  WorkerLimits limits_;
  std::vector<Worker> workers_;
};

}  // namespace dp2trace::golden
