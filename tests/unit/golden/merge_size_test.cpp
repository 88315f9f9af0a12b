#include <doctest/doctest.h>
#include <sys/resource.h>

#include <chrono>
#include <string>
#include <vector>

#include "golden/results.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint64_t kResults = 1000000;
constexpr uint64_t kShards = 16;

uint64_t PeakKilobytes() {
  rusage usage = {};
  (void)getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss);
}

void WriteShards(const std::vector<std::string>& paths) {
  std::vector<golden::ResultsWriter> writers;
  for (uint64_t i = 0; i < kShards; ++i) {
    const golden::ResultsHead head{"0.1.0", std::string(32, 'a'), std::string(32, 'b'), kResults,
                                   {},      {i + 1, kShards}};
    Result<golden::ResultsWriter> writer = golden::ResultsWriter::Create(paths[i], head);
    REQUIRE(writer.ok());
    writers.push_back(std::move(*writer));
  }
  golden::TraceResult result;
  result.path = "some/folder/of/traces/number.json";
  result.hash = result.expected_hash = std::string(32, 'c');
  const golden::GoldenImage frame{
      {replay::ImageKind::kFrame, 1, {}, false}, 22, std::string(32, 'd')};
  result.images = {{.key = frame.key,
                    .status = golden::GoldenStatus::kMatch,
                    .expected = frame,
                    .actual = frame,
                    .event = 9}};
  for (result.index = 0; result.index < kResults; ++result.index) {
    REQUIRE(writers[result.index * 7919 % kShards].Add(result).ok());
  }
  for (golden::ResultsWriter& writer : writers)
    REQUIRE(writer.Commit().ok());
}

}  // namespace

TEST_CASE(
    "MergeResults: a million results, within a minute, in memory that does not grow with them") {
  const TestFolder folder;
  std::vector<std::string> paths;
  for (uint64_t i = 0; i < kShards; ++i)
    paths.push_back(folder / std::to_string(i));
  WriteShards(paths);
  const uint64_t before = PeakKilobytes();
  const auto start = std::chrono::steady_clock::now();
  const Result<golden::StatusCounts> counts = golden::MergeResults(paths, folder / "merged");
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  REQUIRE(counts.ok());
  CHECK((*counts)[static_cast<size_t>(golden::GoldenStatus::kMatch)] == kResults);
  MESSAGE(seconds.count() << " s, " << PeakKilobytes() - before << " KiB");
  CHECK(seconds.count() < 60);
  CHECK(PeakKilobytes() - before < 32 * 1024);
}
