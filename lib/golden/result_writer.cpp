#include "golden/result_writer.h"

#include <utility>

namespace dp2trace::golden {

std::unique_ptr<GoldenWriter> MakeGoldenWriter(std::string_view format, TextSink sink) {
  if (format == "junit") return MakeGoldenJunitWriter(std::move(sink));
  if (format == "github") return MakeGoldenGithubWriter(std::move(sink));
  if (format == "gitlab") return MakeGoldenGitlabWriter(std::move(sink));
  if (format == "github-summary") return MakeGoldenGithubSummaryWriter(std::move(sink));
  return nullptr;
}

uint64_t CountFailures(const StatusCounts& counts) {
  uint64_t failures = 0;
  for (size_t i = 0; i < kGoldenStatusCount; ++i) {
    if (IsFailure(static_cast<GoldenStatus>(i))) failures += counts[i];
  }
  return failures;
}

}  // namespace dp2trace::golden
