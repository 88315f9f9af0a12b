#include <memory>
#include <optional>
#include <string>

#include "console.h"
#include "convert_vertices.h"
#include "options.h"
#include "sandbox_option.h"
#include "trace_file/sink.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct ConvertOptions {
  std::string input;
  TraceOutput output;
  std::string blobs = "inline";
  std::string compression = "zstd";
  std::string vertices = "bytes";
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
};

// "-" as output is the form that the input is not.
std::optional<trace_file::Form> OutputForm(const ConvertOptions& options, trace_file::Form input) {
  using trace_file::Form;
  if (options.output.path == "-") return input == Form::kBinary ? Form::kJson : Form::kBinary;
  return trace_file::FormOfPath(options.output.path);
}

trace_file::SinkOptions MakeSinkOptions(const ConvertOptions& options,
                                        const std::optional<ReadableVertices>& vertices) {
  trace_file::SinkOptions sink;
  sink.blobs = options.blobs == "files" ? json::Blobs::kFiles : json::Blobs::kInline;
  if (vertices) {
    sink.vertices = json::Vertices::kReadable;
    sink.words = [&vertices] { return vertices->words(); };
  }
  sink.container.compression =
      options.compression == "none" ? trace::Compression::kNone : trace::Compression::kZstd;
  return sink;
}

// Copies every event; the output appears when at least one could be read.
Status Copy(trace_file::Source& source, trace_file::Sink& sink,
            std::optional<ReadableVertices>& vertices) {
  Status status;
  uint64_t count = 0;
  DP2TRACE_RETURN_IF_ERROR(ForEachEvent(source, "convert", [&](const trace::EventRecord& record) {
    ++count;
    if (vertices) vertices->OnEvent(record);
    status = sink.Add(record);
    return status.ok();
  }));
  return status.ok() && count != 0 ? sink.Finish() : status;
}

ExitCode RunConvert(const ConvertOptions& options) {
  if (CheckOutput(options.output, true) != ExitCode::kOk) return ExitCode::kUsage;
  if (options.output.path == "-" && options.blobs == "files")
    return UsageError("--blobs files needs an output file: the blobs go into a folder beside it");
  Confine(options.is_sandboxed, {.traces = {options.input}, .files = {options.output.path}});
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;
  const std::unique_ptr<trace_file::Source> source =
      OpenTrace(options.input, options.max_memory, findings, code);
  if (source == nullptr) return code;
  const trace_file::Form form = *OutputForm(options, source->form());
  std::optional<ReadableVertices> vertices;
  if (options.vertices == "readable" && form == trace_file::Form::kJson)
    vertices.emplace(options.input, options.max_memory);
  const Result<std::unique_ptr<trace_file::Sink>> sink =
      trace_file::Sink::Create(options.output.path, form, MakeSinkOptions(options, vertices));
  if (!sink.ok()) return ReportFailure(options.output.path, sink.status());
  const Status copied = Copy(*source, **sink, vertices);
  code = ReportReading(options.input, *source, findings);
  if (!source->status().ok()) return code;
  if (const std::string reason = vertices ? vertices->Reason() : ""; !reason.empty())
    PrintNote(reason);
  return copied.ok() ? code : Worse(code, ReportFailure(options.output.path, copied));
}

}  // namespace

void AddConvert(Verb& program) {
  auto options = std::make_shared<ConvertOptions>();
  Verb& command = program.AddVerb(
      "convert", "Convert a trace between the binary container (.dp2t) and JSON (.json)");
  command.Add("IN", options->input, "Trace to read, .dp2t or .json; - is standard input")
      .Required();
  AddTraceOutput(command, options->output,
                 "Trace to write, .dp2t or .json; - is standard output, in the other form");
  command
      .Add("--blobs", options->blobs,
           "Where JSON keeps bulk data: in the text, or in files beside it (inline)")
      .OneOf({"inline", "files"});
  command.Add("--compression", options->compression, "Compression of the container (zstd)")
      .OneOf({"zstd", "none"});
  command
      .Add("--vertices", options->vertices,
           "How JSON has vertices: as bytes, or as numbers by their format (bytes)")
      .OneOf({"bytes", "readable"});
  AddSandboxOption(command, options->is_sandboxed);
  AddMaxMemory(command, options->max_memory);
  command.SetExample("dp2trace convert capture.dp2t capture.json --blobs files");
  command.OnRun([options] { return RunConvert(*options); });
}

}  // namespace dp2trace::app
