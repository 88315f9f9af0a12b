// Many results files into one: a merge by index.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <queue>
#include <utility>

#include "base/plain_text.h"
#include "golden/results.h"
#include "rules/rule.h"

namespace dp2trace::golden {
namespace {

Status MergeError(std::string message) {
  return Status(MakeDiagnostic(Rule::kGoldenResults002, std::move(message)));
}

// In which member two heads of one run differ; empty where in none.
std::string_view DifferenceOf(const ResultsHead& a, const ResultsHead& b) {
  if (a.manifest != b.manifest) return "another manifest";
  if (a.version != b.version) return "another version of the program";
  if (a.judged != b.judged) return "another renderer";
  if (a.limits != b.limits) return "other limits";
  if (a.list != b.list || a.traces != b.traces) return "another choice of traces";
  if (a.shard.count != b.shard.count) return "another number of shards";
  return {};
}

Status CheckShards(const std::vector<ResultsReader>& shards) {
  const ResultsHead& first = shards.front().head();
  std::map<uint64_t, const std::string*> paths;  // by number of the shard
  for (const ResultsReader& shard : shards) {
    if (const std::string_view difference = DifferenceOf(first, shard.head());
        !difference.empty()) {
      return MergeError(fmt::format("{} (shard {}) is of {} than {} (shard {})", shard.path(),
                                    Name(shard.head().shard), difference, shards.front().path(),
                                    Name(first.shard)));
    }
    const auto [place, is_first] = paths.emplace(shard.head().shard.number, &shard.path());
    if (!is_first) {
      return MergeError(fmt::format("shard {} occurs twice: in {} and in {}",
                                    Name(shard.head().shard), *place->second, shard.path()));
    }
  }
  constexpr size_t kMostNamed = 20;
  std::vector<std::string> missing;
  for (uint64_t number = 1; number <= first.shard.count; ++number) {
    if (!paths.contains(number)) missing.push_back(Name(Shard{number, first.shard.count}));
  }
  if (missing.empty()) return OkStatus();
  const size_t named = std::min(missing.size(), kMostNamed);
  std::string text = fmt::format(
      "{}", fmt::join(missing.begin(), missing.begin() + static_cast<ptrdiff_t>(named), ", "));
  if (named < missing.size()) text += fmt::format(" and {} more", missing.size() - named);
  return MergeError(fmt::format("{} of {} shards {} missing: {}", missing.size(), first.shard.count,
                                missing.size() == 1 ? "is" : "are", text));
}

// The line that a shard would give next.
struct Head {
  uint64_t index = 0;
  size_t shard = 0;
  bool operator>(const Head& other) const {
    return std::pair(index, shard) > std::pair(other.index, other.shard);
  }
};

class Merger {
 public:
  Merger(std::vector<ResultsReader>& shards, const OnResultLine& on_line)
      : shards_(&shards), lines_(shards.size()), on_line_(&on_line) {}

  Status Run() {
    for (size_t i = 0; i < shards_->size(); ++i)
      DP2TRACE_RETURN_IF_ERROR(Advance(i));
    uint64_t next = 0;
    while (!heads_.empty()) {
      const Head head = heads_.top();
      heads_.pop();
      if (head.index != next) return Unexpected(head, next);
      DP2TRACE_RETURN_IF_ERROR((*on_line_)(lines_[head.shard].text, lines_[head.shard].status));
      ++next;
      DP2TRACE_RETURN_IF_ERROR(Advance(head.shard));
    }
    const uint64_t traces = shards_->front().head().traces;
    return next == traces
               ? OkStatus()
               : MergeError(fmt::format("the shards have {}, the run has {}",
                                        Counted(next, "result"), Counted(traces, "trace")));
  }

 private:
  struct Line {
    std::string_view text;
    GoldenStatus status{};
  };

  Status Advance(size_t shard) {
    Head head{0, shard};
    const Result<bool> found =
        (*shards_)[shard].NextLine(lines_[shard].text, head.index, lines_[shard].status);
    if (!found.ok()) return found.status();
    if (*found) heads_.push(head);
    return OkStatus();
  }

  Status Unexpected(const Head& head, uint64_t next) const {
    const ResultsReader& shard = (*shards_)[head.shard];
    if (head.index < next) {
      return MergeError(fmt::format("{} (shard {}) has the result {}, and so has another shard",
                                    shard.path(), Name(shard.head().shard), head.index));
    }
    return MergeError(
        fmt::format("no shard has the result {}: were they assigned by other durations?", next));
  }

  std::vector<ResultsReader>* shards_;
  std::vector<Line> lines_;
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads_;
  const OnResultLine* on_line_;
};

Result<std::vector<ResultsReader>> OpenAll(const std::vector<std::string>& paths) {
  std::vector<ResultsReader> shards;
  shards.reserve(paths.size());
  for (const std::string& path : paths) {
    Result<ResultsReader> shard = ResultsReader::Open(path);
    if (!shard.ok()) return shard.status();
    shards.push_back(std::move(*shard));
  }
  return shards;
}

Status HandOut(ResultsReader& reader, const OnResultLine& on_line) {
  std::string_view line;
  uint64_t index = 0;
  GoldenStatus status{};
  while (true) {
    const Result<bool> found = reader.NextLine(line, index, status);
    if (!found.ok()) return found.status();
    if (!*found) return OkStatus();
    DP2TRACE_RETURN_IF_ERROR(on_line(line, status));
  }
}

}  // namespace

Result<ResultsHead> ForEachResult(const std::vector<std::string>& paths,
                                  const OnResultLine& on_line) {
  Result<std::vector<ResultsReader>> shards = OpenAll(paths);
  if (!shards.ok()) return shards.status();
  ResultsHead head = shards->front().head();
  if (shards->size() == 1) {
    DP2TRACE_RETURN_IF_ERROR(HandOut(shards->front(), on_line));
    return head;
  }
  DP2TRACE_RETURN_IF_ERROR(CheckShards(*shards));
  DP2TRACE_RETURN_IF_ERROR(Merger(*shards, on_line).Run());
  head.shard = {};
  return head;
}

Result<StatusCounts> MergeResults(const std::vector<std::string>& paths,
                                  const std::string& output) {
  Result<std::vector<ResultsReader>> shards = OpenAll(paths);
  if (!shards.ok()) return shards.status();
  DP2TRACE_RETURN_IF_ERROR(CheckShards(*shards));
  ResultsHead head = shards->front().head();
  head.shard = {};
  Result<ResultsWriter> writer = ResultsWriter::Create(output, head);
  if (!writer.ok()) return writer.status();
  const OnResultLine add = [&](std::string_view line, GoldenStatus status) {
    return writer->AddLine(line, status);
  };
  DP2TRACE_RETURN_IF_ERROR(Merger(*shards, add).Run());
  DP2TRACE_RETURN_IF_ERROR(writer->Commit());
  return writer->counts();
}

}  // namespace dp2trace::golden
