#include "import_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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

namespace fs = std::filesystem;

struct ImportCommandOptions {
  std::vector<std::string> names;  // captures and folders of them, then the destination
  std::string transport = "dp2";
  std::string caps;
  uint64_t max_memory = kDefaultMaxMemory;
  uint32_t threads = 1;  // 0: one per processor
};

// Writes the events of a recording in one of the two forms of a trace.
class FileSink : public runtime::EventSink {
 public:
  // `is_whole`: false leaves a trace that says that it is cut.
  virtual Status Finish(bool is_whole) = 0;
};

class BinaryFileSink final : public FileSink {
 public:
  explicit BinaryFileSink(OutputFile& file) : writer_(file, {.level = kCompressionLevel}) {}
  Status OnEvent(const trace::Event& event) override { return writer_.Add(event); }
  Status Finish(bool is_whole) override { return is_whole ? writer_.Finish() : writer_.Flush(); }

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
  Status Finish(bool is_whole) override { return is_whole ? writer_.Finish() : writer_.Flush(); }

 private:
  json::Writer writer_;
};

// One capture, and what became of it. Jobs run in threads; what they have to say is printed in their order.
struct ImportJob {
  std::string input, output;
  ExitCode code = ExitCode::kOk;
  std::vector<std::string> notes;
  std::string error;                                      // one line, or
  std::optional<std::pair<std::string, Status>> failure;  // of a file
};

void Fail(ImportJob& job, const std::string& path, const Status& status) {
  job.code = ExitCode::kInput;
  job.failure.emplace(path, status);
}

void CollectNotes(const import::ImportReport& report, ImportJob& job) {
  for (const import::DroppedCalls& calls : report.dropped)
    job.notes.push_back(
        fmt::format("{}: {}, {} calls: {}", job.input, calls.function, calls.count, calls.effect));
  for (const std::string_view note : report.notes)
    job.notes.push_back(fmt::format("{}: {}", job.input, note));
  if (report.lost_copies != 0) {
    job.notes.push_back(
        fmt::format("{}: {} writes into memory that no lock of the capture holds are lost",
                    job.input, report.lost_copies));
  }
}

Status WriteText(const std::string& path, std::string_view text) {
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(text));
  return file->Commit();
}

void RunJob(const ImportCommandOptions& options, ImportJob& job,
            const std::function<void(uint64_t)>& progress) {
  Result<import::CallParser> parser = import::CallParser::Open(job.input, options.max_memory);
  if (!parser.ok()) return Fail(job, job.input, parser.status());
  import::ImportOptions import_options;
  // What can be read twice says what driver it needs.
  if (std::error_code error; fs::is_regular_file(job.input, error)) {
    import_options.direct_draw_level = import::FindDirectDrawLevel(*parser);
    parser = import::CallParser::Open(job.input, options.max_memory);
    if (!parser.ok()) return Fail(job, job.input, parser.status());
  }
  Result<OutputFile> file = OutputFile::Create(job.output);
  if (!file.ok()) return Fail(job, job.output, file.status());
  std::unique_ptr<FileSink> sink;
  if (FormOfPath(job.output) == TraceForm::kJson) {
    sink = std::make_unique<JsonFileSink>(*file, job.output);
  } else {
    sink = std::make_unique<BinaryFileSink>(*file);
  }
  import_options.transport =
      options.transport == "kmt" ? runtime::Transport::kKmt : runtime::Transport::kDp2;
  import_options.generator = "dp2trace " DP2TRACE_VERSION " import";
  import_options.source = fs::path(job.input).filename().string();
  import_options.max_memory = options.max_memory;
  const Result<import::ImportReport> report =
      import::Import(*parser, *sink, import_options, progress);
  const bool is_whole = parser->error().empty();
  Status status = report.ok() ? sink->Finish(is_whole) : report.status();
  if (status.ok()) status = file->Commit();
  if (!status.ok()) return Fail(job, job.output, status);
  CollectNotes(*report, job);
  if (!options.caps.empty()) {
    if (report->caps_text.empty())
      job.notes.push_back(
          fmt::format("{}: the program did not ask what the device can do", job.input));
    status = WriteText(options.caps, report->caps_text.empty() ? "{}\n" : report->caps_text);
    if (!status.ok()) return Fail(job, options.caps, status);
  }
  if (is_whole) return;
  job.code = ExitCode::kInput;
  job.error = fmt::format("{}: the capture is not whole, {} calls were imported: {}", job.input,
                          report->calls, parser->error());
}

