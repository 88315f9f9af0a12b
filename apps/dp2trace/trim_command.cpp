#include <fmt/format.h>

#include <memory>
#include <string>

#include "console.h"
#include "limit_options.h"
#include "options.h"
#include "renderer_options.h"
#include "sandbox_option.h"
#include "text/value.h"
#include "trace_file/form.h"
#include "trim/trim.h"
#include "verbs.h"
#include "work.h"

namespace dp2trace::app {
namespace {

struct TrimCommand {
  std::string input;
  std::string output;
  Selection frames;
  Selection draws;
  bool chooses_draws = false;
  bool json = false;
  trace_model::RenderOptions drawing;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
};

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
std::string PartJson(const trim::Part& part) {
  const bool keeps_all = part.is_from_start || !part.gap.empty();
  std::string text = fmt::format(
      "{{\"first_frame\":{},\"first_draw\":{},\"frames\":{},\"draws\":{},\n\"keeps_everything_before\":{},\"because\":",
      part.first_frame, part.first_draw, part.frames, part.draws, keeps_all);
  text::AppendQuoted(text, part.gap);
  return text + "}\n";
}

ExitCode RunTrim(TrimCommand options) {
  if (!trace_file::FormOfPath(options.output)) return UnknownForm(options.output);
  if (options.input == "-") return UsageError("standard input can be read only once");
  Confine(options.is_sandboxed, {.traces = {options.input}, .files = {options.output}});
  const ExitCode resolved = ResolveLast(options.input, options.max_memory, "find the last",
                                        {.frames = &options.frames, .draws = &options.draws});
  if (resolved != ExitCode::kOk) return resolved;
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;
  const auto source =
      trace_file::WithResults(OpenTrace(options.input, options.max_memory, findings, code));
  if (source == nullptr) return code;
  Result<trim::Part> part =
      trim::FindPart(*source,
                     {.unit = options.chooses_draws ? trim::Unit::kDraws : trim::Unit::kFrames,
                      .numbers = options.chooses_draws ? options.draws : options.frames},
                     options.drawing.work, ForEachEvent);
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
      trim::WritePart(open, *part, options.drawing, options.output, ForEachEvent);
  if (!written.ok()) return Worse(code, ReportFailure(options.output, written));
  if (options.json) return Worse(code, ReportOutput(WriteResult(PartJson(*part))));
  Describe(*part);
  return code;
}

}  // namespace

void AddTrim(Verb& program) {
  auto options = std::make_shared<TrimCommand>();
  Verb& command =
      program.AddVerb("trim", "Cut some frames or draws out as a trace that stands on its own");
  command.Add("IN", options->input, "Trace to read, .dp2t or .json").Required();
  command.Add("OUT", options->output, "Trace to write, .dp2t or .json").Required();
  Argument& frames =
      AddSelection(command, "--frames", options->frames,
                   "Frames to keep, from the first chosen one to the last: 24, 3-5, last");
  Argument& draws = AddSelection(command, "--draws", options->draws,
                                 "Draws to keep, from the first chosen one to the last");
  frames.Excludes(draws);
  AddFormat(command, options->json);
  AddRendererOptions(command, options->drawing.renderer, options->drawing.raster);
  AddMaxSteps(command, options->input, options->drawing.work);
  AddSandboxOption(command, options->is_sandboxed);
  AddMaxMemory(command, options->max_memory);
  command.SetExample("dp2trace trim capture.dp2t frame.dp2t --frames 24");
  command.OnRun([options, &frames, &draws] {
    options->chooses_draws = draws.count() != 0;
    return frames.count() + draws.count() != 0 ? RunTrim(*options)
                                               : UsageError("trim needs --frames or --draws");
  });
}

}  // namespace dp2trace::app
