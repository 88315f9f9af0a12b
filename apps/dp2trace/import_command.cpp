#include "import_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/file.h"
#include "console.h"
#include "import/importer.h"
#include "json/writer.h"
#include "options.h"
#include "progress.h"
#include "trace/writer.h"
#include "trace_source.h"

namespace dp2trace::app {
namespace {

struct ImportCommandOptions {
  std::string input;
  std::string output;
  std::string transport = "dp2";
  uint64_t max_memory = kDefaultMaxMemory;
};

// Writes the events of a recording in one of the two forms of a trace.
class FileSink : public runtime::EventSink {
 public:
  virtual Status Finish() = 0;
};

class BinaryFileSink final : public FileSink {
 public:
  explicit BinaryFileSink(OutputFile& file) : writer_(file, {.level = kCompressionLevel}) {}
  Status OnEvent(const trace::Event& event) override { return writer_.Add(event); }
  Status Finish() override { return writer_.Finish(); }

 private:
  // Of zstd: half of the time of an import goes into compression, and captures full of data gain little by more.
  static constexpr int kCompressionLevel = 1;
  trace::Writer writer_;
};

class JsonFileSink final : public FileSink {
 public:
  JsonFileSink(OutputFile& file, const std::string& path)
      : writer_([&file](std::string_view text) { return file.Write(text); },
                json::WriterOptions{json::Blobs::kInline, path}) {}
  Status OnEvent(const trace::Event& event) override { return writer_.Write(event); }
  Status Finish() override { return writer_.Finish(); }

 private:
  json::Writer writer_;
};

ExitCode RunImport(const ImportCommandOptions& options) {
  const std::optional<TraceForm> form =
      options.output == "-" ? TraceForm::kBinary : FormOfPath(options.output);
  if (!form) {
    PrintError("cannot tell the form of " + options.output +
               ": the name of a trace ends in .dp2t or .json");
    return ExitCode::kUsage;
  }
  Result<import::CallParser> parser = import::CallParser::Open(options.input, options.max_memory);
  if (!parser.ok()) return ReportFailure(options.input, parser.status());
  Result<OutputFile> file = OutputFile::Create(options.output);
  if (!file.ok()) return ReportFailure(options.output, file.status());
  std::unique_ptr<FileSink> sink;
  if (*form == TraceForm::kJson) {
    sink = std::make_unique<JsonFileSink>(*file, options.output);
  } else {
    sink = std::make_unique<BinaryFileSink>(*file);
  }

  import::ImportOptions import_options;
  import_options.transport =
      options.transport == "kmt" ? runtime::Transport::kKmt : runtime::Transport::kDp2;
  import_options.generator = "dp2trace " DP2TRACE_VERSION " import";
  import_options.source = std::filesystem::path(options.input).filename().string();
  import_options.max_memory = options.max_memory;
  Progress progress("import");
  const Result<import::ImportReport> report =
      import::Import(*parser, *sink, import_options,
                     [&progress](uint64_t position) { progress.Update(position, 0); });
  Status status = report.ok() ? sink->Finish() : report.status();
  if (status.ok()) status = file->Commit();
  if (!status.ok()) return ReportFailure(options.output, status);

  for (const import::DroppedCalls& calls : report->dropped) {
    PrintNote(fmt::format("{}: {}, {} calls: {}", options.input, calls.function, calls.count,
                          calls.effect));
  }
  if (report->lost_copies != 0) {
    PrintNote(fmt::format("{}: {} writes into memory that no lock of the capture holds are lost",
                          options.input, report->lost_copies));
  }
  if (parser->error().empty()) return ExitCode::kOk;
  PrintError(fmt::format("{}: the capture is not whole, {} calls were imported: {}", options.input,
                         report->calls, parser->error()));
  return ExitCode::kInput;
}

}  // namespace

void AddImportCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<ImportCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "import",
      "Turn an apitrace capture of Direct3D 7, 8 or 9 into the trace that a driver would have seen");
  command->add_option("IN", options->input, "Capture to read, apitrace's .trace")->required();
  command
      ->add_option("OUT", options->output,
                   "Trace to write, .dp2t or .json; - is standard output, as container")
      ->required();
  command
      ->add_option("--transport", options->transport,
                   "What carries the commands: DP2 calls or D3DKMT_RENDER packets (dp2)")
      ->check(OneOf({"dp2", "kmt"}))
      ->type_name("dp2|kmt");
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace import game.trace game.dp2t");
  command->callback([options, &code] { code = RunImport(*options); });
}

}  // namespace dp2trace::app
