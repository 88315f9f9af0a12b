#include <fmt/format.h>

#include <memory>
#include <string>

#include "console.h"
#include "json/output.h"
#include "sandbox_option.h"
#include "text/value.h"
#include "trim_options.h"
#include "trim_part.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

// What the numbers of the input are in the output, for programs.
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

ExitCode RunTrim(const TrimOptions& options) {
  if (CheckOutput(options.output) != ExitCode::kOk) return ExitCode::kUsage;
  Confine(options.is_sandboxed, {.traces = {options.input}, .files = {options.output.path}});
  trim::Part part;
  const ExitCode code = WriteChosenPart(options, part);
  if (!part.is_found) return code;
  if (options.json) return Worse(code, ReportOutput(WriteResult(PartJson(options.input, part))));
  DescribePart(part);
  return code;
}

}  // namespace

void AddTrim(Verb& program) {
  auto options = std::make_shared<TrimOptions>();
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
