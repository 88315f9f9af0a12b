#include "lint/lint_run.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "base/floats.h"
#include "play/player.h"
#include "validate/findings.h"

namespace dp2trace::lint {
namespace {

constexpr size_t kWaitingPerThread = 4;  // results that may wait for their turn

// Hands out indices in order and takes results in any order.
class Queue {
 public:
  Queue(size_t count, size_t max_waiting) : count_(count), max_waiting_(max_waiting) {}

  // The next index to work on, once there is room for its result; nothing at the end.
  std::optional<size_t> Next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return next_ >= count_ || next_ < taken_ + max_waiting_; });
    if (next_ >= count_) return std::nullopt;
    return next_++;
  }
  void Put(size_t index, LintResult result) {
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
  LintResult Take(size_t index) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this, index] { return failure_ != nullptr || results_.contains(index); });
    if (failure_ != nullptr) {
      count_ = std::min(count_, next_);
      changed_.notify_all();
      std::rethrow_exception(failure_);
    }
    LintResult result = std::move(results_.extract(index).mapped());
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
  std::map<size_t, LintResult> results_;
  std::exception_ptr failure_;
};

void LintEvents(trace_file::Source& source, DiagnosticList& reading, const LintJob& job,
                LintResult& result) {
  play::Player player({.validation = job.validation, .raster = {}}, result.findings, {});
  for (trace::EventRecord record; !player.has_ended() && source.Next(record);) {
    validate::DrainWeighed(reading, job.validation.rules, result.findings);
    (void)trace_file::Placed(source, result.findings,
                             [&] { return player.OnEvent(record.number, record.event); });
    if (job.progress) job.progress(result.file, source.position(), source.size());
  }
  validate::DrainWeighed(reading, job.validation.rules, result.findings);
  (void)trace_file::Placed(source, result.findings, [&] {
    player.Finish();
    return OkStatus();
  });
}

}  // namespace

LintResult LintFile(const std::string& path, const LintJob& job) {
  LintResult result;
  result.file = path;
  result.findings = DiagnosticList(job.limits);
  DiagnosticList reading;
  trace_file::OpenError error;
  const std::unique_ptr<trace_file::Source> source =
      trace_file::WithResults(trace_file::Source::Open(path, job.max_memory, reading, error));
  if (source == nullptr) {
    result.error = error;
    return result;
  }
  LintJob sized = job;
  if (source->size() != 0) sized.validation.file_bytes = source->size();
  LintEvents(*source, reading, sized, result);
  result.is_incomplete = source->is_incomplete();
  if (const Status read = source->status(); !read.ok()) result.error = {.status = read};
  return result;
}

void LintFiles(const std::vector<std::string>& paths, const LintJob& job,
               const std::function<bool(LintResult)>& take) {
  const size_t threads = std::min<size_t>(job.threads, paths.size());
  LintJob each = job;
  if (threads > 1) each.progress = {};
  if (threads <= 1) {
    for (const std::string& path : paths) {
      if (!take(LintFile(path, job))) return;
    }
    return;
  }
  Queue queue(paths.size(), threads * kWaitingPerThread);
  std::vector<std::jthread> workers;
  for (size_t i = 0; i < threads; ++i) {
    workers.push_back(StartThread([&] {
      try {
        while (const std::optional<size_t> index = queue.Next())
          queue.Put(*index, LintFile(paths[*index], each));
      } catch (...) {
        queue.Fail(std::current_exception());
      }
    }));
  }
  for (size_t i = 0; i < paths.size(); ++i) {
    if (take(queue.Take(i))) continue;
    queue.Stop();
    return;
  }
}

}  // namespace dp2trace::lint
