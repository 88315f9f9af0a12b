#include "import/import_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>
#include <thread>

#include "base/file.h"
#include "trace_file/sink.h"

namespace dp2trace::import {
namespace {

namespace fs = std::filesystem;

// Of zstd: half of the time of an import goes into compression, and captures full of data gain little by more.
constexpr int kCompressionLevel = 1;

class FileSink final : public runtime::EventSink {
 public:
  explicit FileSink(trace_file::Sink& sink) : sink_(&sink) {}
  Status OnEvent(const trace::Event& event) override { return sink_->Add(event); }

 private:
  trace_file::Sink* sink_;
};

void CollectNotes(const ImportReport& report, FileImport& file) {
  for (const DroppedCalls& calls : report.dropped) {
    file.notes.push_back(
        fmt::format("{}: {}, {} calls: {}", file.input, calls.function, calls.count, calls.effect));
  }
  for (const std::string_view note : report.notes)
    file.notes.push_back(fmt::format("{}: {}", file.input, note));
  if (report.lost_copies != 0) {
    file.notes.push_back(
        fmt::format("{}: {} writes into memory that no lock of the capture holds are lost",
                    file.input, report.lost_copies));
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
Result<CallParser> OpenCapture(const std::string& path, uint64_t max_memory,
                               ImportOptions& options) {
  Result<CallParser> parser = CallParser::Open(path, max_memory);
  std::error_code error;
  if (!parser.ok() || !fs::is_regular_file(path, error)) return parser;
  options.direct_draw_level = FindDirectDrawLevel(*parser);
  return CallParser::Open(path, max_memory);
}

// A capture's place below the destination.
std::string PlaceOf(const std::string& destination, fs::path name) {
  return (fs::path(destination) / name.replace_extension(".dp2t")).string();
}

// The captures that a name stands for, with their places.
void AddCaptures(const std::string& name, const std::string& destination,
                 std::map<std::string, std::string>& captures) {
  std::error_code error;
  if (!fs::is_directory(name, error)) {
    captures[name] = PlaceOf(destination, fs::path(name).filename());
    return;
  }
  fs::recursive_directory_iterator at(name, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().extension() == ".trace" && at->is_regular_file(error))
      captures[at->path().string()] = PlaceOf(destination, fs::relative(at->path(), name, error));
  }
}

}  // namespace

void ImportFile(const FileOptions& options, FileImport& file,
                const std::function<void(uint64_t)>& progress) {
  const auto fail = [&file](const std::string& path, const Status& status) {
    file.failure.emplace(path, status);
  };
  ImportOptions import_options;
  Result<CallParser> parser = OpenCapture(file.input, options.max_memory, import_options);
  if (!parser.ok()) return fail(file.input, parser.status());
  const trace_file::Form form =
      trace_file::FormOfPath(file.output).value_or(trace_file::Form::kBinary);
  Result<std::unique_ptr<trace_file::Sink>> output =
      trace_file::Sink::Create(file.output, form, {.container = {.level = kCompressionLevel}});
  if (!output.ok()) return fail(file.output, output.status());
  import_options.transport = options.transport;
  import_options.generator = options.generator;
  import_options.source = fs::path(file.input).filename().string();
  import_options.max_memory = options.max_memory;
  FileSink sink(**output);
  const Result<ImportReport> report = Import(*parser, sink, import_options, progress);
  const bool is_whole = parser->error().empty();
  if (const Status status = report.ok() ? (*output)->Finish(is_whole) : report.status();
      !status.ok())
    return fail(file.output, status);
  CollectNotes(*report, file);
  if (const Status status = WriteCaps(options, *report, file); !status.ok())
    return fail(options.caps, status);
  if (is_whole) return;
  file.error = fmt::format("{}: the capture is not whole, {} calls were imported: {}", file.input,
                           report->calls, parser->error());
}

void ImportFiles(const FileOptions& options, std::vector<FileImport>& files, size_t threads) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < files.size(); i = next++)
      ImportFile(options, files[i], {});
  };
  std::vector<std::jthread> others;
  for (size_t i = 1; i < std::min(threads, files.size()); ++i)
    others.emplace_back(work);
  work();
}

std::vector<FileImport> ListCaptures(const std::vector<std::string>& names,
                                     const std::string& destination) {
  std::map<std::string, std::string> captures;
  for (const std::string& name : names)
    AddCaptures(name, destination, captures);
  std::vector<FileImport> files;
  for (const auto& [input, output] : captures) {
    FileImport& file = files.emplace_back();
    file.input = input;
    file.output = output;
  }
  return files;
}

std::string MakePlaces(const std::vector<FileImport>& files) {
  std::map<std::string, std::string> inputs;
  for (const FileImport& file : files) {
    const auto [place, is_new] = inputs.emplace(file.output, file.input);
    if (!is_new)
      return fmt::format("{} and {} would both become {}", place->second, file.input, file.output);
    std::error_code error;  // writing the file says what is wrong
    fs::create_directories(fs::path(file.output).parent_path(), error);
  }
  return {};
}

}  // namespace dp2trace::import
