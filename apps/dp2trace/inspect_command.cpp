#include "inspect_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "console.h"
#include "inspect/inspector.h"
#include "inspect/summary.h"
#include "inspect_history.h"
#include "inspect_options.h"
#include "options.h"
#include "rule_options.h"
#include "sandbox_option.h"
#include "work.h"

namespace dp2trace::app {
namespace {

ExitCode ReportNothing(const inspect::Inspector& inspector) {
  PrintError(fmt::format("--frames chose nothing that can be shown; frames in the trace: {}",
                         inspector.frames_seen()));
  return ExitCode::kNothingToDo;
}

inspect::RunHead HeadOf(const std::string& trace, const std::vector<HistoryPixel>& pixels) {
  inspect::RunHead head = {.tool = "dp2trace " DP2TRACE_VERSION, .trace = trace};
  for (const HistoryPixel& pixel : pixels)
    head.history.push_back({pixel.x, pixel.y});
  return head;
}

ExitCode AddHistories(const InspectVerb& options, const inspect::Inspector& inspector,
                      inspect::DataFolder& folder) {
  HistoryRequest request = {.trace = options.trace,
                            .max_memory = options.max_memory,
                            .frames = {},
                            .pixels = options.pixels,
                            .validation = options.inspect.validation,
                            .raster = options.inspect.raster};
  for (const auto& frame : inspector.frames())
    request.frames.push_back(frame.number);
  return WriteHistories(request, folder);
}

ExitCode RunInspect(InspectVerb options) {
  if (options.trace == "-" && !options.pixels.empty()) {
    return UsageError("--history reads the trace again: standard input can be read only once");
  }
  ExitCode code = ResolveLast(options.trace, options.max_memory, "find the last",
                              {.frames = &options.inspect.frames, .draws = &options.inspect.draws});
  if (code != ExitCode::kOk) return code;
  code = ApplyRuleOptions(options.rules, options.inspect.validation);
  if (code != ExitCode::kOk) return code;
  DiagnosticList reading;
  const auto source =
      trace_file::WithResults(OpenTrace(options.trace, options.max_memory, reading, code));
  if (source == nullptr) return code;
  Result<inspect::DataFolder> folder = inspect::DataFolder::Create(options.output);
  if (!folder.ok()) return ReportFailure(options.output, folder.status());
  Confine(options.is_sandboxed,
          {.traces = {options.trace}, .folders = {}, .files = {options.output}});
  inspect::Inspector inspector(options.inspect, *folder);
  Status status = folder->WritePage();
  if (status.ok()) {
    ForEachEvent(*source, "inspect", [&](const trace::EventRecord& record) {
      status = inspector.OnEvent(record.number, record.event);
      return status.ok() && !inspector.is_done();
    });
  }
  code = ReportReading(options.trace, *source, reading);
  const std::string name = std::filesystem::path(options.trace).filename().string();
  if (status.ok()) status = inspector.Finish(HeadOf(name, options.pixels));
  if (status.ok() && inspector.frames().empty()) return Worse(code, ReportNothing(inspector));
  if (status.ok()) {
    const ExitCode histories = AddHistories(options, inspector, *folder);
    if (histories != ExitCode::kOk) return Worse(code, histories);
    status = folder->Commit();
  }
  if (!status.ok()) return Worse(code, ReportFailure(options.output, status));
  const inspect::Summary summary = {name, options.output, folder->bytes(), inspector.frames(),
                                    inspector.left_out()};
  return Worse(code, ReportOutput(WriteResult(options.json ? inspect::SummaryJson(summary)
                                                           : inspect::SummaryText(summary))));
}

}  // namespace

void AddInspectCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<InspectVerb>();
  CLI::App* command = app.add_subcommand(
      "inspect", "Write a page on which one sees frames being drawn, item by item");
  AddInspectOptions(*command, *options);
  AddExample(*command, "dp2trace inspect capture.dp2t --frames 24 -o frame24");
  command->callback([options, &code] { code = RunInspect(*options); });
}

}  // namespace dp2trace::app
