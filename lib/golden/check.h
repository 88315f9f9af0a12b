// The work of `golden check`: the traces of a manifest are replayed and compared, exactly.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "golden/record_cache.h"
#include "golden/results.h"
#include "golden/run.h"
#include "golden/trace_list.h"

namespace dp2trace::golden {

struct CheckOptions {
  std::string version;  // of the program
  std::string manifest = "manifest.json";
  TraceChoice choice;
  std::string store;   // folder of the accepted pictures
  std::string actual;  // folder for pictures that are not as expected; empty: none are kept
  bool keeps_all = false;
  std::string results;  // file; empty: none is written
  std::string cache;    // folder; empty: none
  std::string times;    // file; empty: none is written
  std::vector<std::string> durations;
  std::string today;     // YYYY-MM-DD
  uint64_t retries = 0;  // of a trace that crashed, took too long or too much memory
  uint64_t jobs = 0;     // 0: as many as the machine has processors
  // Its threads are those of all workers together; 0: as many as the machine has processors.
  DrawingOptions drawing;
  GoldenLimits limits;
  OwnPictures own;  // another renderer is judged; its timeout_s is that of the limits
  // Each worker; not with a command, which may do what the user may.
  bool is_sandboxed = true;
};

class Check {
 public:
  using OnResult = GoldenRun::OnResult;
  using OnProgress = std::function<void(uint64_t done, uint64_t total)>;

  explicit Check(CheckOptions options);

  // Reads the manifest and lists the traces.
  Status List();
  size_t trace_count() const { return traces_.size(); }
  // Checks the part of the traces that is this shard's, in their order, and writes the results. Forks: the program must have one thread.
  Status Run(const Shard& shard, const OnResult& on_result, const OnProgress& on_progress);

  // What a user should know of the run; empty: nothing.
  const std::string& note() const { return note_; }
  const StatusCounts& counts() const { return counts_; }
  // Those that took longest, the slowest first.
  std::vector<TraceTime> Slowest(size_t count) const;
  uint64_t retry_count() const { return retry_count_; }
  // The file or option that a failure is about.
  const std::string& failed_at() const { return failed_at_; }

 private:
  void ResolveLimits();
  // `count`: traces that are to be checked.
  RunOptions MakeRunOptions(uint64_t count) const;
  ResultsHead MakeHead(const Shard& shard) const;
  Result<std::vector<GoldenRun::Item>> ItemsOf(const Shard& shard) const;
  // An empty one where records of another build could be taken for this one's.
  RecordCache OpenCache();
  Status WriteTimes(const Durations& durations) const;

  CheckOptions options_;
  ManifestFile file_;
  std::vector<RunTrace> traces_;
  PictureStore store_;
  PictureStore actual_;
  StatusCounts counts_ = {};
  std::vector<TraceTime> times_;
  uint64_t retry_count_ = 0;
  std::string failed_at_;
  std::string note_;
};

}  // namespace dp2trace::golden
