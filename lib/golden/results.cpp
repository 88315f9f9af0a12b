#include "golden/results.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "json/append.h"
#include "json/builder.h"
#include "json/members.h"
#include "rules/rule.h"

namespace dp2trace::golden {
namespace {

constexpr std::string_view kTool = "dp2trace";
constexpr std::string_view kSchema = "golden-results/1";
constexpr size_t kPieceSize = size_t{64} << 10;
constexpr size_t kMaxLineSize = size_t{1} << 30;
constexpr std::string_view kTailStart = "{\"type\":\"end\",";

std::string HeadLine(const ResultsHead& head) {
  json::Builder out;
  out.Raw('{');
  AppendString(out, "tool", kTool);
  AppendString(out, "version", head.version);
  AppendString(out, "schema", kSchema);
  AppendString(out, "type", "head");
  AppendText(out, "judged", EncodeName(head.judged));
  out.Key("manifest");
  out.Name(head.manifest);
  out.Key("list");
  out.Name(head.list);
  AppendNumber(out, "traces", head.traces);
  if (head.limits.timeout_s) AppendNumber(out, "timeout_s", *head.limits.timeout_s);
  if (head.limits.max_memory) AppendNumber(out, "max_memory", *head.limits.max_memory);
  if (head.limits.max_worker_memory)
    AppendNumber(out, "max_worker_memory", *head.limits.max_worker_memory);
  AppendNumber(out, "shard", head.shard.number);
  AppendNumber(out, "shards", head.shard.count);
  out.Raw('}');
  return std::move(out.string());
}

std::string TailLine(const StatusCounts& counts, const std::string& hash) {
  json::Builder out;
  out.Raw(kTailStart.substr(0, kTailStart.size() - 1));
  uint64_t results = 0;
  for (const uint64_t count : counts)
    results += count;
  AppendNumber(out, "results", results);
  out.Key("counts");
  out.Raw('{');
  for (size_t i = 0; i < kGoldenStatusCount; ++i)
    AppendNumber(out, Name(static_cast<GoldenStatus>(i)), counts[i]);
  out.Raw('}');
  out.Key("hash");
  out.Name(hash);
  out.Raw('}');
  return std::move(out.string());
}

// What stands between two texts from `at` on, which then comes after the second.
std::optional<std::string_view> Between(std::string_view line, std::string_view before,
                                        std::string_view after, size_t& at) {
  const size_t start = line.find(before, at);
  if (start == std::string_view::npos) return std::nullopt;
  const size_t end = line.find(after, start + before.size());
  if (end == std::string_view::npos) return std::nullopt;
  at = end + after.size();
  return line.substr(start + before.size(), end - start - before.size());
}

// The members that each result line begins with: {"type":"result","index":N,"trace":"...","status":"...". False where it does not.
bool ScanStart(std::string_view line, uint64_t& index, GoldenStatus& status) {
  constexpr std::string_view kIndex = "{\"type\":\"result\",\"index\":";
  if (!line.starts_with(kIndex)) return false;
  const auto number =
      std::from_chars(line.data() + kIndex.size(), line.data() + line.size(), index);
  if (number.ec != std::errc()) return false;
  auto at = static_cast<size_t>(number.ptr - line.data());
  if (!line.substr(at).starts_with(",\"trace\":\"")) return false;
  // A quote inside of the path has a backslash before it, so that this is the member itself.
  const auto name = Between(line, "\",\"status\":\"", "\"", at);
  const auto found = name ? FindGoldenStatus(*name) : std::nullopt;
  if (found) status = *found;
  return found.has_value();
}

}  // namespace

Result<ResultsWriter> ResultsWriter::Create(const std::string& path, const ResultsHead& head) {
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  ResultsWriter writer(std::move(*file));
  DP2TRACE_RETURN_IF_ERROR(writer.WriteLine(HeadLine(head)));
  return writer;
}

Status ResultsWriter::WriteLine(std::string_view line) {
  hash_->Add(line);
  hash_->Add(std::string_view("\n"));
  DP2TRACE_RETURN_IF_ERROR(file_.Write(line));
  return file_.Write(std::string_view("\n"));
}

Status ResultsWriter::AddLine(std::string_view line, GoldenStatus status) {
  ++counts_[static_cast<size_t>(status)];
  return WriteLine(line);
}

Status ResultsWriter::Commit() {
  DP2TRACE_RETURN_IF_ERROR(file_.Write(TailLine(counts_, hash_->Digest()) + "\n"));
  return file_.Commit();
}

Result<ResultsReader> ResultsReader::Open(const std::string& path) {
  Result<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return file.status();
  ResultsReader reader(std::move(*file));
  reader.path_ = path;
  DP2TRACE_RETURN_IF_ERROR(reader.ReadHead());
  return reader;
}

Status ResultsReader::Damaged(std::string_view reason) const {
  return Status(MakeDiagnostic(Rule::kGoldenResults001,
                               fmt::format("{}: line {}: {}", path_, line_, reason)));
}

Result<bool> ResultsReader::ReadLine(std::string_view& line) {
  size_t searched = begin_;
  while (true) {
    const size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      line = std::string_view(buffer_).substr(begin_, end - begin_);
      begin_ = end + 1;
      ++line_;
      return true;
    }
    buffer_.erase(0, begin_);
    begin_ = 0;
    searched = buffer_.size();
    if (searched > kMaxLineSize) return Damaged("a line is too long");
    buffer_.resize(searched + kPieceSize);
    const Result<size_t> count =
        file_.Read({reinterpret_cast<uint8_t*>(buffer_.data()) + searched, kPieceSize});
    if (!count.ok()) return count.status();
    buffer_.resize(searched + *count);
    if (*count != 0) continue;
    return buffer_.empty() ? Result<bool>(false)
                           : Result<bool>(Damaged("it is incomplete: its last line is cut off"));
  }
}

