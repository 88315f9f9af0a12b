#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/plain_text.h"
#include "console.h"
#include "json/output.h"
#include "limit_options.h"
#include "options.h"
#include "sandbox_option.h"
#include "scrub/scrub.h"
#include "text/finding.h"
#include "text/report_list.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

constexpr const char* kNotes =
    "Texels, palettes, vertices and pictures become noise that follows only from their surface and\n"
    "their place in it; texts, comments in shaders and private driver data go. A trace of plain\n"
    "pictures may grow: noise compresses less. What stays to be seen:\n"
    "sizes and formats; which texels are transparent, and so the outlines of sprites and letters;\n"
    "sign and magnitude of the numbers of vertices, and so roughly where on the screen a transformed\n"
    "one is; which vertices are equal and which of them a triangle joins; matrices, lights, colours\n"
    "of states, constants and code of shaders; what was drawn when, and how often.";

struct ScrubOptions {
  std::string input;
  TraceOutput output;
  std::vector<std::string> keep;
  bool json = false;
  bool is_sandboxed = true;
  uint64_t max_memory = kDefaultMaxMemory;
  trace_model::WorkBounds work;
};

// What the output lacks, and what it has beyond.
std::string Describe(const scrub::ScrubResult& result, const ScrubOptions& options) {
  std::string text;
  for (const Diagnostic& finding : result.gone)
    text += "- " + FormatDiagnostic(options.input, finding) + "\n";
  for (const Diagnostic& finding : result.came)
    text += "+ " + FormatDiagnostic(options.output.path, finding) + "\n";
  text += fmt::format(
      "{} written; {} in the input, {} of them gone in the output, {} new there{}\n",
      Counted(result.events, "event"), Counted(result.findings, "finding"), result.gone.size(),
      result.came.size(), result.is_partial ? " among those that are compared" : "");
  return text;
}

std::string DescribeAsJson(const scrub::ScrubResult& result, std::string_view trace) {
  std::string text = json::OutputHead("scrub", trace);
  text += fmt::format(",\"events\":{},\"findings\":{},\"compares_all\":{}", result.events,
                      result.findings, !result.is_partial);
  const auto add = [](std::string& out, const Diagnostic& finding) {
    out += '{';
    text::AppendFindingMembers(out, finding);
    out += '}';
  };
  text::AppendList(text, "gone", result.gone, add);
  text::AppendList(text, "new", result.came, add);
  return text + "}\n";
}

ExitCode RunScrub(const ScrubOptions& options) {
  if (CheckOutput(options.output) != ExitCode::kOk) return ExitCode::kUsage;
  if (options.input == "-") return UsageError("standard input can be read only once");
  Confine(options.is_sandboxed, {.traces = {options.input}, .files = {options.output.path}});
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;
  const auto source = OpenTrace(options.input, options.max_memory, findings, code);
  if (source == nullptr) return code;
  const Status read = ForEachEvent(*source, "read", [](const trace::EventRecord&) { return true; });
  code = ReportReading(options.input, *source, findings);
  if (!read.ok()) return code;
  const trace_model::Open open = [&] {
    return trace_file::OpenAgain(options.input, options.max_memory, findings);
  };
  const auto keeps = [&options](std::string_view what) {
    return std::ranges::find(options.keep, what) != options.keep.end();
  };
  const Result<scrub::ScrubResult> result =
      scrub::ScrubTrace(open,
                        {.keeps_geometry = keeps("GEOMETRY"),
                         .keeps_textures = keeps("TEXTURES"),
                         .keeps_shaders = keeps("SHADERS")},
                        options.output.path, options.max_memory, options.work, ForEachEvent);
  if (!result.ok()) return Worse(code, ReportFailure(options.output.path, result.status()));
  if (result->events == 0) return code;
  code = Worse(code, ReportOutput(WriteResult(options.json ? DescribeAsJson(*result, options.input)
                                                           : Describe(*result, options))));
  const bool is_same = result->gone.empty() && result->came.empty();
  return is_same ? code : Worse(code, ExitCode::kFindings);
}

}  // namespace

void AddScrub(Verb& program) {
  auto options = std::make_shared<ScrubOptions>();
  Verb& command = program.AddVerb(
      "scrub", "Replace pictures, vertices and texts of a trace, so that it can be shared");
  command.Add("IN", options->input, "Trace to read, .dp2t or .json").Required();
  AddTraceOutput(command, options->output);
  command.Add("--keep", options->keep, "What stays as it is; may be repeated")
      .OneOf({"GEOMETRY", "TEXTURES", "SHADERS"})
      .OnePerMention();
  AddFormat(command, options->json);
  AddSandboxOption(command, options->is_sandboxed);
  AddMaxMemory(command, options->max_memory);
  AddMaxSteps(command, options->input, options->work);
  command.SetExample("dp2trace scrub game.dp2t shared.dp2t --keep GEOMETRY", kNotes);
  command.OnRun([options] { return RunScrub(*options); });
}

}  // namespace dp2trace::app
