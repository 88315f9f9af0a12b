#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "golden/results.h"
#include "rules/rule.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using golden::GoldenStatus;

namespace {

golden::ResultsHead HeadOf(golden::Shard shard) {
  return {"0.1.0", std::string(32, 'a'), std::string(32, 'b'), 7, {}, shard};
}

// Writes the results with these indices.
void Write(const std::string& path, const golden::ResultsHead& head,
           const std::vector<uint64_t>& indices) {
  Result<golden::ResultsWriter> writer = golden::ResultsWriter::Create(path, head);
  REQUIRE(writer.ok());
  for (const uint64_t index : indices) {
    golden::TraceResult result;
    result.index = index;
    result.path = "t" + std::to_string(index) + ".json";
    result.status = index % 2 == 0 ? GoldenStatus::kMatch : GoldenStatus::kDiffer;
    REQUIRE(writer->Add(result).ok());
  }
  REQUIRE(writer->Commit().ok());
}

// Three shards of a run of seven traces, and the run on one machine.
struct Run {
  TestFolder folder;
  std::vector<std::string> shards = {folder / "3", folder / "1", folder / "2"};
  std::string output = folder / "merged";
  Run() {
    Write(folder / "1", HeadOf({1, 3}), {0, 3, 6});
    Write(folder / "2", HeadOf({2, 3}), {});
    Write(folder / "3", HeadOf({3, 3}), {1, 2, 4, 5});
    Write(folder / "whole", HeadOf({1, 1}), {0, 1, 2, 3, 4, 5, 6});
  }
  // The reason why they cannot be merged, and no output.
  std::string Failure() const {
    const Result<golden::StatusCounts> counts = golden::MergeResults(shards, output);
    CHECK_FALSE(std::filesystem::exists(output));
    return counts.ok() ? "merged" : counts.status().diagnostic().message;
  }
};

}  // namespace

TEST_CASE(
    "MergeResults: the bytes are those of one machine, in whatever order the shards are named") {
  const Run run;
  const Result<golden::StatusCounts> counts = golden::MergeResults(run.shards, run.output);
  REQUIRE(counts.ok());
  CHECK(ReadText(run.output) == ReadText(run.folder / "whole"));
  CHECK((*counts)[static_cast<size_t>(GoldenStatus::kMatch)] == 4);
  CHECK((*counts)[static_cast<size_t>(GoldenStatus::kDiffer)] == 3);
}

TEST_CASE("GOLDEN-RESULTS-002: a missing shard is named") {
  Run run;
  run.shards = {run.folder / "2"};
  CHECK(run.Failure() == "2 of 3 shards are missing: 1/3, 3/3");
}

TEST_CASE("GOLDEN-RESULTS-002: a repeated shard is named with both files") {
  Run run;
  std::filesystem::copy(run.folder / "1", run.folder / "copy");
  run.shards.push_back(run.folder / "copy");
  CHECK(run.Failure() ==
        "shard 1/3 occurs twice: in " + (run.folder / "1") + " and in " + (run.folder / "copy"));
}

TEST_CASE("GOLDEN-RESULTS-002: a shard of another run is named") {
  const auto failure_with = [](auto change) {
    const Run run;
    golden::ResultsHead head = HeadOf({2, 3});
    change(head);
    Write(run.folder / "2", head, {});
    const std::string failure = run.Failure();
    CHECK(failure.find(run.folder / "2") != std::string::npos);
    return failure;
  };
  CHECK(failure_with([](auto& head) { head.manifest[0] = 'c'; }).find("of another manifest") !=
        std::string::npos);
  CHECK(failure_with([](auto& head) {
          head.version = "0.2.0";
        }).find("of another version of the program") != std::string::npos);
  CHECK(failure_with([](auto& head) { head.list[0] = 'c'; }).find("of another choice of traces") !=
        std::string::npos);
  CHECK(failure_with([](auto& head) { head.traces = 8; }).find("of another choice of traces") !=
        std::string::npos);
  CHECK(failure_with([](auto& head) { head.limits.timeout_s = 5; }).find("of other limits") !=
        std::string::npos);
  CHECK(failure_with([](auto& head) {
          head.shard.count = 4;
        }).find("of another number of shards") != std::string::npos);
}