Status ResultsReader::ReadHead() {
  std::string_view line;
  const Result<bool> found = ReadLine(line);
  if (!found.ok()) return found.status();
  if (!*found) return Damaged("it is empty");
  if (line.starts_with("{\"golden_results\":"))
    return Damaged("an earlier version of dp2trace wrote it: run golden check again");
  if (!line.starts_with("{\"tool\":") || line.find("\"golden-results/") == std::string_view::npos)
    return Damaged("it is not a results file of golden check");
  hash_->Add(line);
  hash_->Add(std::string_view("\n"));
  DP2TRACE_RETURN_IF_ERROR(document_->Parse(std::string(line)));
  json::Members members(*document_, document_->root());
  std::string tool;
  std::string schema;
  std::string type;
  const bool is_read =
      members.Require("tool", tool) && members.Require("version", head_.version) &&
      members.Require("schema", schema) && members.Require("type", type) &&
      members.Find("judged", head_.judged) && members.Require("manifest", head_.manifest) &&
      members.Require("list", head_.list) && members.Require("traces", head_.traces) &&
      members.Find("timeout_s", head_.limits.timeout_s) &&
      members.Find("max_memory", head_.limits.max_memory) &&
      members.Find("max_worker_memory", head_.limits.max_worker_memory) &&
      members.Require("shard", head_.shard.number) &&
      members.Require("shards", head_.shard.count, kMaxShards) && members.Finish();
  if (!is_read) return document_->status();
  if (schema != kSchema)
    return Damaged(fmt::format("its schema is {}, expected {}", schema, kSchema));
  head_.judged = DecodeName(head_.judged);
  if (!IsHash(head_.manifest) || !IsHash(head_.list))
    return Damaged("its first line has a text in place of a hash");
  return head_.shard.number == 0 || head_.shard.number > head_.shard.count
             ? Damaged("its shard does not exist")
             : OkStatus();
}

Status ResultsReader::CheckTail(std::string_view line) {
  StatusCounts counts = {};
  uint64_t results = 0;
  std::string hash;
  std::string type;
  DP2TRACE_RETURN_IF_ERROR(document_->Parse(std::string(line), line_));
  json::Members members(*document_, document_->root());
  if (!members.Require("type", type) || !members.Require("results", results) ||
      !members.Require("hash", hash))
    return document_->status();
  json::Node* const node = members.RequireNode("counts", json::NodeType::kObject);
  if (node == nullptr) return document_->status();
  json::Members by_status(*document_, *node);
  for (size_t i = 0; i < kGoldenStatusCount; ++i) {
    if (!by_status.Require(Name(static_cast<GoldenStatus>(i)), counts[i]))
      return document_->status();
  }
  if (!by_status.Finish() || !members.Finish()) return document_->status();
  if (results != results_ || counts != counts_)
    return Damaged("its last line counts other results than it has");
  if (hash != hash_->Digest())
    return Damaged("it is damaged: the hash of its last line is not that of the lines before");
  std::string_view more;
  const Result<bool> has_more = ReadLine(more);
  if (!has_more.ok() || *has_more) return Damaged("something follows its last line");
  return OkStatus();
}

Result<bool> ResultsReader::NextLine(std::string_view& line, uint64_t& index,
                                     GoldenStatus& status) {
  if (is_at_end_) return false;
  const Result<bool> found = ReadLine(line);
  if (!found.ok()) return found;
  if (!*found) return Damaged("it is incomplete: its last line is missing");
  if (line.starts_with(kTailStart)) {
    is_at_end_ = true;
    DP2TRACE_RETURN_IF_ERROR(CheckTail(line));
    return false;
  }
  if (!ScanStart(line, index, status)) return Damaged("this line is not a result");
  hash_->Add(line);
  hash_->Add(std::string_view("\n"));
  ++results_;
  ++counts_[static_cast<size_t>(status)];
  return true;
}

Result<bool> ResultsReader::Next(TraceResult& result) {
  std::string_view line;
  uint64_t index = 0;
  GoldenStatus status{};
  const Result<bool> found = NextLine(line, index, status);
  if (!found.ok() || !*found) return found;
  Result<TraceResult> parsed = ParseResultLine(*document_, std::string(line), line_);
  if (!parsed.ok()) return parsed.status();
  result = std::move(*parsed);
  return true;
}

}  // namespace dp2trace::golden
