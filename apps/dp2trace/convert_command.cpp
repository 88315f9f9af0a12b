#include "convert_command.h"

#include <sys/stat.h>

#include <functional>
#include <memory>
#include <string>

#include "base/file.h"
#include "console.h"
#include "json/writer.h"
#include "options.h"
#include "rules/rule.h"
#include "trace/writer.h"
#include "work.h"

namespace dp2trace::app {
namespace {

struct ConvertOptions {
  std::string input;
  std::string output;
  std::string blobs = "inline";
  std::string compression = "zstd";
  uint64_t max_memory = kDefaultMaxMemory;
};

// Writes the events of a trace in one of the two forms.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual Status Add(const trace::EventRecord& record) = 0;
  virtual Status Finish() = 0;
};

class BinarySink final : public TraceSink {
 public:
  BinarySink(OutputFile& file, const trace::WriterOptions& options) : writer_(file, options) {}
  // The bytes of the event as they are, so that what this version does not understand survives.
  Status Add(const trace::EventRecord& record) override {
    return writer_.AddRaw(record.kind, record.flags, record.payload);
  }
  Status Finish() override { return writer_.Finish(); }

 private:
  trace::Writer writer_;
};

class JsonSink final : public TraceSink {
 public:
  JsonSink(OutputFile& file, const json::WriterOptions& options)
      : writer_([&file](std::string_view text) { return file.Write(text); }, options) {}
  Status Add(const trace::EventRecord& record) override { return writer_.Write(record.event); }
  Status Finish() override { return writer_.Finish(); }

 private:
  json::Writer writer_;
};

// "-" as output is the form that the input is not.
std::optional<TraceForm> OutputForm(const ConvertOptions& options, TraceForm input) {
  if (options.output == "-")
    return input == TraceForm::kBinary ? TraceForm::kJson : TraceForm::kBinary;
  return FormOfPath(options.output);
}

std::unique_ptr<TraceSink> MakeSink(const ConvertOptions& options, TraceForm form,
                                    OutputFile& file) {
  if (form == TraceForm::kJson) {
    const json::Blobs blobs = options.blobs == "files" ? json::Blobs::kFiles : json::Blobs::kInline;
    return std::make_unique<JsonSink>(file, json::WriterOptions{blobs, options.output});
  }
  trace::WriterOptions writer_options;
  writer_options.compression =
      options.compression == "none" ? trace::Compression::kNone : trace::Compression::kZstd;
  return std::make_unique<BinarySink>(file, writer_options);
}

bool IsDirectory(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

ExitCode UsageError(std::string_view message) {
  PrintError(message);
  return ExitCode::kUsage;
}

// Copies every event; the output appears when at least one could be read.
Status Copy(TraceSource& source, TraceSink& sink, OutputFile& file) {
  Status status;
  uint64_t count = 0;
  ForEachEvent(source, "convert", [&](const trace::EventRecord& record) {
    ++count;
    status = sink.Add(record);
    return status.ok();
  });
  if (!status.ok() || count == 0) return status;
  DP2TRACE_RETURN_IF_ERROR(sink.Finish());
  return file.Commit();
}

ExitCode RunConvert(const ConvertOptions& options) {
  if (options.output != "-" && !FormOfPath(options.output)) {
    return UsageError("cannot tell the form of " + options.output +
                      ": the name of a trace ends in .dp2t or .json");
  }
  if (options.output == "-" && options.blobs == "files")
    return UsageError("--blobs files needs an output file to stand beside");
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;
  const std::unique_ptr<TraceSource> source =
      OpenTrace(options.input, options.max_memory, findings, code);
  if (source == nullptr) return code;
  if (IsDirectory(options.output)) {
    return ReportFailure(options.output,
                         Status(MakeDiagnostic(
                             Rule::kIo001, "cannot write " + options.output + ": Is a directory")));
  }
  Result<OutputFile> file = OutputFile::Create(options.output);
  if (!file.ok()) return ReportFailure(options.output, file.status());
  const std::unique_ptr<TraceSink> sink =
      MakeSink(options, *OutputForm(options, source->form()), *file);
  const Status copied = Copy(*source, *sink, *file);
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
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace convert capture.dp2t capture.json --blobs files");
  command->callback([options, &code] { code = RunConvert(*options); });
}

}  // namespace dp2trace::app