TEST_CASE("GOLDEN-RESULTS-002: a result in no shard or in two") {
  const Run lacking;
  Write(lacking.folder / "1", HeadOf({1, 3}), {0, 6});
  CHECK(lacking.Failure() == "no shard has the result 3: were they assigned by other durations?");
  const Run last;
  Write(last.folder / "1", HeadOf({1, 3}), {0, 3});
  CHECK(last.Failure() == "the shards have 6 results, the run has 7 traces");
  const Run twice;
  Write(twice.folder / "2", HeadOf({2, 3}), {3});
  CHECK(twice.Failure().ends_with("(shard 2/3) has the result 3, and so has another shard"));
}

TEST_CASE("GOLDEN-RESULTS-001: every shard that is cut off is refused") {
  const Run run;
  const std::string text = ReadText(run.folder / "1");
  REQUIRE(text.size() > 300);
  for (size_t size = 0; size < text.size(); ++size) {
    WriteText(run.folder / "1", std::string_view(text).substr(0, size));
    const Result<golden::StatusCounts> counts = golden::MergeResults(run.shards, run.output);
    CAPTURE(size);
    CHECK_FALSE(counts.ok());
  }
  CHECK_FALSE(std::filesystem::exists(run.output));
}

TEST_CASE("GOLDEN-RESULTS-001: every flipped bit of a result is found") {
  const Run run;
  const std::string text = ReadText(run.folder / "1");
  const size_t begin = text.find('\n') + 1;
  for (size_t at = begin; at + 1 < text.size(); ++at) {
    std::string flipped = text;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    WriteText(run.folder / "1", flipped);
    CAPTURE(at);
    CHECK_FALSE(golden::MergeResults(run.shards, run.output).ok());
  }
}

TEST_CASE("ResultsReader: results come back one at a time") {
  const Run run;
  Result<golden::ResultsReader> reader = golden::ResultsReader::Open(run.folder / "3");
  REQUIRE(reader.ok());
  CHECK(reader->head() == HeadOf({3, 3}));
  std::vector<std::string> paths;
  golden::TraceResult result;
  while (reader->Next(result).value())
    paths.push_back(result.path);
  CHECK(paths == std::vector<std::string>{"t1.json", "t2.json", "t4.json", "t5.json"});
}

TEST_CASE("ResultsReader: other files are refused") {
  const TestFolder folder;
  for (const char* const text : {"", "\n", "{}\n", "not json\n", "{\"golden_results\":1}\n"}) {
    WriteText(folder / "file", text);
    CHECK_FALSE(golden::ResultsReader::Open(folder / "file").ok());
  }
  CHECK(golden::ResultsReader::Open(folder / "none").status().diagnostic().rule == Rule::kTrace001);
}

TEST_CASE("ForEachResult: only one shard, or all of them in the order of the run") {
  const Run run;
  std::string indices;
  const golden::OnResultLine take = [&](std::string_view line, GoldenStatus status) {
    CHECK((status == GoldenStatus::kMatch) == ((line[25] - '0') % 2 == 0));
    indices += line[25];  // after {"index":
    return OkStatus();
  };
  const Result<golden::ResultsHead> one = golden::ForEachResult({run.folder / "3"}, take);
  REQUIRE(one.ok());
  CHECK(one->shard == golden::Shard{3, 3});
  CHECK(indices == "1245");
  indices.clear();
  const Result<golden::ResultsHead> all = golden::ForEachResult(run.shards, take);
  REQUIRE(all.ok());
  CHECK(all->shard == golden::Shard{});
  CHECK(indices == "0123456");
  const Result<golden::ResultsHead> two =
      golden::ForEachResult({run.shards[0], run.shards[1]}, take);
  REQUIRE_FALSE(two.ok());
  CHECK(two.status().diagnostic().message == "1 of 3 shards is missing: 2/3");
}
