#include "import_hex_command.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "console.h"
#include "import/hex/hex_trace.h"
#include "options.h"
#include "trace_file/sink.h"

namespace dp2trace::app {
namespace {

struct ImportHexOptions {
  std::string input;
  std::string output;
  uint64_t max_memory = kDefaultMaxMemory;
};

ExitCode RunImportHex(const ImportHexOptions& options) {
  // Standard output gets JSON, which people read.
  const std::optional<trace_file::Form> form =
      options.output == "-" ? trace_file::Form::kJson : trace_file::FormOfPath(options.output);
  if (!form) return UnknownForm(options.output);
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(options.input, options.max_memory);
  if (!bytes.ok()) return ReportFailure(options.input, bytes.status());
  trace_file::SinkOptions sink_options;
  sink_options.vertices = json::Vertices::kReadable;
  const Result<std::unique_ptr<trace_file::Sink>> sink =
      trace_file::Sink::Create(options.output, *form, sink_options);
  if (!sink.ok()) return ReportFailure(options.output, sink.status());
  Status written;
  const std::string text(bytes->begin(), bytes->end());
  const Status read = import::ReadHexTrace(text, [&](const trace::Event& event) {
    written = (*sink)->Add(event);
    return written;
  });
  if (written.ok() && !read.ok()) return ReportFailure(options.input, read);
  if (written.ok()) written = (*sink)->Finish();
  return written.ok() ? ExitCode::kOk : ReportFailure(options.output, written);
}

}  // namespace

void AddImportHexCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<ImportHexOptions>();
  CLI::App* command = app.add_subcommand(
      "import-hex", "Turn hex dumps out of a debug log (xxd, WinDbg db and dd) into a trace");
  command
      ->add_option("IN", options->input,
                   "Text: lines as \"level 7\", \"target 640x480 X8R8G8B8\", \"fvf "
                   "XYZRHW|DIFFUSE\", \"vertices\" and \"commands\" with dumps below; - is "
                   "standard input")
      ->required();
  command
      ->add_option("OUT", options->output,
                   "Trace to write, .dp2t or .json; - is standard output, as JSON")
      ->required();
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command,
             "dp2trace import-hex log.txt log.dp2t && dp2trace replay log.dp2t -o pictures");
  command->callback([options, &code] { code = RunImportHex(*options); });
}

}  // namespace dp2trace::app
