// `golden report`: what a check found, as a page for people and in the forms of continuous integration.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "console.h"
#include "golden/html_report.h"
#include "golden/results.h"
#include "golden_command.h"
#include "golden_list.h"
#include "golden_outputs.h"
#include "golden_summary.h"
#include "options.h"
#include "progress.h"
#include "rules/rule.h"

namespace dp2trace::app {
namespace {

struct ReportOptions {
  std::vector<std::string> results;
  std::string folder;
  std::string manifest;
  std::string store;
  std::vector<std::string> actual;
  bool keeps_matches = false;
  std::vector<std::string> outputs;
};

class ReportRun {
 public:
  explicit ReportRun(const ReportOptions& options) : options_(options) {}

  ExitCode Run() {
    if (options_.folder.empty() && options_.outputs.empty()) {
      PrintError("nothing is to be written: -o or --output is missing");
      return ExitCode::kUsage;
    }
    if (!outputs_.Parse(options_.outputs)) return ExitCode::kUsage;
    if (const Status status = ReadTheManifest(); !status.ok())
      return ReportFailure(options_.manifest, status);
    if (const Status status = ReadHead(); !status.ok())
      return ReportFailure("golden report", status);
    if (const Status status = Write(); !status.ok()) return ReportFailure("golden report", status);
    return ReportOutput(PrintSummary());
  }

 private:
  Status ReadTheManifest() {
    if (options_.manifest.empty()) return OkStatus();
    Result<ManifestFile> file = ReadManifest(options_.manifest);
    if (!file.ok()) return file.status();
    for (const golden::ManifestTrace& trace : file->manifest.traces) {
      if (!trace.tags.empty()) tags_[trace.path] = fmt::format("{}", fmt::join(trace.tags, ", "));
    }
    run_.folder = file->folder == "./" ? "" : file->folder;
    manifest_hash_ = file->hash;
    return OkStatus();
  }

  // Also finds out whether the results are whole: nothing is written of others.
  Status ReadHead() {
    Result<golden::ResultsHead> head = golden::ForEachResult(
        options_.results, [this](std::string_view, golden::GoldenStatus status) {
          ++run_.counts[static_cast<size_t>(status)];
          ++count_;
          return OkStatus();
        });
    if (!head.ok()) return head.status();
    run_.head = std::move(*head);
    if (manifest_hash_.empty() || manifest_hash_ == run_.head.manifest) return OkStatus();
    return Status(MakeDiagnostic(
        Rule::kGoldenResults002,
        fmt::format("the results are of another manifest than {} is now", options_.manifest)));
  }

  golden::HtmlOptions MakeHtmlOptions() {
    golden::HtmlOptions html;
    if (!options_.store.empty()) html.sources.emplace_back(options_.store);
    for (const std::string& folder : options_.actual)
      html.sources.emplace_back(folder);
    html.keeps_matches = options_.keeps_matches;
    html.tags = std::move(tags_);
    return html;
  }

  Status Write() {
    if (!options_.folder.empty()) {
      Result<golden::HtmlReport> html =
          golden::HtmlReport::Create(options_.folder, MakeHtmlOptions());
      if (!html.ok()) return html.status();
      html_.emplace(std::move(*html));
    }
    DP2TRACE_RETURN_IF_ERROR(outputs_.Begin(run_));
    Progress progress("golden report");
    json::Document document;
    uint64_t done = 0;
    const auto add = [&](std::string_view line, golden::GoldenStatus) {
      Result<golden::TraceResult> result =
          golden::ParseResultLine(document, std::string(line), done + 1);
      if (!result.ok()) return result.status();
      progress.Update(++done, count_);
      DP2TRACE_RETURN_IF_ERROR(outputs_.Add(*result));
      return html_ ? html_->Add(std::move(*result)) : OkStatus();
    };
    if (const Result<golden::ResultsHead> head = golden::ForEachResult(options_.results, add);
        !head.ok())
      return head.status();
    if (html_) DP2TRACE_RETURN_IF_ERROR(html_->Commit(run_.head));
    return outputs_.Finish();
  }

  Status PrintSummary() const {
    if (!html_) return OkStatus();
    return WriteResult(fmt::format("{}/index.html: {}; {}\n", options_.folder,
                                   Describe(run_.counts),
                                   golden::Count(html_->pictures(), "picture")));
  }

  const ReportOptions& options_;
  GoldenOutputs outputs_;
  golden::GoldenRunInfo run_;
  std::string manifest_hash_;
  std::map<std::string, std::string> tags_;
  uint64_t count_ = 0;
  std::optional<golden::HtmlReport> html_;
};

}  // namespace

void AddGoldenReport(CLI::App& golden, ExitCode& code) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = golden.add_subcommand(
      "report",
      "Show what a check found: a page with all pictures that are not as due, and forms for CI");
  command
      ->add_option("RESULTS", options->results,
                   "What golden check or golden merge wrote; of several, all shards of one run")
      ->required();
  command
      ->add_option("-o,--folder", options->folder,
                   "Folder of the page; one that a report has made is replaced")
      ->type_name("DIR");
  command->add_option("--store", options->store, "Folder of the accepted pictures")
      ->type_name("DIR");
  command
      ->add_option("--actual", options->actual,
                   "Folders in which the checks left the pictures (FILE.pictures of each)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      ->add_option("--manifest", options->manifest,
                   "The manifest of the run, for tags and where traces lie")
      ->type_name("FILE");
  command->add_flag("--keep-matches", options->keeps_matches,
                    "Show the pictures that match, too, where the store has them");
  command
      ->add_option(
          "--output", options->outputs,
          "Write a file, too: junit, github (annotations; adds to $GITHUB_STEP_SUMMARY), github-summary (Markdown), gitlab; - is standard output")
      ->type_name("FORMAT=PATH")
      ->allow_extra_args(false);
  AddExample(
      *command,
      "dp2trace golden report results.jsonl -o report --store pictures --output junit=golden.xml");
  command->callback([options, &code] {
    if (options->actual.empty()) {
      for (const std::string& path : options->results)
        options->actual.push_back(path + ".pictures");
    }
    code = ReportRun(*options).Run();
  });
}

}  // namespace dp2trace::app
