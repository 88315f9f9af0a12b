#include "golden/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "golden/results.h"
#include "golden/trace_list.h"
#include "os/path.h"
#include "os/relative_path.h"
#include "rules/rule.h"

namespace dp2trace::golden {

Status Report::ReadManifest() {
  if (options_.manifest.empty()) return OkStatus();
  Result<ManifestFile> file = golden::ReadManifest(options_.manifest);
  if (!file.ok()) return file.status();
  for (const ManifestTrace& trace : file->manifest.traces) {
    if (!trace.tags.empty()) tags_[trace.path] = fmt::format("{}", fmt::join(trace.tags, ", "));
  }
  run_.folder = PrefixOf(PathFromHere(options_.manifest));
  manifest_hash_ = file->hash;
  return OkStatus();
}

Status Report::ReadHead() {
  Result<ResultsHead> head =
      ForEachResult(options_.results, [this](std::string_view, GoldenStatus status) {
        ++run_.counts[static_cast<size_t>(status)];
        ++count_;
        return OkStatus();
      });
  if (!head.ok()) return head.status();
  run_.head = std::move(*head);
  for (const std::string& path : options_.durations)
    DP2TRACE_RETURN_IF_ERROR(ReadDurations(path, run_.durations));
  if (manifest_hash_.empty() || manifest_hash_ == run_.head.manifest) return OkStatus();
  return Status(MakeDiagnostic(
      Rule::kGoldenResults002,
      fmt::format(
          "the results were made with another manifest than {} is now: run golden check again",
          options_.manifest)));
}

HtmlOptions Report::MakeHtmlOptions() {
  HtmlOptions html;
  if (!options_.store.empty()) html.sources.emplace_back(options_.store);
  for (const std::string& folder : options_.actual)
    html.sources.emplace_back(folder);
  html.keeps_matches = options_.keeps_matches;
  html.tags = std::move(tags_);
  html.inspect = options_.inspect;
  return html;
}

Status Report::Write(GoldenWriter& writer, const OnProgress& on_progress) {
  if (!options_.folder.empty()) {
    Result<HtmlReport> html = HtmlReport::Create(options_.folder, MakeHtmlOptions());
    if (!html.ok()) return html.status();
    html_.emplace(std::move(*html));
  }
  DP2TRACE_RETURN_IF_ERROR(writer.Begin(run_));
  json::Document document;
  uint64_t done = 0;
  const auto add = [&](std::string_view line, GoldenStatus) {
    Result<TraceResult> result = ParseResultLine(document, std::string(line), done + 1);
    if (!result.ok()) return result.status();
    on_progress(++done, count_);
    DP2TRACE_RETURN_IF_ERROR(writer.Add(*result));
    return html_ ? html_->Add(std::move(*result)) : OkStatus();
  };
  if (const Result<ResultsHead> head = ForEachResult(options_.results, add); !head.ok())
    return head.status();
  if (html_) DP2TRACE_RETURN_IF_ERROR(html_->Commit(run_.head));
  return writer.Finish();
}

}  // namespace dp2trace::golden
