#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "base/plain_text.h"
#include "console.h"
#include "json/output.h"
#include "reread_trace.h"
#include "sandbox_option.h"
#include "text/value.h"
#include "trim/trim.h"
#include "trim_options.h"
#include "verbs.h"
#include "work.h"

namespace dp2trace::app {
namespace {

// What the numbers of the input are in the output.
void Describe(const trim::Part& part) {
  if (part.is_from_start) return;
  if (part.gap.empty()) {
    PrintNote(fmt::format("frame {} and draw {} of the input are the first of the output",
                          part.first_frame, part.first_draw));
    return;
  }
  PrintNote(fmt::format(
      "everything before the part is kept, for {}; draws keep their numbers, frame {} is the first",
      part.gap, part.first_frame));
}

// The same for programs.
std::string PartJson(std::string_view trace, const trim::Part& part) {
  const bool keeps_all = part.is_from_start || !part.gap.empty();
  std::string text =
      json::OutputHead("trim", trace) +
      fmt::format(
          ",\"first_frame\":{},\"first_draw\":{},\"frames\":{},\"draws\":{},\n\"keeps_everything_before\":{},\"because\":",
          part.first_frame, part.first_draw, part.frames, part.draws, keeps_all);
  text::AppendQuoted(text, part.gap);
  return text + "}\n";
}

ExitCode RunTrim(TrimCommand options) {
  if (CheckOutput(options.output) != ExitCode::kOk) return ExitCode::kUsage;
  if (options.input == "-") return UsageError("standard input can be read only once");
  Confine(options.is_sandboxed, {.traces = {options.input}, .files = {options.output.path}});
  const ExitCode resolved = ResolveLast(options.input, options.max_memory, "find the last",
                                        {.frames = &options.frames, .draws = &options.draws});
  if (resolved != ExitCode::kOk) return resolved;
  trim::Choice choice{.unit = options.chooses_draws ? trim::Unit::kDraws : trim::Unit::kFrames,
                      .numbers = options.chooses_draws ? options.draws : options.frames};
  if (options.read != 0) {
    history::FrameSpan span;
    const ExitCode found = FindSpan(options.input, options.max_memory, options.read, span);
    if (found != ExitCode::kOk) return found;
    std::string error;
    choice = {trim::Unit::kEvents,
              *Selection::Parse(fmt::format("{}-{}", std::max<uint64_t>(span.first, 1), span.last),
                                error)};
  }
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;
  const auto source =
      trace_file::WithResults(OpenTrace(options.input, options.max_memory, findings, code));
  if (source == nullptr) return code;
  Result<trim::Part> part = trim::FindPart(*source, choice, options.drawing.work, ForEachEvent);
  code = ReportReading(options.input, *source, findings);
  if (!part.ok())
    return source->status().ok() ? Worse(code, ReportFailure(options.input, part.status())) : code;
  if (!part->is_found) {
    PrintError(options.chooses_draws
                   ? "--draws chose nothing that is executed; " + RangeOf("draw", part->draws)
                   : "--frames chose nothing; " + RangeOf("frame", part->frames));
    return Absent(code);
  }
  const trace_model::Open open = [&] {
    return trace_file::OpenAgain(options.input, options.max_memory, findings);
  };
  const Status written =
      trim::WritePart(open, *part, options.drawing, options.output.path, ForEachEvent);
  if (!written.ok()) return Worse(code, ReportFailure(options.output.path, written));
  if (options.json) return Worse(code, ReportOutput(WriteResult(PartJson(options.input, *part))));
  Describe(*part);
  return code;
}

}  // namespace

void AddTrim(Verb& program) {
  auto options = std::make_shared<TrimCommand>();
  Verb& command =
      program.AddVerb("trim", "Cut some frames or draws out as a trace that works on its own");
  AddTrimOptions(command, *options);
  command.SetExample("dp2trace trim capture.dp2t frame.dp2t --frames 24");
  command.OnRun([options, &command] {
    options->chooses_draws = command.count("--draws") != 0;
    return command.count("--frames") + command.count("--draws") + command.count("--read") != 0
               ? RunTrim(*options)
               : UsageError("trim needs --frames, --draws or --read");
  });
}

}  // namespace dp2trace::app
