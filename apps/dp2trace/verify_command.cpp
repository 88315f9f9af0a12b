#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/in_order.h"
#include "console.h"
#include "finding_outputs.h"
#include "options.h"
#include "os/path.h"
#include "progress.h"
#include "rule_options.h"
#include "sandbox_option.h"
#include "trace_reading.h"
#include "verbs.h"
#include "verify/verify_run.h"
#include "verify_options.h"
#include "verify_reports.h"

namespace dp2trace::app {
namespace {

ExitCode VerifyAll(const VerifyOptions& options, const std::vector<std::string>& traces,
                   const std::vector<std::string>& folders, FindingOutputs& outputs) {
  TraceProgress progress("verify");
  verify::VerifyJob job;
  job.options = options.verify;
  job.max_memory = options.max_memory;
  const bool is_alone = options.jobs <= 1 || traces.size() <= 1;
  if (is_alone) {
    job.progress = [&](const std::string& path, uint64_t done, uint64_t total) {
      progress.Update(path, done, total);
    };
  } else if (job.options.replay.raster.threads == 0) {
    job.options.replay.raster.threads = 1;  // the traces share the processors
  }
  VerifyReports reports(options, traces.size(), outputs);
  Status status = outputs.Open({.version = DP2TRACE_VERSION, .fail_on = options.fail_on});
  const auto verify = [&](size_t i) {
    verify::VerifyJob own = job;
    own.pictures = folders[i];
    return verify::VerifyFile(traces[i], std::move(own));
  };
  const auto print = [&](verify::VerifyResult result) {
    progress.Stop();
    status = reports.Add(std::move(result));
    return status.ok();
  };
  if (status.ok()) InOrder(traces.size(), options.jobs, verify, print);
  if (status.ok()) status = reports.Finish();
  return Worse(reports.code(), ReportOutput(status));
}

// What an earlier run has left in the folders.
std::vector<std::string> PicturesIn(const std::vector<std::string>& folders) {
  std::vector<std::string> pictures;
  for (const std::string& folder : folders) {
    std::error_code error;  // a folder that is not there has none
    for (const auto& entry : std::filesystem::directory_iterator(ToPath(folder), error)) {
      if (ToText(entry.path().filename()).starts_with("picture-"))
        pictures.push_back(ToText(entry.path()));
    }
  }
  std::ranges::sort(pictures);
  return pictures;
}

ExitCode RunVerify(VerifyOptions options) {
  FindingOutputs outputs;
  if (!outputs.Parse("", {"--report", options.reports, options.is_forced})) return ExitCode::kUsage;
  ExitCode code = ApplyRuleOptions(options.rules, options.verify.replay.validation);
  if (code != ExitCode::kOk) return code;
  const std::vector<std::string> traces = ExpandTraces(options.traces).paths;
  const Result<std::vector<std::string>> folders = verify::PictureFolders(traces, options.output);
  if (!folders.ok()) return UsageError(folders.status().diagnostic().message);
  if (CheckPlaces(PicturesIn(*folders), options.is_forced) != ExitCode::kOk)
    return ExitCode::kUsage;
  Confine(options.is_sandboxed,
          {.traces = traces, .folders = {options.output}, .files = outputs.Paths()});
  code = VerifyAll(options, traces, *folders, outputs);
  return traces.empty() ? Worse(code, ExitCode::kNothingToDo) : code;
}

}  // namespace

void AddVerify(Verb& program) {
  auto options = std::make_shared<VerifyOptions>();
  Verb& command = program.AddVerb(
      "verify",
      "Check that recordings are sound, and that their pictures equal those of the replay");
  AddVerifyOptions(command, *options);
  command.SetExample("dp2trace verify driver.dp2t --tolerance 2 -o difference");
  command.OnRun([options] { return RunVerify(*options); });
}

}  // namespace dp2trace::app
