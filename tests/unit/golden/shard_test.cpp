#include "golden/shard.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

using Variables = std::map<std::string, std::string>;

// "2/8", or the reason.
std::string InEnvironment(const Variables& variables) {
  std::string error;
  const auto get = [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
  const auto shard = golden::ShardOfEnvironment(get, error);
  return shard ? golden::Name(*shard) : error;
}

std::vector<std::string> Hashes(size_t count) {
  std::vector<std::string> hashes;
  for (size_t i = 0; i < count; ++i)
    hashes.push_back(std::string(26, '0') + std::to_string(100000 + i));
  return hashes;
}

}  // namespace

TEST_CASE("ParseShard: I/N with I from 1 to N") {
  CHECK(golden::ParseShard("3/8") == golden::Shard{3, 8});
  for (const char* const text :
       {"", "3", "0/8", "9/8", "3/", "/8", "a/8", "3/8/1", "-1/8", "1/100001"})
    CHECK_FALSE(golden::ParseShard(text));
}

TEST_CASE("ShardOfEnvironment: each scheduler counts in its own way") {
  CHECK(InEnvironment({{"DP2TRACE_SHARD_INDEX", "2"}, {"DP2TRACE_SHARD_COUNT", "8"}}) == "2/8");
  CHECK(InEnvironment({{"TEST_SHARD_INDEX", "0"}, {"TEST_TOTAL_SHARDS", "8"}}) == "1/8");
  CHECK(InEnvironment({{"CI_NODE_INDEX", "8"}, {"CI_NODE_TOTAL", "8"}}) == "8/8");
  CHECK(InEnvironment({{"SLURM_ARRAY_TASK_ID", "12"},
                       {"SLURM_ARRAY_TASK_MIN", "10"},
                       {"SLURM_ARRAY_TASK_COUNT", "4"}}) == "3/4");
}

TEST_CASE("ShardOfEnvironment: our own variables count first; half of a pair is an error") {
  CHECK(InEnvironment({{"DP2TRACE_SHARD_INDEX", "1"},
                       {"DP2TRACE_SHARD_COUNT", "2"},
                       {"CI_NODE_INDEX", "3"},
                       {"CI_NODE_TOTAL", "3"}}) == "1/2");
  CHECK(InEnvironment({{"CI_NODE_INDEX", "3"}}) == "CI_NODE_TOTAL is not set");
  CHECK(InEnvironment({{"CI_NODE_INDEX", "0"}, {"CI_NODE_TOTAL", "3"}}) ==
        "CI_NODE_INDEX is 0, which is none of 3 parts from 1 on");
  CHECK(InEnvironment({{"CI_NODE_INDEX", "x"}, {"CI_NODE_TOTAL", "3"}}) ==
        "CI_NODE_INDEX is 'x', not a number");
  // An array with gaps.
  CHECK(InEnvironment({{"SLURM_ARRAY_TASK_ID", "12"},
                       {"SLURM_ARRAY_TASK_MIN", "10"},
                       {"SLURM_ARRAY_TASK_COUNT", "2"}}) ==
        "SLURM_ARRAY_TASK_ID is 12, which is none of 2 parts from 10 on");
  CHECK(InEnvironment({}).starts_with("the environment has none of the variables"));
}

TEST_CASE("AssignShards: without durations a new trace moves no other") {
  const std::vector<std::string> hashes = Hashes(200);
  const std::vector<uint64_t> shards = golden::AssignShards(hashes, {}, 4);
  for (uint64_t shard = 1; shard <= 4; ++shard)
    CHECK(std::ranges::count(shards, shard) > 20);
  std::vector<std::string> more = hashes;
  more.insert(more.begin(), 1, std::string(32, 'f'));
  const std::vector<uint64_t> moved = golden::AssignShards(more, {}, 4);
  CHECK(std::equal(shards.begin(), shards.end(), moved.begin() + 1));
}

TEST_CASE("AssignShards: with durations shards take equally long") {
  const std::vector<std::string> hashes = Hashes(5);
  // With one more each: 10 goes to shard 1; 5 (without a duration: the median, 4) and 5 to shard 2; 4 to shard 1, the first of two that
  // have 10; 3 to shard 2, which has less than 14.
  const golden::Durations durations = {
      {hashes[0], 2}, {hashes[1], 9}, {hashes[2], 3}, {hashes[4], 4}};
  const std::vector<uint64_t> shards = golden::AssignShards(hashes, durations, 2);
  CHECK(shards == std::vector<uint64_t>{2, 1, 1, 2, 2});
}

TEST_CASE("Durations: the file comes back, the larger number of two counts") {
  const TestFolder folder;
  const golden::Durations durations = {{std::string(32, 'a'), 12}, {std::string(32, 'b'), 0}};
  WriteText(folder / "times", golden::DurationsText(durations));
  golden::Durations read = {{std::string(32, 'a'), 5}, {std::string(32, 'b'), 7}};
  REQUIRE(golden::ReadDurations(folder / "times", read).ok());
  CHECK(read == golden::Durations{{std::string(32, 'a'), 12}, {std::string(32, 'b'), 7}});
  WriteText(folder / "times", R"({"version":1})");
  CHECK_FALSE(golden::ReadDurations(folder / "times", read).ok());
}
