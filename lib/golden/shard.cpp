#include "golden/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <queue>

#include "base/hash.h"
#include "golden/golden.h"
#include "json/builder.h"
#include "json/members.h"

namespace dp2trace::golden {
namespace {

constexpr uint64_t kDurationsVersion = 1;

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (text.empty() || result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}

// The variables of one scheduler.
struct Scheduler {
  const char* index;
  const char* count;
  const char* first;  // the variable with the number of the first part; null: `first_number`
  uint64_t first_number;
};
constexpr Scheduler kSchedulers[] = {
    {"DP2TRACE_SHARD_INDEX", "DP2TRACE_SHARD_COUNT", nullptr, 1},
    {"TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS", nullptr, 0},
    {"CI_NODE_INDEX", "CI_NODE_TOTAL", nullptr, 1},
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", 0},
};

std::optional<Shard> ShardOf(const Scheduler& scheduler, const GetVariable& get,
                             std::string& error) {
  const auto number_of = [&](const char* name) -> std::optional<uint64_t> {
    const char* const text = get(name);
    std::optional<uint64_t> number = ParseNumber(text != nullptr ? text : "");
    if (!number) {
      error = text == nullptr ? fmt::format("{} is not set", name)
                              : fmt::format("{} is '{}', not a number", name, text);
    }
    return number;
  };
  const std::optional<uint64_t> index = number_of(scheduler.index);
  const std::optional<uint64_t> count = number_of(scheduler.count);
  const std::optional<uint64_t> first =
      scheduler.first != nullptr ? number_of(scheduler.first) : scheduler.first_number;
  if (!index || !count || !first) return std::nullopt;
  if (*index < *first || *index - *first >= *count || *count > kMaxShards) {
    error = fmt::format("{} is {}, which is none of {} parts from {} on", scheduler.index, *index,
                        *count, *first);
    return std::nullopt;
  }
  return Shard{*index - *first + 1, *count};
}

uint64_t Median(const Durations& durations) {
  std::vector<uint64_t> values;
  values.reserve(durations.size());
  for (const auto& [hash, milliseconds] : durations)
    values.push_back(milliseconds);
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

bool Fill(json::Document& document, Durations& durations) {
  json::Members members(document, document.root());
  uint64_t version = 0;
  if (!members.Require("version", version, kDurationsVersion)) return false;
  const json::Node* const values = members.RequireNode("milliseconds", json::NodeType::kObject);
  if (values == nullptr) return false;
  json::ElementIterator elements = document.Elements(*values);
  while (const json::Node* const element = elements.Next()) {
    uint64_t milliseconds = 0;
    if (!document.values().Unsigned(*element, UINT32_MAX, milliseconds)) return false;
    uint64_t& known = durations[std::string(element->key_view())];
    known = std::max(known, milliseconds);
  }
  return members.Finish();
}

}  // namespace

std::string Name(const Shard& shard) {
  return fmt::format("{}/{}", shard.number, shard.count);
}

std::optional<Shard> ParseShard(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::optional<uint64_t> number = ParseNumber(text.substr(0, slash));
  const std::optional<uint64_t> count = ParseNumber(text.substr(slash + 1));
  if (!number || !count || *number == 0 || *number > *count || *count > kMaxShards)
    return std::nullopt;
  return Shard{*number, *count};
}

std::optional<Shard> ShardOfEnvironment(const GetVariable& get, std::string& error) {
  for (const Scheduler& scheduler : kSchedulers) {
    if (get(scheduler.index) != nullptr) return ShardOf(scheduler, get, error);
  }
  error = "the environment has none of the variables";
  for (const Scheduler& scheduler : kSchedulers)
    error += fmt::format(" {}", scheduler.index);
  return std::nullopt;
}

Status ReadDurations(const std::string& path, Durations& durations) {
  json::Document document;
  DP2TRACE_RETURN_IF_ERROR(document.Read(path));
  return Fill(document, durations) ? OkStatus() : document.status();
}

std::string DurationsText(const Durations& durations) {
  json::Builder out;
  out.Raw("{\"version\":");
  out.Number(kDurationsVersion);
  out.Raw(",\"milliseconds\":{");
  for (const auto& [hash, milliseconds] : durations) {
    out.Separate();
    out.Raw('\n');
    out.String(hash);
    out.Raw(':');
    out.Number(milliseconds);
  }
  out.Raw("}}\n");
  return std::move(out.string());
}

std::vector<uint64_t> AssignShards(const std::vector<std::string>& hashes,
                                   const Durations& durations, uint64_t count) {
  std::vector<uint64_t> shards(hashes.size());
  if (durations.empty()) {
    for (size_t i = 0; i < hashes.size(); ++i) {
      const std::string& hash = hashes[i];
      shards[i] = Xxh3_64({reinterpret_cast<const uint8_t*>(hash.data()), hash.size()}) % count + 1;
    }
    return shards;
  }
  const uint64_t median = Median(durations);
  std::vector<uint64_t> costs(hashes.size());
  for (size_t i = 0; i < hashes.size(); ++i) {
    const auto found = durations.find(hashes[i]);
    costs[i] = 1 + (found == durations.end() ? median : found->second);
  }
  std::vector<size_t> order(hashes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, [&](size_t a, size_t b) {
    return std::tie(costs[b], hashes[a], a) < std::tie(costs[a], hashes[b], b);
  });
  using Load = std::pair<uint64_t, uint64_t>;  // milliseconds and shard
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (uint64_t shard = 1; shard <= count; ++shard)
    loads.emplace(0, shard);
  for (const size_t i : order) {
    const auto [load, shard] = loads.top();
    loads.pop();
    shards[i] = shard;
    loads.emplace(load + costs[i], shard);
  }
  return shards;
}

}  // namespace dp2trace::golden
