#include "import_command.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "console.h"
#include "import/import_files.h"
#include "options.h"
#include "progress.h"
#include "trace_file/form.h"

namespace dp2trace::app {
namespace {

struct ImportCommandOptions {
  std::vector<std::string> names;  // captures and folders of them, then the destination
  std::string transport = "dp2";
  std::string caps;
  uint64_t max_memory = kDefaultMaxMemory;
  uint32_t threads = 1;  // 0: one per processor
};

ExitCode Report(const import::FileImport& file) {
  for (const std::string& note : file.notes)
    PrintNote(note);
  if (file.failure) (void)ReportFailure(file.failure->first, file.failure->second);
  if (!file.error.empty()) PrintError(file.error);
  return file.has_failed() ? ExitCode::kInput : ExitCode::kOk;
}

// Several captures, or a folder of them, into a folder.
ExitCode ImportMany(const ImportCommandOptions& options, const import::FileOptions& file_options,
                    const std::vector<std::string>& inputs) {
  if (!options.caps.empty()) return UsageError("--caps is about one capture");
  std::vector<import::FileImport> files = import::ListCaptures(inputs, options.names.back());
  if (files.empty()) {
    PrintError("no capture (.trace) in " + inputs.front());
    return ExitCode::kInput;
  }
  if (const std::string error = import::MakePlaces(files); !error.empty()) return UsageError(error);
  import::ImportFiles(
      file_options, files,
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency()));
  ExitCode code = ExitCode::kOk;
  for (const import::FileImport& file : files)
    code = Worse(code, Report(file));
  return code;
}

ExitCode RunImport(const ImportCommandOptions& options) {
  if (options.names.size() < 2) return UsageError("import needs a capture and the trace to write");
  const std::string& destination = options.names.back();
  const std::vector<std::string> inputs(options.names.begin(), options.names.end() - 1);
  const import::FileOptions file_options{
      options.transport == "kmt" ? runtime::Transport::kKmt : runtime::Transport::kDp2,
      "dp2trace " DP2TRACE_VERSION " import", options.caps, options.max_memory};
  std::error_code error;
  const bool is_folder =
      std::filesystem::is_directory(destination, error) || destination.ends_with('/');
  const bool is_trace = destination == "-" || trace_file::FormOfPath(destination);
  if (inputs.size() > 1 || is_folder || std::filesystem::is_directory(inputs.front(), error)) {
    if (!is_folder && is_trace)
      return UsageError(destination + " is no folder: several captures need one");
    return ImportMany(options, file_options, inputs);
  }
  if (!is_trace) return UnknownForm(destination);
  import::FileImport file;
  file.input = inputs.front();
  file.output = destination;
  Progress progress("import");
  const auto update = [&progress](uint64_t position) { progress.Update(position, 0); };
  import::ImportFile(file_options, file, update);
  return Report(file);
}

}  // namespace

void AddImportCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<ImportCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "import",
      "Turn apitrace captures of DirectDraw or Direct3D 2 to 9 into the traces that a driver would have seen");
  command
      ->add_option(
          "IN... OUT", options->names,
          "Capture to read, apitrace's .trace, then the trace to write, .dp2t or .json (- is standard output, as container); "
          "or several captures and folders of them, then a folder")
      ->required()
      ->type_name("");
  command
      ->add_option("--transport", options->transport,
                   "What carries the commands: DP2 calls or D3DKMT_RENDER packets (dp2)")
      ->check(OneOf({"dp2", "kmt"}))
      ->type_name("dp2|kmt");
  command
      ->add_option("--caps", options->caps,
                   "File to write what the program was told of the device, for --caps of lint")
      ->type_name("OUT.json");
  command->add_option("-j,--jobs", options->threads, "Captures at a time; 0: one per processor (1)")
      ->type_name("N");
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace import game.trace game.dp2t");
  command->callback([options, &code] { code = RunImport(*options); });
}

}  // namespace dp2trace::app
