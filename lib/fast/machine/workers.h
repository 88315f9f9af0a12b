// The threads that draw tiles and make textures.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace dp2trace::fast {

class Workers {
 public:
  // `count` threads, the calling one among them.
  explicit Workers(uint32_t count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  using Work = std::function<void(uint32_t worker, uint32_t item)>;

  uint32_t count() const { return count_; }
  // Calls work(worker, item) for items 0 to items - 1, each once; returns when all are done. No two calls with the same worker (below
  // count()) run at the same time.
  void Run(uint32_t items, Work work);

  // Calls work(worker, begin, end) for ranges that make up 0 to items - 1, of at least `least` items each but for the last.
  using RangeWork = std::function<void(uint32_t worker, uint32_t begin, uint32_t end)>;
  void RunRanges(uint32_t items, uint32_t least, const RangeWork& work);

  // The same as Run() without the calling thread, which goes on, until it takes part in Finish(). One at a time; Run() may come between.
  void Start(uint32_t items, Work work);
  void Finish();
  // Nothing that was started is left to do.
  bool is_idle() const;

 private:
  struct Job;
  class Pool;
  std::shared_ptr<Job> Spread(uint32_t items, Work work);

  uint32_t count_;
  std::shared_ptr<Job> started_;
  std::unique_ptr<Pool> pool_;  // made when it is needed
};

// One for each core.
uint32_t DefaultThreadCount();

}  // namespace dp2trace::fast
