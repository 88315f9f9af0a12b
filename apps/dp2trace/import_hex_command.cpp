#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "console.h"
#include "import/hex/hex_trace.h"
#include "import/limits.h"
#include "limit_options.h"
#include "options.h"
#include "sandbox_option.h"
#include "trace_file/sink.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct ImportHexOptions {
  std::string input;
  std::string output;
  std::string prefix;  // of the lines of the log
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  std::optional<uint64_t> max_steps;
};

ExitCode RunImportHex(const ImportHexOptions& options) {
  // Standard output gets JSON, which people read.
  const std::optional<trace_file::Form> form =
      options.output == "-" ? trace_file::Form::kJson : trace_file::FormOfPath(options.output);
  if (!form) return UnknownForm(options.output);
  Confine(options.is_sandboxed, {.inputs = {options.input}, .files = {options.output}});
  // Lines take many times what they are as text, which is there twice for a while.
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(options.input, options.max_memory / 4);
  if (!bytes.ok()) return ReportFailure(options.input, bytes.status());
  trace_file::SinkOptions sink_options;
  sink_options.vertices = json::Vertices::kReadable;
  const Result<std::unique_ptr<trace_file::Sink>> sink =
      trace_file::Sink::Create(options.output, *form, sink_options);
  if (!sink.ok()) return ReportFailure(options.output, sink.status());
  Status written;
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const auto allowance = import::MakeAllowance(
      options.max_memory - std::min<uint64_t>(bytes->size(), options.max_memory), options.max_steps,
      bytes->size());
  uint64_t before = 0;
  const auto add = [&](const trace::Event& event) {
    written = (*sink)->Add(event);
    const uint64_t now = (*sink)->written();
    (void)allowance->Spend((now - before) * import::kOutputSteps);
    before = now;
    return written;
  };
  const Status read = import::ReadHexTrace(text, add, allowance, options.prefix);
  if (written.ok() && !read.ok()) return ReportFailure(options.input, read);
  if (written.ok()) written = (*sink)->Finish();
  return written.ok() ? ExitCode::kOk : ReportFailure(options.output, written);
}

}  // namespace

void AddImportHex(Verb& program) {
  auto options = std::make_shared<ImportHexOptions>();
  Verb& command = program.AddVerb(
      "import-hex", "Turn hex dumps out of a debug log (xxd, WinDbg db and dd) into a trace");
  command
      .Add("IN", options->input,
           "Text: lines as \"level 7\", \"target 640x480 X8R8G8B8\", \"fvf "
           "XYZRHW|DIFFUSE\", \"vertices\" and \"commands\" with dumps below; - is "
           "standard input")
      .Required();
  command
      .Add("OUT", options->output, "Trace to write, .dp2t or .json; - is standard output, as JSON")
      .Required();
  command
      .Add("--prefix", options->prefix,
           "Regular expression of what stands in front of the lines, where it is not known "
           "(times, priorities, words with a colon)")
      .Value("REGEX");
  AddSandboxOption(command, options->is_sandboxed);
  AddImportLimits(command, options->max_memory, options->max_steps);
  command.SetExample(
      "dp2trace import-hex log.txt log.dp2t && dp2trace replay log.dp2t -o pictures");
  command.OnRun([options] { return RunImportHex(*options); });
}

}  // namespace dp2trace::app
