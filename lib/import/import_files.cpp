#include "import/import_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/file.h"
#include "base/plain_text.h"
#include "import/hex/hex_trace.h"
#include "import/limits.h"
#include "os/path.h"
#include "trace_file/sink.h"

namespace dp2trace::import {
namespace {

namespace fs = std::filesystem;

// Of zstd: half of the time of an import goes into compression, and captures full of data gain little by more.
constexpr int kCompressionLevel = 1;

class FileSink final : public runtime::EventSink {
 public:
  FileSink(trace_file::Sink& sink, trace_file::Form form,
           const std::shared_ptr<Allowance>& allowance)
      : sink_(&sink), form_(form), allowance_(allowance) {}
  Status OnEvent(const trace::Event& event) override {
    const MemoryShare text(allowance_, form_ == trace_file::Form::kJson ? TextSizeOf(event) : 0);
    if (!text.is_granted()) return OkStatus();
    const Status status = sink_->Add(event);
    const uint64_t written = sink_->written();
    (void)allowance_->Spend((written - written_) * kOutputSteps);
    written_ = written;
    return status;
  }

 private:
  // The text of commands, while it is made: many letters for each byte.
  static uint64_t TextSizeOf(const trace::Event& event) {
    constexpr uint64_t kLettersPerByte = 12;
    const auto* const call = std::get_if<trace::Dp2>(&event);
    const auto* const render = std::get_if<trace::Render>(&event);
    return kLettersPerByte * (call != nullptr     ? call->commands.size()
                              : render != nullptr ? render->command_buffer.size()
                                                  : 0);
  }

  trace_file::Sink* sink_;
  trace_file::Form form_;
  std::shared_ptr<Allowance> allowance_;
  uint64_t written_ = 0;
};

std::optional<uint64_t> SizeOf(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(ToPath(path), error)) return std::nullopt;
  const uint64_t size = fs::file_size(ToPath(path), error);
  return error ? std::nullopt : std::optional(size);
}

void CollectNotes(const ImportReport& report, FileImport& file) {
  for (const DroppedCalls& calls : report.dropped) {
    file.notes.push_back(fmt::format("{}: {}, {}: {}", file.input, calls.function,
                                     Counted(calls.count, "call"), calls.effect));
  }
  if (report.more_dropped != 0) {
    file.notes.push_back(fmt::format("{}: not in the trace: calls of {}", file.input,
                                     Counted(report.more_dropped, "more function")));
  }
  for (const std::string_view note : report.notes)
    file.notes.push_back(fmt::format("{}: {}", file.input, note));
  if (report.lost_copies != 0) {
    file.notes.push_back(fmt::format("{}: lost: {} into memory that no lock of the capture holds",
                                     file.input, Counted(report.lost_copies, "write")));
  }
}

Status WriteText(const std::string& path, std::string_view text) {
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(text));
  return file->Commit();
}

Status WriteCaps(const FileOptions& options, const ImportReport& report, FileImport& file) {
  if (options.caps.empty()) return OkStatus();
  if (report.caps_text.empty()) {
    file.notes.push_back(
        fmt::format("{}: the program did not ask what the device can do", file.input));
  }
  return WriteText(options.caps, report.caps_text.empty() ? "{}\n" : report.caps_text);
}

// Opens the capture; what can be read twice says what driver it needs.
Result<CallParser> OpenCapture(const std::string& path, ImportOptions& options,
                               const Progress& progress) {
  Result<CallParser> parser = CallParser::Open(path, options.allowance);
  std::error_code error;
  if (!parser.ok() || !fs::is_regular_file(ToPath(path), error)) return parser;
  const Result<uint32_t> level = FindDirectDrawLevel(*parser, progress);
  if (!level.ok()) return level.status();
  options.direct_draw_level = *level;
  return CallParser::Open(path, options.allowance);
}

}  // namespace

