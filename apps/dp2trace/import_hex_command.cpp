#include <memory>
#include <optional>
#include <string>

#include "console.h"
#include "import/import_files.h"
#include "limit_options.h"
#include "options.h"
#include "sandbox_option.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct ImportHexOptions {
  std::string input;
  TraceOutput output;
  std::string prefix;  // of the lines of the log
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  std::optional<uint64_t> max_steps;
};

ExitCode RunImportHex(const ImportHexOptions& options) {
  if (CheckOutput(options.output, true) != ExitCode::kOk) return ExitCode::kUsage;
  Confine(options.is_sandboxed, {.inputs = {options.input}, .files = {options.output.path}});
  import::FileImport file{.input = options.input, .output = options.output.path};
  import::ImportHexFile({.generator = {},
                         .caps = {},
                         .max_memory = options.max_memory,
                         .max_steps = options.max_steps},
                        options.prefix, file, {});
  return file.failure ? ReportFailure(file.failure->first, file.failure->second) : ExitCode::kOk;
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
  AddTraceOutput(command, options->output,
                 "Trace to write, .dp2t or .json; - is standard output, as JSON");
  command
      .Add("--prefix", options->prefix,
           "Regular expression of the prefix of the lines, where it is not a known one "
           "(times, priorities, words with a colon)")
      .Value("REGEX");
  AddSandboxOption(command, options->is_sandboxed);
  AddImportLimits(command, options->max_memory, options->max_steps);
  command.SetExample(
      "dp2trace import-hex log.txt log.dp2t && dp2trace replay log.dp2t -o pictures");
  command.OnRun([options] { return RunImportHex(*options); });
}

}  // namespace dp2trace::app
