#include <cstdint>
#include <memory>
#include <string>

#include "console.h"
#include "frame_options.h"
#include "history/record_history.h"
#include "history/report.h"
#include "limit_options.h"
#include "options.h"
#include "renderer_options.h"
#include "reread_trace.h"
#include "sandbox_option.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

struct HistoryOptions {
  std::string trace;
  uint64_t frame = 0;  // 0: up to `read`
  uint64_t read = 0;
  uint32_t surface = 0;
  bool has_surface = false;
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  history::Options history;
};

ExitCode RunHistory(HistoryOptions options) {
  if (options.trace == "-") {
    return UsageError("history reads the trace twice: standard input cannot be read again");
  }
  if (options.frame == 0 && options.read == 0)
    return UsageError("history needs --frame N, or --read N");
  Confine(options.is_sandboxed, {.traces = {options.trace}});
  if (options.has_surface) options.history.surface = options.surface;
  ExitCode code = ResolveFrame(options.trace, options.max_memory, options.frame);
  if (code != ExitCode::kOk) return code;
  RereadTrace trace(options.trace, options.max_memory);
  const Result<history::FoundSpan> found = options.read != 0
                                               ? history::FindRead(trace, options.read)
                                               : history::GuessFrame(trace, options.frame);
  if (!found.ok()) return trace.Fail(found.status());
  if (!found->absence.empty()) return trace.ReportAbsent(*found);
  trace.Report(RereadTrace::Reports::kAll);
  const Result<history::History> history =
      history::RecordHistory(options.history, found->span, trace);
  if (!history.ok()) return trace.Fail(history.status());
  code = trace.code();
  if (!history->absence.empty()) {
    PrintError(history->absence);
    return Absent(code);
  }
  const Status written = WriteResult(options.json ? history::ReportJson(options.trace, *history)
                                                  : history::ReportText(*history));
  return Worse(code, ReportOutput(written));
}

}  // namespace

void AddHistory(Verb& program) {
  auto options = std::make_shared<HistoryOptions>();
  Verb& command = program.AddVerb(
      "history",
      "List everything that touched a pixel in a frame, in order, and explain its final value");
  command.Add("TRACE", options->trace, "Trace to read, .dp2t or .json").Required();
  Argument& frame = AddFrame(command, options->frame, "Number of the frame, from 1, or last");
  AddRead(command, options->read,
          "In place of a frame: number of a read by the CPU, as replay names them")
      .Excludes(frame);
  command
      .AddParsed(
          "--pixel",
          [options](const std::string& text) {
            return TakePixel(text, options->history.x, options->history.y);
          },
          "The pixel: of the picture of the frame or read, with --surface of the level")
      .Required()
      .Value("X,Y");
  Argument& surface =
      command.Add("--surface", options->surface, "Of this surface, not what the frame shows")
          .Value("HANDLE");
  command.Add("--face", options->history.face, "With --surface: of this face (0)")
      .Needs(surface)
      .Value("FACE");
  command.Add("--level", options->history.level, "With --surface: of this level (0)")
      .Needs(surface)
      .Value("LEVEL");
  command.Add("--slice", options->history.slice, "With --surface: of this slice of a volume (0)")
      .Needs(surface)
      .Value("SLICE");
  command.AddSwitch("--steps", options->history.wants_steps,
                    "Each instruction of the shaders, with what it reads and gives");
  AddFormat(command, options->json);
  AddRendererOptions(command, options->history.renderer, options->history.play.raster);
  AddLimitOptions(command, options->trace, options->history.play.validation,
                  options->history.play.raster);
  AddSandboxOption(command, options->is_sandboxed);
  AddMaxMemory(command, options->max_memory);
  command.SetExample("dp2trace history capture.dp2t --frame 3 --pixel 120,88");
  command.OnRun([options, &command] {
    options->has_surface = command.count("--surface") != 0;
    return RunHistory(*options);
  });
}

}  // namespace dp2trace::app
