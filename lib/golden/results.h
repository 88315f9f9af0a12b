// A results file of `golden check`: a head line, one line per trace in the order of the run, and a tail line with counts and a hash of
// all before it. A file without its tail is incomplete. lib/golden/README.md describes the members.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/status.h"
#include "golden/manifest.h"
#include "golden/result.h"
#include "golden/shard.h"
#include "json/document.h"

namespace dp2trace::golden {

// Results that agree in all but the shard belong together.
struct ResultsHead {
  std::string version;   // of the program
  std::string manifest;  // XXH3-128 of the file
  std::string list;      // XXH3-128 of paths and hashes of the traces of the run, all shards
  uint64_t traces = 0;   // that many they are
  GoldenLimits limits;   // as they were in force
  Shard shard;
  // The command, or the folder of pictures, of another renderer; empty: the reference was judged.
  std::string judged = {};
  bool operator==(const ResultsHead&) const = default;
};

class ResultsWriter {
 public:
  static Result<ResultsWriter> Create(const std::string& path, const ResultsHead& head);
  Status Add(const TraceResult& result) { return AddLine(ResultLine(result), result.status); }
  // The line of a result, without its end.
  Status AddLine(std::string_view line, GoldenStatus status);
  // Writes the tail; the file appears.
  Status Commit();
  const StatusCounts& counts() const { return counts_; }

 private:
  explicit ResultsWriter(OutputFile file)
      : file_(std::move(file)), hash_(std::make_unique<Xxh3_128Stream>()) {}
  Status WriteLine(std::string_view line);

  OutputFile file_;
  std::unique_ptr<Xxh3_128Stream> hash_;
  StatusCounts counts_ = {};
};

class ResultsReader {
 public:
  // Fails where the file cannot be read or has no head.
  static Result<ResultsReader> Open(const std::string& path);
  const ResultsHead& head() const { return head_; }
  const std::string& path() const { return path_; }

  // The next result, true; false after the last one, when the tail was found in order. Fails (GOLDEN-RESULTS-001) where the file is
  // incomplete or damaged: of what was read before, nothing may be used then.
  Result<bool> Next(TraceResult& result);
  // The same without looking into the line: its text, which lives until the next call, its index and its status.
  Result<bool> NextLine(std::string_view& line, uint64_t& index, GoldenStatus& status);

 private:
  explicit ResultsReader(InputFile file)
      : file_(std::move(file)), hash_(std::make_unique<Xxh3_128Stream>()) {}
  Status ReadHead();
  // The next line without its end; false at the end of the file.
  Result<bool> ReadLine(std::string_view& line);
  Status CheckTail(std::string_view line);
  Status Damaged(std::string_view reason) const;

  InputFile file_;
  std::string path_;
  std::unique_ptr<Xxh3_128Stream> hash_;
  std::unique_ptr<json::Document> document_ = std::make_unique<json::Document>();
  ResultsHead head_;
  StatusCounts counts_ = {};
  std::string buffer_;
  size_t begin_ = 0;   // of what is unread in the buffer
  uint64_t line_ = 0;  // that was read last, from 1
  uint64_t results_ = 0;
  bool is_at_end_ = false;
};

// Hands out the lines of results in the order of the run: those of one file, whichever shard it is, or those of several, which must be all
// shards of one run. Fails (GOLDEN-RESULTS-002) naming the shard that is missing, repeated or of another run, and (GOLDEN-RESULTS-001) the
// file that is incomplete: of what was handed out before, nothing may be used then. Memory does not grow with the number of results.
using OnResultLine = std::function<Status(std::string_view line, GoldenStatus status)>;
Result<ResultsHead> ForEachResult(const std::vector<std::string>& paths,
                                  const OnResultLine& on_line);

// Writes the results of all shards of one run as one machine would have written them. Fails as ForEachResult does; a single file must be
// the whole run, too. Then there is no output.
Result<StatusCounts> MergeResults(const std::vector<std::string>& paths, const std::string& output);

}  // namespace dp2trace::golden
