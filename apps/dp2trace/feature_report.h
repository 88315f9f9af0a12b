// `golden report --features`: which operations, states and formats the traces of a check got right.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "coverage/feature_table.h"
#include "golden/result_writer.h"

namespace dp2trace::app {

// Hands results on to another writer, and notes how each trace ended.
class FeatureReport final : public golden::GoldenWriter {
 public:
  // `path`: of the table; empty: none is written. Markdown, JSON or text by its extension.
  FeatureReport(golden::GoldenWriter& next, std::string path)
      : next_(next), path_(std::move(path)) {}

  Status Begin(const golden::GoldenRunInfo& run) override;
  Status Add(const golden::TraceResult& result) override;
  // Reads the traces for what they exercise.
  Status Finish() override;

 private:
  Status Write();

  golden::GoldenWriter& next_;
  std::string path_;
  std::string folder_;              // that traces lie in, with a slash at the end
  std::vector<std::string> paths_;  // of the traces, below the folder
  std::vector<coverage::Verdict> verdicts_;
};

}  // namespace dp2trace::app
