// `golden report`: what a check found, as a page for people and in the forms of continuous integration.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/plain_text.h"
#include "console.h"
#include "feature_report.h"
#include "golden/report.h"
#include "golden_outputs.h"
#include "golden_report_options.h"
#include "golden_suite.h"
#include "golden_summary.h"
#include "options.h"
#include "os/path.h"
#include "page_maker.h"
#include "progress.h"
#include "sandbox_option.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

// The pages of --inspect are written by processes that are each in a sandbox of their own: traces lie anywhere. Those of --live hold bytes that
// only the browser reads.
void ConfineTo(const ReportOptions& options, const GoldenOutputs& outputs) {
  if (options.inspects || options.is_live) return;
  const golden::ReportOptions& report = options.report;
  Confinement confinement = {.inputs = report.results, .folders = {}, .files = outputs.Paths()};
  confinement.inputs.insert(confinement.inputs.end(), report.actual.begin(), report.actual.end());
  confinement.inputs.insert(confinement.inputs.end(), report.durations.begin(),
                            report.durations.end());
  confinement.inputs.push_back(report.store);
  confinement.inputs.push_back(report.manifest);
  confinement.files.push_back(report.folder);  // made under another name beside it
  if (!options.features.empty()) {
    confinement.inputs.push_back(FolderOf(report.manifest));
    confinement.files.push_back(options.features);
  }
  Confine(options.is_sandboxed, confinement);
}

ExitCode RunReport(ReportOptions options) {
  if (options.report.folder.empty() && options.outputs.empty() && options.features.empty()) {
    return UsageError("nothing is to be written: -o, --output or --features is missing");
  }
  GoldenOutputs outputs;
  if (!outputs.Parse({"--output", options.outputs, options.is_forced}) ||
      CheckPlaces({options.features}, options.is_forced) != ExitCode::kOk)
    return ExitCode::kUsage;
  ConfineTo(options, outputs);
  std::vector<uint8_t> engine;
  golden::PageMaker maker;
  if (const ExitCode code = ChoosePages(options, engine, maker); code != ExitCode::kOk) return code;
  golden::Report report(options.report);
  if (const Status status = report.ReadManifest(); !status.ok())
    return ReportFailure(options.report.manifest, status);
  golden::InspectPages pages(report.folder(), options.max_inspect, std::move(maker));
  if (options.inspects || options.is_live)
    options.report.inspect = [&pages](const auto&... arguments) { return pages.Add(arguments...); };
  const EarlierOutput earlier(options.report.folder);
  Status status = report.ReadHead();
  if (status.ok()) {
    Progress progress("golden report", "trace");
    FeatureReport writer(outputs, options.features);
    status =
        report.Write(writer, [&](uint64_t done, uint64_t total) { progress.Update(done, total); });
  }
  if (!status.ok()) return ReportFailure("golden report", status);
  earlier.Report();
  if (pages.left_out() != 0) {
    PrintNote(fmt::format("{} without a page: {}; --max-inspect raises the limit",
                          options.is_live ? "traces" : "frames", pages.left_out()));
  }
  if (options.report.folder.empty()) return ExitCode::kOk;
  return ReportOutput(
      WriteResult(fmt::format("{}/index.html: {}; {}\n", Plain(options.report.folder),
                              Describe(report.counts()), Counted(report.pictures(), "picture"))));
}

}  // namespace

void AddGoldenReport(Verb& golden) {
  auto options = std::make_shared<ReportOptions>();
  Verb& command = golden.AddVerb(
      "report",
      "Show what a check found: a page with all pictures that are not as expected, and forms for CI");
  AddReportOptions(command, *options);
  command.TakeConfiguration();
  command.SetExample(
      "dp2trace golden report results.jsonl -o report --store pictures --output junit=golden.xml");
  command.OnRun([options] {
    if (!FindSuite(options->suite, options->report.manifest)) return ExitCode::kUsage;
    if (options->report.actual.empty()) {
      for (const std::string& path : options->report.results)
        options->report.actual.push_back(path + ".pictures");
    }
    return RunReport(*options);
  });
}

}  // namespace dp2trace::app
