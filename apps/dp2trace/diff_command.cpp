#include "diff_command.h"

#include <memory>
#include <string>

#include "console.h"
#include "edit/diff.h"
#include "options.h"
#include "trace_file/source.h"
#include "work.h"

namespace dp2trace::app {
namespace {

struct DiffCommand {
  std::string a, b;
  uint64_t most = 1000;
  bool json = false;
  uint64_t max_memory = kDefaultMaxMemory;
};

// The first pass, which reports what is wrong with the file. Null sources are failures that have been reported.
ExitCode ReadSide(const std::string& path, uint64_t max_memory, edit::DiffSide& side) {
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;
  const auto source = trace_file::WithResults(OpenTrace(path, max_memory, findings, code));
  if (source == nullptr) return code;
  side.objects = edit::FindObjects(*source, ForEachEvent);
  side.open = [path, max_memory] {
    static DiagnosticList reading;  // has been reported
    trace_file::OpenError error;
    return trace_file::WithResults(trace_file::Source::Open(path, max_memory, reading, error));
  };
  return ReportReading(path, *source, findings);
}

ExitCode RunDiff(const DiffCommand& options) {
  if (options.a == "-" || options.b == "-") {
    return UsageError("standard input can be read only once");
  }
  edit::DiffSide a;
  edit::DiffSide b;
  ExitCode code = ReadSide(options.a, options.max_memory, a);
  code = Worse(code, ReadSide(options.b, options.max_memory, b));
  if (!a.open || !b.open) return code;
  const Result<edit::DiffResult> result = edit::Diff(a, b, {.most = options.most}, ForEachEvent);
  if (!result.ok()) return Worse(code, ReportFailure(options.a, result.status()));
  const Status written =
      WriteResult(options.json ? edit::DiffJson(*result) : edit::DiffText(*result));
  if (!written.ok()) return Worse(code, ReportFailure("-", written));
  return result->is_equal() ? code : Worse(code, ExitCode::kFindings);
}

}  // namespace

void AddDiffCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<DiffCommand>();
  CLI::App* command = app.add_subcommand(
      "diff", "Say what two traces do differently: events and tokens, whatever their handles are");
  command->add_option("A", options->a, "Trace to read, .dp2t or .json")->required();
  command->add_option("B", options->b, "Trace to read, .dp2t or .json")->required();
  command->add_option("--most", options->most, "Differences to show; all are counted (1000)")
      ->type_name("N");
  AddFormat(*command, options->json);
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace diff before.dp2t after.dp2t");
  command->callback([options, &code] { code = RunDiff(*options); });
}

}  // namespace dp2trace::app
