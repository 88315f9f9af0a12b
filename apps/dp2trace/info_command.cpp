#include <memory>
#include <string>

#include "console.h"
#include "info/info.h"
#include "info_frames.h"
#include "limit_options.h"
#include "options.h"
#include "sandbox_option.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

ExitCode RunInfo(const InfoOptions& options) {
  Confine(options.is_sandboxed, {.traces = {options.trace}});
  if (!options.frames.empty()) {
    if (options.json) ExpectJson("info-frames");
    return RunFrames(options);
  }
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;
  const std::unique_ptr<trace_file::Source> source =
      OpenTrace(options.trace, options.max_memory, findings, code);
  if (source == nullptr) return code;
  const Result<info::Summary> summary = Summarize(*source, "info");
  if (!summary.ok()) return ReportReading(options.trace, *source, findings);
  const std::string version = source->version();
  const info::InfoSource about{options.trace,
                               source->form() == trace_file::Form::kBinary ? "binary" : "json",
                               version,
                               source->size(),
                               source->is_truncated(),
                               source->is_incomplete()};
  Status written =
      WriteResult(options.json ? info::InfoJson(about, *summary) : info::InfoText(about, *summary));
  if (written.ok()) written = FinishResult();
  code = ReportReading(options.trace, *source, findings);
  return Worse(code, ReportOutput(written));
}

}  // namespace

void AddInfo(Verb& program) {
  auto options = std::make_shared<InfoOptions>();
  Verb& command =
      program.AddVerb("info", "Show what is in a trace: events, operations, levels, sizes, frames");
  command.Add("TRACE", options->trace, "Trace to read, .dp2t or .json; - is standard input")
      .Required();
  command
      .AddSwitchWithValue("--frames", "all", options->frames,
                          "Statistics of each frame instead: draws, primitives, states, bytes, "
                          "textures, overdraw; --frames SEL: of these")
      .Check([](const std::string& text) {
        std::string error;
        return Selection::Parse(text, error) ? std::string() : error;
      });
  AddFormat(command, options->json);
  AddSandboxOption(command, options->is_sandboxed);
  AddMaxMemory(command, options->max_memory);
  AddLimitOptions(command, options->trace, options->counter.play.validation,
                  options->counter.play.raster);
  command.SetExample("dp2trace info capture.dp2t --format json");
  command.OnRun([options] { return RunInfo(*options); });
}

}  // namespace dp2trace::app
