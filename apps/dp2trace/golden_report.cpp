// `golden report`: what a check found, as a page for people and in the forms of continuous integration.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "console.h"
#include "golden/report.h"
#include "golden_command.h"
#include "golden_outputs.h"
#include "golden_summary.h"
#include "inspect_pages.h"
#include "options.h"
#include "progress.h"
#include "sandbox_option.h"

namespace dp2trace::app {
namespace {

struct ReportVerb {
  golden::ReportOptions report;
  std::vector<std::string> outputs;
  bool inspects = false;
  uint64_t max_inspect = 20;
  bool is_sandboxed = true;
};

ExitCode RunReport(ReportVerb options) {
  if (options.report.folder.empty() && options.outputs.empty()) {
    return UsageError("nothing is to be written: -o or --output is missing");
  }
  GoldenOutputs outputs;
  if (!outputs.Parse(options.outputs)) return ExitCode::kUsage;
  golden::Report report(options.report);
  if (const Status status = report.ReadTheManifest(); !status.ok())
    return ReportFailure(options.report.manifest, status);
  InspectPages pages(report.folder(), options.max_inspect, options.is_sandboxed);
  if (options.inspects)
    options.report.inspect = [&pages](const auto&... arguments) { return pages.Add(arguments...); };
  Status status = report.ReadHead();
  if (status.ok()) {
    Progress progress("golden report");
    status =
        report.Write(outputs, [&](uint64_t done, uint64_t total) { progress.Update(done, total); });
  }
  if (!status.ok()) return ReportFailure("golden report", status);
  pages.Report();
  if (options.report.folder.empty()) return ExitCode::kOk;
  return ReportOutput(WriteResult(fmt::format("{}/index.html: {}; {}\n", options.report.folder,
                                              Describe(report.counts()),
                                              golden::Count(report.pictures(), "picture"))));
}

// "junit, github (annotations)"
std::string FormsInWords() {
  std::string words;
  for (const golden::GoldenForm& form : golden::GoldenForms()) {
    words += fmt::format("{}{}", words.empty() ? "" : ", ", form.name);
    if (!form.remark.empty()) words += fmt::format(" ({})", form.remark);
  }
  return words;
}

}  // namespace

void AddGoldenReport(CLI::App& golden, ExitCode& code) {
  auto options = std::make_shared<ReportVerb>();
  CLI::App* command = golden.add_subcommand(
      "report",
      "Show what a check found: a page with all pictures that are not as due, and forms for CI");
  command
      ->add_option("RESULTS", options->report.results,
                   "What golden check or golden merge wrote; of several, all shards of one run")
      ->required();
  command
      ->add_option("-o,--folder", options->report.folder,
                   "Folder of the page; one that a report has made is replaced")
      ->type_name("DIR");
  command->add_option("--store", options->report.store, "Folder of the accepted pictures")
      ->type_name("DIR");
  command
      ->add_option("--actual", options->report.actual,
                   "Folders in which the checks left the pictures (FILE.pictures of each)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  command
      ->add_option("--manifest", options->report.manifest,
                   "The manifest of the run, for tags and where traces lie")
      ->type_name("FILE");
  command->add_flag("--keep-matches", options->report.keeps_matches,
                    "Show the pictures that match, too, where the store has them");
  command->add_flag(
      "--inspect", options->inspects,
      "For each picture that differs, a page on which one sees its frame being drawn");
  command->add_option("--max-inspect", options->max_inspect, "Most pages of --inspect (20)")
      ->type_name("N");
  AddSandboxOption(*command, options->is_sandboxed);
  command
      ->add_option("--output", options->outputs,
                   "Write a file, too: " + FormsInWords() + "; - is standard output")
      ->type_name("FORMAT=PATH")
      ->allow_extra_args(false);
  AddExample(
      *command,
      "dp2trace golden report results.jsonl -o report --store pictures --output junit=golden.xml");
  command->callback([options, &code] {
    if (options->report.actual.empty()) {
      for (const std::string& path : options->report.results)
        options->report.actual.push_back(path + ".pictures");
    }
    code = RunReport(*options);
  });
}

}  // namespace dp2trace::app
