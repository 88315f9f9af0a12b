#include "inspect_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "console.h"
#include "inspect/inspector.h"
#include "inspect/summary.h"
#include "limit_options.h"
#include "options.h"
#include "renderer_options.h"
#include "rule_options.h"
#include "work.h"

namespace dp2trace::app {
namespace {

struct InspectVerb {
  std::string trace;
  std::string output;
  bool json = false;
  uint64_t max_memory = kDefaultMaxMemory;
  RuleOptions rules;
  inspect::Options inspect;
};

ExitCode ReportNothing(const inspect::Inspector& inspector) {
  PrintError(fmt::format("--frames chose nothing that can be shown; frames in the trace: {}",
                         inspector.frames_seen()));
  return ExitCode::kNothingToDo;
}

ExitCode RunInspect(InspectVerb options) {
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
  if (status.ok())
    status = inspector.Finish({.tool = "dp2trace " DP2TRACE_VERSION, .trace = name, .hash = {}});
  if (status.ok() && inspector.frames().empty()) return Worse(code, ReportNothing(inspector));
  if (status.ok()) status = folder->Commit();
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
  command->add_option("TRACE", options->trace, "Trace to read, .dp2t or .json")->required();
  command
      ->add_option("-o,--output", options->output,
                   "Folder for the page; replaced where it is an earlier one")
      ->required()
      ->type_name("DIR");
  AddSelection(*command, "--frames", options->inspect.frames, "Frames to show: 24, 3-5, last")
      ->required();
  AddSelection(*command, "--draws", options->inspect.draws,
               "Draws of these frames that are items of their own; what lies between is one (all)");
  inspect::Limits& limits = options->inspect.limits;
  command->add_option("--max-items", limits.items, "Most items of a frame (10000)")->type_name("N");
  AddSize(*command, "--max-data", limits.bytes,
          "Size of the data behind which items are not shown alone, with K, M or G (256M)");
  AddSize(*command, "--max-surface-copies", limits.surfaces,
          "Memory for copies of the surfaces that a frame writes, with K, M or G (512M)");
  AddFormat(*command, options->json);
  AddRendererOptions(*command, options->inspect.renderer, options->inspect.raster);
  AddRuleOptions(*command, options->rules);
  AddLimitOptions(*command, options->inspect.validation, options->inspect.raster);
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace inspect capture.dp2t --frames 24 -o frame24");
  command->callback([options, &code] { code = RunInspect(*options); });
}

}  // namespace dp2trace::app