void Print(const ImportJob& job) {
  for (const std::string& note : job.notes)
    PrintNote(note);
  if (job.failure) (void)ReportFailure(job.failure->first, job.failure->second);
  if (!job.error.empty()) PrintError(job.error);
}

// The captures that a name stands for, with their places below the destination.
void AddCaptures(const std::string& name, const fs::path& destination,
                 std::map<std::string, std::string>& captures) {
  std::error_code error;
  const auto output = [&](fs::path place) {
    return (destination / place.replace_extension(".dp2t")).string();
  };
  if (!fs::is_directory(name, error)) {
    captures[name] = output(fs::path(name).filename());
    return;
  }
  fs::recursive_directory_iterator at(name, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().extension() == ".trace" && at->is_regular_file(error))
      captures[at->path().string()] = output(fs::relative(at->path(), name, error));
  }
}

ExitCode RunJobs(const ImportCommandOptions& options, std::vector<ImportJob>& jobs) {
  const uint32_t wanted =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  const auto count = static_cast<uint32_t>(std::min<size_t>(wanted, jobs.size()));
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < jobs.size(); i = next++)
      RunJob(options, jobs[i], {});
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 1; i < count; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread& thread : threads)
    thread.join();
  ExitCode code = ExitCode::kOk;
  for (const ImportJob& job : jobs) {
    Print(job);
    if (job.code != ExitCode::kOk) code = job.code;
  }
  return code;
}

// Several captures, or a folder of them, into a folder.
ExitCode ImportMany(const ImportCommandOptions& options, const std::vector<std::string>& inputs,
                    const std::string& destination) {
  if (!options.caps.empty()) {
    PrintError("--caps is about one capture");
    return ExitCode::kUsage;
  }
  std::map<std::string, std::string> captures;
  for (const std::string& name : inputs)
    AddCaptures(name, destination, captures);
  if (captures.empty()) {
    PrintError("no capture (.trace) in " + inputs.front());
    return ExitCode::kInput;
  }
  std::vector<ImportJob> jobs;
  std::map<std::string, std::string> outputs;
  for (const auto& [input, output] : captures) {
    const auto [place, is_new] = outputs.emplace(output, input);
    if (!is_new) {
      PrintError(fmt::format("{} and {} would both become {}", place->second, input, output));
      return ExitCode::kUsage;
    }
    std::error_code error;
    fs::create_directories(fs::path(output).parent_path(), error);
    ImportJob job;
    job.input = input;
    job.output = output;
    jobs.push_back(std::move(job));
  }
  return RunJobs(options, jobs);
}

ExitCode RunImport(const ImportCommandOptions& options) {
  if (options.names.size() < 2) {
    PrintError("import needs a capture and the trace to write");
    return ExitCode::kUsage;
  }
  const std::string& destination = options.names.back();
  const std::vector<std::string> inputs(options.names.begin(), options.names.end() - 1);
  std::error_code error;
  const bool is_folder = fs::is_directory(destination, error) || destination.ends_with('/');
  if (inputs.size() > 1 || is_folder || fs::is_directory(inputs.front(), error)) {
    if (!is_folder && (destination == "-" || FormOfPath(destination))) {
      PrintError(destination + " is no folder: several captures need one");
      return ExitCode::kUsage;
    }
    return ImportMany(options, inputs, destination);
  }
  if (destination != "-" && !FormOfPath(destination)) {
    PrintError("cannot tell the form of " + destination +
               ": the name of a trace ends in .dp2t or .json");
    return ExitCode::kUsage;
  }
  ImportJob job;
  job.input = inputs.front();
  job.output = destination;
  Progress progress("import");
  RunJob(options, job, [&progress](uint64_t position) { progress.Update(position, 0); });
  Print(job);
  return job.code;
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