void ImportFile(const FileOptions& options, FileImport& file, const Progress& progress) {
  const auto fail = [&file](const std::string& path, const Status& status) {
    file.failure.emplace(path, status);
  };
  ImportOptions import_options;
  import_options.allowance =
      MakeAllowance(options.max_memory, options.max_steps, SizeOf(file.input));
  Result<CallParser> parser = OpenCapture(file.input, import_options, progress);
  if (!parser.ok()) return fail(file.input, parser.status());
  const trace_file::Form form =
      trace_file::FormOfPath(file.output).value_or(trace_file::Form::kBinary);
  Result<std::unique_ptr<trace_file::Sink>> output =
      trace_file::Sink::Create(file.output, form, {.container = {.level = kCompressionLevel}});
  if (!output.ok()) return fail(file.output, output.status());
  import_options.transport = options.transport;
  import_options.generator = options.generator;
  import_options.source = NameOf(file.input);
  const Allowance& allowance = *import_options.allowance;
  FileSink sink(**output, form, import_options.allowance);
  const Result<ImportReport> report = Import(*parser, sink, import_options, progress);
  if (report.ok() && !report->foreign_api.empty()) {
    file.error = fmt::format(
        "cannot import {}: it is a capture of {}, not of DirectDraw or Direct3D 2 to 9; nothing is "
        "written",
        file.input, report->foreign_api);
    return;
  }
  const bool is_whole = parser->error().empty() && !allowance.is_exceeded();
  if (report.ok() && report->is_empty && !allowance.is_exceeded()) {
    const std::string reason = is_whole ? "it has no call of DirectDraw or Direct3D 2 to 9"
                                        : fmt::format("no call can be read: {}", parser->error());
    const std::string clause =
        is_whole ? std::string(ClauseOfName(file.input)) : ForeignClause(file.input);
    file.error = fmt::format("cannot import {}, and nothing is written: {}{}{}", file.input, reason,
                             clause.empty() ? "" : "; ", clause);
    return;
  }
  if (const Status status = report.ok() ? (*output)->Finish(is_whole) : report.status();
      !status.ok())
    return fail(file.output, status);
  CollectNotes(*report, file);
  if (const Status status = WriteCaps(options, *report, file); !status.ok())
    return fail(options.caps, status);
  if (is_whole) {
    file.summary =
        fmt::format("{}: {}, {}, {}", file.output, Counted(report->frames, "frame"),
                    Counted(report->draws, "draw"), Counted((*output)->written(), "byte"));
    return;
  }
  const std::string reason = parser->error().empty() ? allowance.Reason() : parser->error();
  file.error = fmt::format("{}: the capture is not whole, {} imported: {}", file.input,
                           Counted(report->calls, "call"), reason);
}

void ImportHexFile(const FileOptions& options, const std::string& prefix, FileImport& file,
                   const Progress& progress) {
  const auto fail = [&file](const std::string& path, const Status& status) {
    file.failure.emplace(path, status);
  };
  // Lines take many times what they are as text, which is there twice for a while.
  const Result<std::vector<uint8_t>> bytes = ReadWholeFile(file.input, options.max_memory / 4);
  if (!bytes.ok()) return fail(file.input, bytes.status());
  const trace_file::Form form =
      file.output == "-" ? trace_file::Form::kJson
                         : trace_file::FormOfPath(file.output).value_or(trace_file::Form::kBinary);
  trace_file::SinkOptions sink_options;
  sink_options.vertices = json::Vertices::kReadable;
  const Result<std::unique_ptr<trace_file::Sink>> output =
      trace_file::Sink::Create(file.output, form, sink_options);
  if (!output.ok()) return fail(file.output, output.status());
  const auto allowance =
      MakeAllowance(options.max_memory - std::min<uint64_t>(bytes->size(), options.max_memory),
                    options.max_steps, bytes->size());
  Status written;
  uint64_t before = 0;
  const auto add = [&](const trace::Event& event) {
    written = (*output)->Add(event);
    const uint64_t now = (*output)->written();
    (void)allowance->Spend((now - before) * kOutputSteps);
    before = now;
    if (written.ok() && progress) written = progress(now);
    return written;
  };
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  const Status read = ReadHexTrace(text, add, allowance, prefix);
  if (written.ok() && !read.ok()) return fail(file.input, read);
  if (written.ok()) written = (*output)->Finish();
  if (!written.ok()) fail(file.output, written);
}

}  // namespace dp2trace::import
