#include <memory>
#include <string>

#include "console.h"
#include "edit_changes.h"
#include "limit_options.h"
#include "options.h"
#include "rules/rule.h"
#include "sandbox_option.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

ExitCode RunEdit(const EditOptions& options) {
  if (CheckOutput(options.output) != ExitCode::kOk) return ExitCode::kUsage;
  Confinement confinement = {.traces = {options.input}, .files = {options.output.path}};
  confinement.inputs = PicturesOf(options);
  // A patch names pictures beside it.
  if (!options.patch.empty()) confinement.traces.push_back(options.patch);
  Confine(options.is_sandboxed, confinement);
  ExitCode code = ExitCode::kOk;
  edit::Patch patch;
  if (!ReadChanges(options, patch, code)) return code;
  if (patch.empty())
    return UsageError("there is nothing to change: --set, --drop, --move, --replace or --patch");
  DiagnosticList findings;
  const auto source =
      trace_file::WithResults(OpenTrace(options.input, options.max_memory, findings, code));
  if (source == nullptr) return code;
  const Result<edit::EditResult> result = edit::EditTrace(
      *source, patch, options.output.path, options.max_memory / 2, options.work, ForEachEvent);
  code = ReportReading(options.input, *source, findings);
  if (!result.ok()) {
    // A change that cannot be made is named in the message; it is not a fault of the output.
    const bool is_of_change = result.status().diagnostic().rule == Rule::kJson006;
    return Worse(code,
                 ReportFailure(is_of_change ? "dp2trace" : options.output.path, result.status()));
  }
  if (!ReportUnmatched(patch, *result)) return Absent(code);
  return Worse(code, ReportOutput(WriteResult(DescribeEdit(options, patch, *result))));
}

}  // namespace

void AddEdit(Verb& program) {
  auto options = std::make_shared<EditOptions>();
  Verb& command = program.AddVerb(
      "edit", "Change states, draws, vertices, shaders or textures of a trace: what if?");
  command.Add("IN", options->input, "Trace to read, .dp2t or .json").Required();
  AddTraceOutput(command, options->output);
  command
      .Add(
          "--set", options->sets,
          "A state at a draw, 5, 3-7 or all, and only there, as state prints it: draw=5,ZENABLE=FALSE, \"draw=5,stage 0 COLOROP=DISABLE\"; a shader constant, a matrix, a vertex: draw=5,vs.c4=1,0,0,1, draw=5,VIEW=1,0,0,0,..., draw=5,vertex.2.POSITION=0,1,0; an instruction of a shader by its number: \"draw=5,ps.3=mul r0, v0, c1\"")
      .Value("draw=SEL,STATE=VALUE")
      .AtMost(Argument::kAnyNumber)
      .OnePerMention();
  command.Add("--drop", options->drops, "Leave draws out: draw=7")
      .Value("draw=SEL")
      .AtMost(Argument::kAnyNumber)
      .OnePerMention();
  command.Add("--move", options->moves, "A draw in front of another one: draw=7,before=3")
      .Value("draw=N,before=M")
      .AtMost(Argument::kAnyNumber)
      .OnePerMention();
  command
      .Add(
          "--replace", options->replaces,
          "Another picture in a level of a surface: texture=3,0,wood.png; of a face of a cube: texture=3,LEVEL,FACE,FILE")
      .Value("texture=HANDLE,LEVEL,FILE")
      .AtMost(Argument::kAnyNumber)
      .OnePerMention();
  command.Add("--patch", options->patch, "Changes as JSON, with tokens of any kind").Value("FILE");
  AddFormat(command, options->json);
  AddSandboxOption(command, options->is_sandboxed);
  AddMaxMemory(command, options->max_memory);
  AddMaxSteps(command, options->input, options->work);
  command.SetExample(
      "dp2trace edit game.dp2t what-if.dp2t --set draw=468,ZENABLE=FALSE --drop draw=470");
  command.OnRun([options] { return RunEdit(*options); });
}

}  // namespace dp2trace::app
