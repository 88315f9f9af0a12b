// What the replay of one trace gave: the pictures' hashes and the findings. What a worker tells the check, and what the cache keeps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "golden/golden.h"

namespace dp2trace::golden {

struct RenderedImage {
  GoldenImage image;
  uint64_t event = 0;
};

struct RenderRecord {
  std::vector<RenderedImage> images;  // sorted by key
  FindingCounts findings;
  std::vector<Diagnostic> listed_findings;  // the first kMaxListedFindings
  std::string error;                        // why the replay gave up; empty where it did not
  GoldenStatus failure = GoldenStatus::kRenderError;  // with an error: what it is
  uint64_t milliseconds = 0;                          // that it took
  std::string output = {};          // the last lines of the command of another renderer
  bool is_command_missing = false;  // the shell did not find it, or could not run it
};

inline constexpr size_t kMaxListedFindings = 20;

// Counts and lists the findings.
void TakeFindings(const DiagnosticList& findings, RenderRecord& record);

// One line of JSON, with its end.
std::string RecordLine(const RenderRecord& record);
Result<RenderRecord> ParseRecord(std::string text);

}  // namespace dp2trace::golden
