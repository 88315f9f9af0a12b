#include "feature_report.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "options.h"
#include "os/path.h"
#include "trace_reading.h"

namespace dp2trace::app {
namespace {

coverage::Verdict VerdictOf(golden::GoldenStatus status) {
  using enum golden::GoldenStatus;
  using coverage::Verdict;
  if (status == kCrash) return Verdict::kCrashed;
  if (status == kTimeOut) return Verdict::kTimedOut;
  const golden::Outcome outcome = golden::Info(status).outcome;
  if (outcome == golden::Outcome::kPassed) return Verdict::kRight;
  return status == kMissing || outcome == golden::Outcome::kError ? Verdict::kNoPicture
                                                                  : Verdict::kWrong;
}

}  // namespace

Status FeatureReport::Begin(const golden::GoldenRunInfo& run) {
  folder_ = run.folder;
  return next_.Begin(run);
}

Status FeatureReport::Add(const golden::TraceResult& result) {
  // A failure that the manifest expects is one.
  const golden::GoldenStatus status = result.actual_status.value_or(result.status);
  if (!path_.empty() && golden::Info(status).outcome != golden::Outcome::kSkipped) {
    paths_.push_back(result.path);
    verdicts_.push_back(VerdictOf(status));
  }
  return next_.Add(result);
}

Status FeatureReport::Finish() {
  if (!path_.empty()) DP2TRACE_RETURN_IF_ERROR(Write());
  return next_.Finish();
}

Status FeatureReport::Write() {
  std::vector<std::string> files;
  for (const std::string& path : paths_)
    files.push_back(folder_ + path);
  lint::LintJob job;
  job.max_memory = kDefaultMaxMemory;
  job.threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<coverage::CoverageResult> results = coverage::CoverFiles(files, job);
  std::vector<coverage::JudgedTrace> traces;
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].error) return results[i].error->status;
    traces.push_back({std::move(results[i].coverage), verdicts_[i]});
    traces.back().coverage.trace = paths_[i];
  }
  const tables::ListFormat format = HasExtension(path_, ".json") ? tables::ListFormat::kJson
                                    : HasExtension(path_, ".md") ? tables::ListFormat::kMarkdown
                                                                 : tables::ListFormat::kText;
  return WriteFile(path_, coverage::FeatureTable(traces, format));
}

}  // namespace dp2trace::app
