#include <memory>
#include <string>

#include "console.h"
#include "options.h"
#include "rule_options.h"
#include "sandbox_option.h"
#include "validate/findings.h"
#include "verbs.h"
#include "verify/report.h"
#include "verify/verifier.h"
#include "verify_options.h"
#include "work.h"

namespace dp2trace::app {
namespace {

// Replays the trace again for the draw after the first picture that differs. Standard input cannot be read again.
bool FindCause(const VerifyOptions& options, verify::PictureResult& picture) {
  if (options.trace == "-") return false;
  verify::CauseFinder finder(options.verify, picture);
  Status status;
  ExitCode code = ExitCode::kOk;
  const bool is_played = PlayTrace({options.trace, options.max_memory, "find the draw", false},
                                   finder.player(), status, code);
  picture.cause = finder.draw();
  return is_played && finder.player().is_done();
}

ExitCode Report(const VerifyOptions& options, verify::Verifier& verifier,
                const trace_file::Source& source, const DiagnosticList& findings) {
  verify::Report report;
  verify::PictureResult* const first = verifier.first_different();
  report.has_cause = first != nullptr && FindCause(options, *first);
  report.trace = options.trace;
  report.tool = "dp2trace " DP2TRACE_VERSION;
  report.is_complete = !source.is_incomplete();
  report.tolerance = options.verify.tolerance;
  report.statistics = verifier.statistics();
  report.leaks = verifier.leaks();
  report.pictures = verifier.pictures();
  const Status written = WriteResult(options.json ? verify::ReportJson(report, findings)
                                                  : verify::ReportText(report, findings));
  const ExitCode code = Worse(report.is_complete ? ExitCode::kOk : ExitCode::kInput,
                              written.ok() ? ExitCode::kOk : ReportFailure("-", written));
  return HasFailed(options.fail_on, findings) ? Worse(code, ExitCode::kFindings) : code;
}

ExitCode RunVerify(VerifyOptions options) {
  play::RunnerOptions& validation = options.verify.replay.validation;
  ExitCode code = ApplyRuleOptions(options.rules, validation);
  if (code != ExitCode::kOk) return code;
  Confine(options.is_sandboxed, {.traces = {options.trace}, .folders = {options.output}});
  DiagnosticList reading;
  const auto source =
      trace_file::WithResults(OpenTrace(options.trace, options.max_memory, reading, code));
  if (source == nullptr) return code;
  verify::PairFolder differing(options.output);
  if (!options.output.empty()) {
    options.verify.on_difference = [&](uint64_t sequence, const verify::PicturePair& pair) {
      return differing.Write(sequence, pair);
    };
  }
  DiagnosticList findings;
  verify::Verifier verifier(options.verify, findings);
  Status status;
  const auto collect = [&](const auto& work) {
    validate::DrainWeighed(reading, validation.rules, findings);
    if (status.ok()) status = trace_file::Placed(*source, findings, work);
  };
  const Status read = ForEachEvent(*source, "verify", [&](const trace::EventRecord& record) {
    collect([&] { return verifier.OnEvent(record.number, record.event); });
    return status.ok();
  });
  if (!read.ok()) return ReportFailure(options.trace, read);
  collect([&] { return verifier.Finish(); });
  if (!status.ok()) return ReportFailure(options.trace, status);
  return Report(options, verifier, *source, findings);
}

}  // namespace

void AddVerify(Verb& program) {
  auto options = std::make_shared<VerifyOptions>();
  Verb& command = program.AddVerb(
      "verify",
      "Say whether a recording is sound, and whether its pictures are those of the replay");
  AddVerifyOptions(command, *options);
  command.SetExample("dp2trace verify driver.dp2t --tolerance 2 -o difference");
  command.OnRun([options] { return RunVerify(*options); });
}

}  // namespace dp2trace::app
