#include "history_command.h"

#include <memory>
#include <string>

#include "console.h"
#include "history/report.h"
#include "history_frame.h"
#include "history_run.h"
#include "limit_options.h"
#include "options.h"
#include "renderer_options.h"
#include "sandbox_option.h"

namespace dp2trace::app {
namespace {

ExitCode RunHistory(HistoryOptions options) {
  if (options.trace == "-") {
    return UsageError("history reads the trace twice: standard input cannot be read again");
  }
  Confine(options.is_sandboxed, {.traces = {options.trace}, .folders = {}, .files = {}});
  if (options.has_surface) options.history.surface = options.surface;
  ExitCode code = ResolveFrame(options.trace, options.max_memory, options.frame);
  if (code != ExitCode::kOk) return code;
  const auto recorder = RecordFrame(options, code);
  if (recorder == nullptr) return code;
  const history::History history = recorder->Finish();
  if (!history.absence.empty()) {
    PrintError(history.absence);
    return Worse(code, ExitCode::kNothingToDo);
  }
  const Status written =
      WriteResult(options.json ? history::ReportJson(history) : history::ReportText(history));
  return Worse(code, ReportOutput(written));
}

}  // namespace

void AddHistoryCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<HistoryOptions>();
  CLI::App* command = app.add_subcommand(
      "history", "Say what touched a pixel in a frame, in order, and why it is what it is");
  command->add_option("TRACE", options->trace, "Trace to read, .dp2t or .json")->required();
  AddFrame(*command, options->frame, "Number of the frame, from 1, or last")->required();
  command
      ->add_option_function<std::string>(
          "--pixel",
          [options](const std::string& text) {
            if (!ParsePixel(text, options->history.x, options->history.y))
              throw CLI::ValidationError("--pixel", "'" + text + "' is no pixel; expected X,Y");
          },
          "The pixel: of the frame's picture, with --surface of the level")
      ->required()
      ->type_name("X,Y");
  CLI::Option* surface =
      command
          ->add_option("--surface", options->surface, "Of this surface, not what the frame shows")
          ->type_name("HANDLE");
  command->add_option("--face", options->history.face, "With --surface: of this face (0)")
      ->needs(surface)
      ->type_name("FACE");
  command->add_option("--level", options->history.level, "With --surface: of this level (0)")
      ->needs(surface)
      ->type_name("LEVEL");
  command
      ->add_option("--slice", options->history.slice,
                   "With --surface: of this slice of a volume (0)")
      ->needs(surface)
      ->type_name("SLICE");
  command->add_flag("--steps", options->history.wants_steps,
                    "Each instruction of the shaders, with what it reads and gives");
  AddFormat(*command, options->json);
  AddRendererOptions(*command, options->history.renderer, options->history.raster);
  AddLimitOptions(*command, options->trace, options->history.validation, options->history.raster);
  AddSandboxOption(*command, options->is_sandboxed);
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace history capture.dp2t --frame 3 --pixel 120,88");
  command->callback([options, command, &code] {
    options->has_surface = command->count("--surface") != 0;
    code = RunHistory(*options);
  });
}

}  // namespace dp2trace::app
