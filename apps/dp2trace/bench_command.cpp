#include "bench_command.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "console.h"
#include "options.h"
#include "renderer_options.h"
#include "replay/bench.h"
#include "sandbox_option.h"
#include "text/value.h"
#include "work.h"

namespace dp2trace::app {
namespace {

struct BenchCommandOptions {
  std::vector<std::string> traces;
  bool json = false;
  bool is_sandboxed = true;
  replay::BenchOptions bench;
};

// Loads a trace; its status where it is too large.
ExitCode Load(const std::string& path, const replay::BenchOptions& options, replay::Bench& bench) {
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;
  const std::unique_ptr<trace_file::Source> source =
      WithResults(OpenTrace(path, options.max_memory, findings, code));
  if (source == nullptr) return code;
  Status status;
  ForEachEvent(*source, "load", [&](const trace::EventRecord& record) {
    status = bench.Add(record.event, options.max_memory);
    return status.ok();
  });
  if (!status.ok()) return ReportFailure(path, status);
  return ReportReading(path, *source, findings);
}

// The result of a trace for one of the two forms; nothing where it cannot be played.
std::optional<std::string> BenchOne(const std::string& path, const BenchCommandOptions& options,
                                    ExitCode& code) {
  replay::Bench bench;
  code = Worse(code, Load(path, options.bench, bench));
  replay::BenchOptions of_trace = options.bench;
  if (of_trace.frames.needs_last()) of_trace.frames.Resolve(bench.frame_count());
  const Result<replay::BenchResult> result = bench.Run(of_trace);
  if (!result.ok()) {
    code = Worse(code, ReportFailure(path, result.status()));
    return std::nullopt;
  }
  if (result->frames == 0) {
    PrintError(path + ": no frame is selected");
    code = Worse(code, ExitCode::kNothingToDo);
    return std::nullopt;
  }
  if (!options.json) return fmt::format("{}: {}", path, replay::BenchText(*result));
  std::string document = "{\"trace\": ";
  text::AppendQuoted(document, path);
  return document + ", " + replay::BenchJson(*result) + "}";
}

ExitCode RunBench(const BenchCommandOptions& options) {
  Confine(options.is_sandboxed, {.traces = options.traces, .folders = {}, .files = {}});
  ExitCode code = ExitCode::kOk;
  std::string documents;
  for (const std::string& path : options.traces) {
    const std::optional<std::string> result = BenchOne(path, options, code);
    if (!result) continue;
    if (!options.json) {
      (void)WriteResult(*result);  // FinishResult() reports it
    } else {
      documents += (documents.empty() ? "\n" : ",\n") + *result;
    }
  }
  if (options.json) (void)WriteResult("[" + documents + "\n]\n");
  return code;
}

}  // namespace

void AddBenchCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<BenchCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "bench", "Play the frames of traces again and again, and say how fast they are drawn");
  command
      ->add_option("TRACE", options->traces, "Traces to play, .dp2t or .json; - is standard input")
      ->required();
  command
      ->add_option("--loop", options->bench.loops,
                   "How often the frames are played, behind a loop that warms up (5)")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 32))
      ->type_name("N");
  AddSelection(*command, "--frames", options->bench.frames,
               "From the first to the last of these frames: N, A-B, A-, -B, last, all");
  AddRendererOptions(*command, options->bench.renderer, options->bench.raster);
  AddFormat(*command, options->json);
  AddSandboxOption(*command, options->is_sandboxed);
  AddMaxMemory(*command, options->bench.max_memory);
  AddExample(*command, "dp2trace bench capture.dp2t --loop 10 --threads 2 --frames 2-");
  command->callback([options, &code] { code = RunBench(*options); });
}

}  // namespace dp2trace::app
