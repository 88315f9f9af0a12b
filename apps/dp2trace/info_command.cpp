#include "info_command.h"

#include <memory>
#include <string>

#include "console.h"
#include "info_frames.h"
#include "limit_options.h"
#include "options.h"
#include "text/info.h"
#include "work.h"

namespace dp2trace::app {
namespace {

ExitCode RunInfo(const InfoOptions& options) {
  if (!options.frames.empty()) return RunFrames(options);
  ExitCode code = ExitCode::kOk;
  DiagnosticList findings;
  const std::unique_ptr<trace_file::Source> source =
      OpenTrace(options.trace, options.max_memory, findings, code);
  if (source == nullptr) return code;
  const text::Summary summary = Summarize(*source, "info");
  const std::string version = source->version();
  const text::InfoSource about{options.trace,
                               source->form() == trace_file::Form::kBinary ? "binary" : "json",
                               version,
                               source->size(),
                               source->is_truncated(),
                               source->is_incomplete()};
  Status written =
      WriteResult(options.json ? text::InfoJson(about, summary) : text::InfoText(about, summary));
  if (written.ok()) written = FinishResult();
  code = ReportReading(options.trace, *source, findings);
  return Worse(code, ReportOutput(written));
}

}  // namespace

void AddInfoCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand(
      "info", "Say what is in a trace: events, operations, levels, sizes, frames");
  command->add_option("TRACE", options->trace, "Trace to read, .dp2t or .json; - is standard input")
      ->required();
  command->add_flag("--frames{all}", options->frames,
                    "Statistics of each frame instead: draws, primitives, states, bytes, textures, "
                    "overdraw; --frames=SEL: of these");
  AddFormat(*command, options->json);
  AddMaxMemory(*command, options->max_memory);
  AddLimitOptions(*command, options->trace, options->counter.validation, options->counter.raster);
  AddExample(*command, "dp2trace info capture.dp2t --format json");
  command->callback([options, &code] { code = RunInfo(*options); });
}

}  // namespace dp2trace::app
