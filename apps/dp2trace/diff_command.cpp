#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "console.h"
#include "diff/diff.h"
#include "options.h"
#include "sandbox_option.h"
#include "trace_file/source.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct DiffOptions {
  std::string a, b;
  uint64_t most = 1000;
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
};

// The first pass, which reports what is wrong with the file. A side that cannot be opened is a failure that has been reported.
ExitCode ReadSide(const std::string& path, uint64_t max_memory, DiagnosticList& findings,
                  diff::DiffSide& side) {
  ExitCode code = ExitCode::kOk;
  const auto source = trace_file::WithResults(OpenTrace(path, max_memory, findings, code));
  if (source == nullptr) return code;
  const Status found = diff::FindObjects(*source, ForEachEvent, side);
  code = ReportReading(path, *source, findings);
  if (!found.ok()) return code;
  side.open = [path, max_memory, &findings] {
    return trace_file::WithResults(trace_file::OpenAgain(path, max_memory, findings));
  };
  return code;
}

ExitCode RunDiff(const DiffOptions& options) {
  if (options.a == "-" || options.b == "-") {
    return UsageError("standard input can be read only once");
  }
  Confine(options.is_sandboxed, {.traces = {options.a, options.b}});
  diff::DiffSide a;
  diff::DiffSide b;
  DiagnosticList findings_a;
  DiagnosticList findings_b;
  ExitCode code = ReadSide(options.a, options.max_memory, findings_a, a);
  code = Worse(code, ReadSide(options.b, options.max_memory, findings_b, b));
  if (!a.open || !b.open) return code;
  const Result<diff::DiffResult> result = diff::Diff(a, b, {.most = options.most}, ForEachEvent);
  if (!result.ok()) return Worse(code, ReportFailure(options.a, result.status()));
  const Status written = WriteResult(options.json ? diff::DiffJson(options.a, options.b, *result)
                                                  : diff::DiffText(*result));
  if (!written.ok()) return Worse(code, ReportFailure("-", written));
  return result->is_equal() ? code : Worse(code, ExitCode::kFindings);
}

}  // namespace

void AddDiff(Verb& program) {
  auto options = std::make_shared<DiffOptions>();
  Verb& command = program.AddVerb(
      "diff", "List what two traces do differently: events and tokens, whatever their handles are");
  command.Add("A", options->a, "Trace to read, .dp2t or .json").Required();
  command.Add("B", options->b, "Trace to read, .dp2t or .json").Required();
  command.Add("--most", options->most, "Differences to show; all are counted (1000)").Value("N");
  AddFormat(command, options->json);
  AddSandboxOption(command, options->is_sandboxed);
  AddMaxMemory(command, options->max_memory);
  command.SetExample("dp2trace diff before.dp2t after.dp2t");
  command.OnRun([options] { return RunDiff(*options); });
}

}  // namespace dp2trace::app
