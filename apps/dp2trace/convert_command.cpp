#include "convert_command.h"

#include <memory>
#include <optional>
#include <string>

#include "console.h"
#include "options.h"
#include "trace_file/sink.h"
#include "work.h"

namespace dp2trace::app {
namespace {

struct ConvertOptions {
  std::string input;
  std::string output;
  std::string blobs = "inline";
  std::string compression = "zstd";
  std::string vertices = "bytes";
  uint64_t max_memory = kDefaultMaxMemory;
};

// "-" as output is the form that the input is not.
std::optional<trace_file::Form> OutputForm(const ConvertOptions& options, trace_file::Form input) {
  using trace_file::Form;
  if (options.output == "-") return input == Form::kBinary ? Form::kJson : Form::kBinary;
  return trace_file::FormOfPath(options.output);
}

trace_file::SinkOptions MakeSinkOptions(const ConvertOptions& options) {
  trace_file::SinkOptions sink;
  sink.blobs = options.blobs == "files" ? json::Blobs::kFiles : json::Blobs::kInline;
  if (options.vertices == "readable") sink.vertices = json::Vertices::kReadable;
  sink.container.compression =
      options.compression == "none" ? trace::Compression::kNone : trace::Compression::kZstd;
  return sink;
}

// Copies every event; the output appears when at least one could be read.
Status Copy(trace_file::Source& source, trace_file::Sink& sink) {
  Status status;
  uint64_t count = 0;
  ForEachEvent(source, "convert", [&](const trace::EventRecord& record) {
    ++count;
    status = sink.Add(record);
    return status.ok();
  });
  return status.ok() && count != 0 ? sink.Finish() : status;
}

ExitCode RunConvert(const ConvertOptions& options) {
  if (options.output != "-" && !trace_file::FormOfPath(options.output))
    return UnknownForm(options.output);
  if (options.output == "-" && options.blobs == "files")
    return UsageError("--blobs files needs an output file to stand beside");
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;
  const std::unique_ptr<trace_file::Source> source =
      OpenTrace(options.input, options.max_memory, findings, code);
  if (source == nullptr) return code;
  const Result<std::unique_ptr<trace_file::Sink>> sink = trace_file::Sink::Create(
      options.output, *OutputForm(options, source->form()), MakeSinkOptions(options));
  if (!sink.ok()) return ReportFailure(options.output, sink.status());
  const Status copied = Copy(*source, **sink);
  code = ReportReading(options.input, *source, findings);
  return copied.ok() ? code : Worse(code, ReportFailure(options.output, copied));
}

}  // namespace

void AddConvertCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand(
      "convert", "Convert a trace between the binary container (.dp2t) and JSON (.json)");
  command->add_option("IN", options->input, "Trace to read, .dp2t or .json; - is standard input")
      ->required();
  command
      ->add_option("OUT", options->output,
                   "Trace to write, .dp2t or .json; - is standard output, in the other form")
      ->required();
  command
      ->add_option("--blobs", options->blobs,
                   "Where JSON keeps bulk data: in the text, or in files beside it (inline)")
      ->check(OneOf({"inline", "files"}))
      ->type_name("inline|files");
  command->add_option("--compression", options->compression, "Of the container's chunks (zstd)")
      ->check(OneOf({"zstd", "none"}))
      ->type_name("zstd|none");
  command
      ->add_option("--vertices", options->vertices,
                   "How JSON has vertices: as bytes, or as numbers by their format (bytes)")
      ->check(OneOf({"bytes", "readable"}))
      ->type_name("bytes|readable");
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace convert capture.dp2t capture.json --blobs files");
  command->callback([options, &code] { code = RunConvert(*options); });
}

}  // namespace dp2trace::app
