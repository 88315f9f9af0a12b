// The run of `golden check`: every trace in a worker of its own, results in the order of the list.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "golden/judge.h"
#include "golden/order.h"
#include "golden/record_cache.h"
#include "golden/render.h"
#include "golden/shard.h"
#include "os/worker_pool.h"

namespace dp2trace::golden {

struct RunOptions {
  std::string folder;  // of the manifest, with a slash at the end
  std::string today;   // YYYY-MM-DD
  uint64_t jobs = 1;
  uint64_t timeout_s = 0;
  uint64_t max_memory = 0;
  uint64_t max_worker_memory = 0;
  uint64_t retries = 0;    // of a trace whose worker crashed, took too long or too much memory
  PictureKeeping keeping;  // its store is set
  DrawingOptions drawing;  // of each worker
  OwnPictures own;         // where another renderer is judged; the tolerance of a trace wins
  bool is_sandboxed = false;
};

// How long the replay of a trace took.
struct TraceTime {
  std::string path;  // as the manifest has it
  uint64_t milliseconds = 0;
};

class GoldenRun {
 public:
  // A trace and its place in the list of the run, all shards.
  struct Item {
    uint64_t index = 0;
    const RunTrace* trace = nullptr;
  };
  using OnResult = std::function<Status(const TraceResult& result)>;

  GoldenRun(const RunOptions& options, const RecordCache& cache, std::vector<Item> items,
            OnResult on_result);

  // Hands out the results in the order of the items; fails where that fails, or where the first trace shows that there is no such command.
  Status Run();
  // How long the traces took, where that is known.
  const Durations& durations() const { return durations_; }
  // The same by trace, in the order in which they ended.
  const std::vector<TraceTime>& times() const { return times_; }
  // Replays that were begun again.
  uint64_t retry_count() const { return retry_count_; }

 private:
  std::string PathOf(size_t item) const { return options_.folder + items_[item].trace->path; }
  // Judges what needs no worker, and gives the rest to one.
  void Start(size_t item);
  void StartRender(size_t item);
  Order OrderFor(size_t item) const;
  // A worker's record, or one from the cache: judged, and explained where there is something to explain.
  void TakeRecord(size_t item, const RenderRecord& record);
  void TakeEnd(const WorkerEnd& end);
  // Of a worker that gave no record.
  void RetryOrFail(size_t item, GoldenStatus status, std::string reason);
  void TakeExplanation(size_t item, const WorkerEnd& end);
  bool HasPictures(size_t item, const RenderRecord& record) const;
  void Finish(size_t item, TraceResult result);
  Status HandOut();

  Status failure_;  // of all traces
  RunOptions options_;
  const RecordCache* cache_;
  std::vector<Item> items_;
  OnResult on_result_;
  WorkerPool pool_;
  std::optional<size_t> first_rendered_;
  std::map<size_t, std::string> hashes_;       // of traces that are being replayed
  std::map<size_t, TraceResult> unexplained_;  // whose differences are being looked into
  std::deque<size_t> to_explain_;
  std::map<size_t, TraceResult> finished_;  // that wait for an earlier one
  size_t next_to_start_ = 0;
  size_t next_to_hand_out_ = 0;
  Durations durations_;
  std::vector<TraceTime> times_;
  std::map<size_t, uint64_t> retries_;  // of traces that failed
  uint64_t retry_count_ = 0;
};

}  // namespace dp2trace::golden
