#include "golden/html_report.h"

#include <fmt/format.h>

#include <utility>

#include "golden/html_files.h"
#include "json/append.h"
#include "json/builder.h"
#include "page/page.h"

namespace dp2trace::golden {
namespace {

constexpr const char* kKind = "golden report";
// One page of the list needs one file of rows; one trace needs one pack.
constexpr uint64_t kRowsPerFile = 100;
constexpr size_t kPackSize = size_t{64} << 10;
constexpr size_t kLongestMessage = 300;  // in the list

// At most `size` bytes of a text, cut between characters.
std::string Shortened(std::string_view text, size_t size) {
  if (text.size() <= size) return std::string(text);
  while (size > 0 && (static_cast<uint8_t>(text[size]) & 0xC0U) == 0x80U)
    --size;
  return std::string(text.substr(0, size)) + "…";
}

void AppendFiles(json::Builder& out, const PictureFiles& files) {
  out.Separate();
  out.Raw('{');
  AppendText(out, "expected", files.expected);
  AppendText(out, "actual", files.actual);
  AppendText(out, "difference", files.difference);
  AppendText(out, "heat", files.heat);
  AppendText(out, "no_expected", files.no_expected);
  AppendText(out, "no_actual", files.no_actual);
  AppendText(out, "text", files.text);
  AppendText(out, "inspect", files.inspect);
  out.Raw('}');
}

}  // namespace

Result<HtmlReport> HtmlReport::Create(const std::string& folder, HtmlOptions options) {
  Result<OutputFolder> output = OutputFolder::Create(folder, kKind);
  if (!output.ok()) return output.status();
  HtmlReport report(std::move(*output), std::move(options));
  for (const auto files : {HtmlFiles(), page::SharedFiles()}) {
    for (const page::EmbeddedFile& file : files)
      DP2TRACE_RETURN_IF_ERROR(report.folder_.Write(std::string(file.name), file.text));
  }
  return report;
}

Status HtmlReport::Add(TraceResult result) {
  json::Builder out;
  out.Raw('{');
  out.Key("pictures");
  out.Raw('[');
  for (ImageResult& image : result.images) {
    Result<PictureFiles> files = pictures_.Place(folder_, image);
    if (!files.ok()) return files.status();
    DP2TRACE_RETURN_IF_ERROR(AddInspect(result, image, *files));
    AppendFiles(out, *files);
  }
  out.Raw(']');
  const auto tags = tags_.find(result.path);
  if (tags != tags_.end()) AppendText(out, "tags", tags->second);
  out.Key("result");
  out.Raw(ResultLine(result));
  out.Raw('}');
  DP2TRACE_RETURN_IF_ERROR(AddRow(result));
  pack_ += (pack_.empty() ? "[\n" : ",\n") + out.string();
  ++in_pack_;
  return pack_.size() < kPackSize ? OkStatus() : WritePack();
}

Status HtmlReport::AddInspect(const TraceResult& result, const ImageResult& image,
                              PictureFiles& files) {
  if (!inspect_ || image.status != GoldenStatus::kDiffer) return OkStatus();
  if (!std::exchange(has_inspect_, true))
    DP2TRACE_RETURN_IF_ERROR(folder_.AllowFoldersIn(kInspectFolder));
  Result<std::string> page = inspect_(folder_.temporary(), result, image);
  if (!page.ok()) return page.status();
  files.inspect = std::move(*page);
  return OkStatus();
}

Status HtmlReport::AddRow(const TraceResult& result) {
  Rows& rows = rows_[static_cast<size_t>(result.status)];
  json::Builder out;
  out.Raw('{');
  AppendText(out, "trace", result.path);
  out.Key("message");
  out.String(Shortened(result.message, kLongestMessage));
  const auto tags = tags_.find(result.path);
  if (tags != tags_.end()) AppendText(out, "tags", tags->second);
  AppendNumber(out, "pack", packs_);
  AppendNumber(out, "place", in_pack_);
  out.Raw('}');
  rows.text += (rows.waiting == 0 ? "[\n" : ",\n") + out.string();
  ++rows.count;
  return ++rows.waiting < kRowsPerFile ? OkStatus() : WriteRows(result.status);
}

Status HtmlReport::WriteRows(GoldenStatus status) {
  Rows& rows = rows_[static_cast<size_t>(status)];
  if (rows.waiting == 0) return OkStatus();
  const std::string name = fmt::format("rows/{}-{}", Name(status), rows.files++);
  const std::string text = std::exchange(rows.text, std::string()) + "]";
  rows.waiting = 0;
  return folder_.Write(page::DataFile(name), page::DataScript(name, text));
}

Status HtmlReport::WritePack() {
  if (in_pack_ == 0) return OkStatus();
  const std::string name = fmt::format("traces/{}", packs_++);
  const std::string text = std::exchange(pack_, std::string()) + "]";
  in_pack_ = 0;
  return folder_.Write(page::DataFile(name), page::DataScript(name, text));
}

Status HtmlReport::WriteRun(const ResultsHead& head) {
  json::Builder out;
  out.Raw('{');
  AppendText(out, "tool", "dp2trace " + head.version);
  AppendText(out, "manifest", head.manifest);
  AppendNumber(out, "traces", head.traces);
  uint64_t results = 0;
  for (const Rows& rows : rows_)
    results += rows.count;
  AppendNumber(out, "results", results);
  if (head.shard.count != 1) AppendText(out, "shard", Name(head.shard));
  AppendNumber(out, "rows_per_file", kRowsPerFile);
  out.Key("statuses");
  out.Raw('[');
  for (const GoldenStatus status : StatusesByRank()) {
    out.Separate();
    out.Raw('{');
    AppendText(out, "status", Name(status));
    out.Key("fails");
    out.Raw(IsFailure(status) ? "true" : "false");
    AppendNumber(out, "count", rows_[static_cast<size_t>(status)].count);
    out.Raw('}');
  }
  out.Raw("]}");
  return folder_.Write(page::DataFile("run"), page::DataScript("run", out.string()));
}

Status HtmlReport::Commit(const ResultsHead& head) {
  for (const GoldenStatus status : StatusesByRank())
    DP2TRACE_RETURN_IF_ERROR(WriteRows(status));
  DP2TRACE_RETURN_IF_ERROR(WritePack());
  DP2TRACE_RETURN_IF_ERROR(WriteRun(head));
  return folder_.Commit();
}

}  // namespace dp2trace::golden
