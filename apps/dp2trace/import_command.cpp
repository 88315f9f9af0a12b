#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "console.h"
#include "import/import_files.h"
#include "limit_options.h"
#include "options.h"
#include "os/path.h"
#include "progress.h"
#include "sandbox_option.h"
#include "trace_file/form.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct ImportOptions {
  std::vector<std::string> inputs;  // captures and folders of them
  TraceOutput output;               // a trace, or a folder for several
  std::string transport = "dp2";
  std::string caps;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  std::optional<uint64_t> max_steps;
  uint32_t threads = 1;
};

ExitCode Report(const import::FileImport& file) {
  for (const std::string& note : file.notes)
    PrintNote(note);
  if (!file.summary.empty()) PrintNote(file.summary);
  if (file.failure) (void)ReportFailure(file.failure->first, file.failure->second);
  if (!file.error.empty()) PrintError(file.error);
  return file.has_failed() ? ExitCode::kInput : ExitCode::kOk;
}

// Several captures, or a folder of them, into a folder.
ExitCode ImportMany(const ImportOptions& options, const import::FileOptions& file_options) {
  if (!options.caps.empty()) return UsageError("--caps is about one capture");
  std::vector<import::FileImport> files = import::ListCaptures(options.inputs, options.output.path);
  Confinement confinement = {.folders = {options.output.path}};  // links lead to captures anywhere
  std::vector<std::string> outputs;
  for (const import::FileImport& file : files) {
    confinement.inputs.push_back(file.input);
    outputs.push_back(file.output);
  }
  Confine(options.is_sandboxed, confinement);
  if (files.empty()) {
    PrintError("no capture (.trace) in " + options.inputs.front());
    return ExitCode::kInput;
  }
  ExitCode code = CheckPlaces(outputs, options.output.is_forced);
  if (code != ExitCode::kOk) return code;
  if (const std::string error = import::MakePlaces(files); !error.empty()) return UsageError(error);
  import::ImportFiles(file_options, files, options.threads);
  for (const import::FileImport& file : files)
    code = Worse(code, Report(file));
  return code;
}

ExitCode RunImport(const ImportOptions& options) {
  const std::string& destination = options.output.path;
  const import::FileOptions file_options{
      options.transport == "kmt" ? runtime::Transport::kKmt : runtime::Transport::kDp2,
      "dp2trace " DP2TRACE_VERSION " import", options.caps, options.max_memory, options.max_steps};
  std::error_code error;
  const bool is_folder =
      std::filesystem::is_directory(ToPath(destination), error) || EndsInSlash(destination);
  if (options.inputs.size() > 1 || is_folder ||
      std::filesystem::is_directory(ToPath(options.inputs.front()), error)) {
    if (!is_folder && (destination == "-" || trace_file::FormOfPath(destination)))
      return UsageError(destination + " is not a folder: several captures need one");
    return ImportMany(options, file_options);
  }
  if (CheckOutput(options.output, true) != ExitCode::kOk ||
      CheckPlaces({options.caps}, options.output.is_forced) != ExitCode::kOk)
    return ExitCode::kUsage;
  Confine(options.is_sandboxed, {.inputs = options.inputs, .files = {destination, options.caps}});
  import::FileImport file{.input = options.inputs.front(), .output = destination};
  Progress progress("import");
  const auto update = [&progress](uint64_t done) { return progress.Update(done); };
  import::ImportFile(file_options, file, update);
  return Report(file);
}

}  // namespace

void AddImport(Verb& program) {
  auto options = std::make_shared<ImportOptions>();
  Verb& command = program.AddVerb(
      "import",
      "Turn apitrace captures of DirectDraw or Direct3D 2 to 9 into the traces that a driver would have seen");
  command
      .Add("IN", options->inputs,
           "Capture to read, apitrace's .trace; several, and folders of them, go into a folder")
      .Required();
  AddTraceOutput(
      command, options->output,
      "Trace to write, .dp2t or .json; - is standard output, as container; a folder for several captures");
  command
      .Add("--transport", options->transport,
           "What carries the commands: DP2 calls or D3DKMT_RENDER packets (dp2)")
      .OneOf({"dp2", "kmt"});
  command
      .Add("--caps", options->caps,
           "File for the capabilities that the program saw, for --caps of lint")
      .Value("OUT.json");
  AddJobs(command, options->threads);
  AddSandboxOption(command, options->is_sandboxed);
  AddImportLimits(command, options->max_memory, options->max_steps);
  command.SetExample("dp2trace import game.trace game.dp2t");
  command.OnRun([options] { return RunImport(*options); });
}

}  // namespace dp2trace::app
