// Which part of a run this machine does.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace dp2trace::golden {

// Part `number` (from 1) of `count`.
struct Shard {
  uint64_t number = 1;
  uint64_t count = 1;
  bool operator==(const Shard&) const = default;
};
inline constexpr uint64_t kMaxShards = 100000;
// "3/8".
std::string Name(const Shard& shard);
// Nothing where the text is no "I/N" with 1 <= I <= N <= kMaxShards.
std::optional<Shard> ParseShard(std::string_view text);

// What a scheduler says in the environment. `get` returns null for a variable that is not set. The first scheduler of these counts:
// DP2TRACE_SHARD_INDEX (from 1) and DP2TRACE_SHARD_COUNT, for those that have no variables of their own, such as a matrix of GitHub
// Actions; TEST_SHARD_INDEX (from 0) and TEST_TOTAL_SHARDS (Bazel); CI_NODE_INDEX (from 1) and CI_NODE_TOTAL (GitLab);
// SLURM_ARRAY_TASK_ID, _MIN and _COUNT (Slurm arrays without gaps). Nothing, and the reason in `error`, where none is set or one is wrong.
using GetVariable = std::function<const char*(const char*)>;
std::optional<Shard> ShardOfEnvironment(const GetVariable& get, std::string& error);

// How long traces took: milliseconds by hash of the file.
using Durations = std::map<std::string, uint64_t>;
// A JSON object {"version":1,"milliseconds":{HASH:NUMBER,...}}; adds to `durations`, the larger number of two.
Status ReadDurations(const std::string& path, Durations& durations);
std::string DurationsText(const Durations& durations);

// The shard (from 1) of each trace, of which these are the hashes. Without durations only the hash decides, so that a new trace moves
// no other. With durations the longest trace goes first, each to the shard that has least to do; a trace without one counts as the
// median. Equal ones are taken in the order of their hashes.
std::vector<uint64_t> AssignShards(const std::vector<std::string>& hashes,
                                   const Durations& durations, uint64_t count);

}  // namespace dp2trace::golden
