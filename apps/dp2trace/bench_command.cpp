#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/plain_text.h"
#include "bench/bench.h"
#include "console.h"
#include "json/output.h"
#include "limit_options.h"
#include "options.h"
#include "renderer_options.h"
#include "sandbox_option.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct BenchOptions {
  std::vector<std::string> traces;
  bool json = false;
  bool is_sandboxed = true;
  bench::BenchOptions bench;
};

// Loads a trace. False where it cannot be read, or is too large.
bool Load(const std::string& path, bench::BenchOptions& options, bench::Bench& bench,
          ExitCode& code) {
  DiagnosticList findings;
  ExitCode opened = ExitCode::kOk;
  const std::unique_ptr<trace_file::Source> source =
      WithResults(OpenTrace(path, options.max_memory, findings, opened));
  code = Worse(code, opened);
  if (source == nullptr) return false;
  if (source->size() != 0) options.validation.file_bytes = source->size();
  Status status;
  const Status read = ForEachEvent(*source, "load", [&](const trace::EventRecord& record) {
    status = bench.Add(record.event, options.max_memory);
    return status.ok();
  });
  code = Worse(code,
               status.ok() ? ReportReading(path, *source, findings) : ReportFailure(path, status));
  return status.ok() && read.ok();
}

// The result of a trace for one of the two forms; nothing where it cannot be played.
std::optional<std::string> BenchOne(const std::string& path, const BenchOptions& options,
                                    ExitCode& code) {
  bench::Bench bench;
  bench::BenchOptions of_trace = options.bench;
  if (!Load(path, of_trace, bench, code)) return std::nullopt;
  if (of_trace.frames.needs_last()) of_trace.frames.Resolve(bench.frame_count());
  const Result<bench::BenchResult> result = bench.Run(of_trace);
  if (!result.ok()) {
    code = Worse(code, ReportFailure(path, result.status()));
    return std::nullopt;
  }
  if (result->frames == 0) {
    PrintError(fmt::format("{}: no frame is selected; {}", Plain(path),
                           RangeOf("frame", bench.frame_count())));
    code = Absent(code);
    return std::nullopt;
  }
  if (!options.json) return fmt::format("{}: {}", Plain(path), bench::BenchText(*result));
  return bench::BenchJson(path, *result);
}

ExitCode RunBench(const BenchOptions& options) {
  Confine(options.is_sandboxed, {.traces = options.traces});
  ExitCode code = ExitCode::kOk;
  std::string documents;
  for (const std::string& path : options.traces) {
    const std::optional<std::string> result = BenchOne(path, options, code);
    if (!result) continue;
    if (!options.json) {
      code = Worse(code, ReportOutput(WriteResult(*result)));
    } else {
      documents += (documents.empty() ? "\n" : ",\n") + *result;
    }
  }
  if (!options.json) return code;
  return Worse(code, ReportOutput(WriteResult(json::OutputHead("bench") + ",\"traces\":[" +
                                              documents + "\n]}\n")));
}

}  // namespace

void AddBench(Verb& program) {
  auto options = std::make_shared<BenchOptions>();
  Verb& command = program.AddVerb("bench", "Measure how fast the frames of traces are drawn");
  command.Add("TRACE", options->traces, "Traces to play, .dp2t or .json; - is standard input")
      .Required();
  command
      .Add(
          "--loop", options->bench.loops,
          "How often the frames are played, after a loop that warms up (5, fewer once 5 seconds have passed)")
      .Range(uint64_t{1}, uint64_t{1} << 32)
      .Value("N");
  AddSelection(command, "--frames", options->bench.frames,
               "From the first to the last of these frames: N, A-B, A-, -B, last, all");
  AddRendererOptions(command, options->bench.renderer, options->bench.raster);
  AddFormat(command, options->json);
  AddSandboxOption(command, options->is_sandboxed);
  AddMaxMemory(command, options->bench.max_memory);
  AddMaxSteps(command, options->bench.validation.max_steps);
  command.SetExample("dp2trace bench capture.dp2t --loop 10 --threads 2 --frames 2-");
  command.OnRun([options, &command] {
    if (command.count("--loop") != 0)
      options->bench.max_seconds = std::numeric_limits<double>::infinity();
    return RunBench(*options);
  });
}

}  // namespace dp2trace::app
