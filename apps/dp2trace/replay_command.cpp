#include "replay_command.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include "base/file.h"
#include "console.h"
#include "follow_options.h"
#include "image/png.h"
#include "lint/report_json.h"
#include "options.h"
#include "renderer_options.h"
#include "replay/replayer.h"
#include "rule_options.h"
#include "rules/rule.h"
#include "work.h"

namespace dp2trace::app {
namespace {

struct ReplayCommandOptions {
  std::string trace;
  std::string output;
  Selection draws;
  Selection at;
  bool has_draws = false;
  bool has_at = false;
  uint32_t surface = 0;
  bool has_surface = false;
  RuleOptions rules;
  bool has_times = true;
  FollowOptions follow;
  std::optional<Severity> fail_on = Severity::kError;
  uint64_t max_memory = kDefaultMaxMemory;
  replay::Options replay;
};

// Writes each picture as a PNG into the folder and keeps what the report says of it.
class FolderSink final : public replay::ImageSink {
 public:
  explicit FolderSink(std::string folder) : folder_(std::move(folder)) {}

  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    DP2TRACE_RETURN_IF_ERROR(
        image::WritePng((std::filesystem::path(folder_) / info.file).string(), picture));
    images_.push_back(info);
    return OkStatus();
  }
  std::vector<replay::ImageInfo> Take() { return std::move(images_); }

 private:
  std::string folder_;
  std::vector<replay::ImageInfo> images_;
};

Status WriteReport(const std::string& folder, const lint::Report& report,
                   const DiagnosticList& findings) {
  Result<OutputFile> file =
      OutputFile::Create((std::filesystem::path(folder) / "report.json").string());
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(lint::ReportJson(report, findings)));
  return file->Commit();
}

// The output folder and what was done, for people.
void PrintSummary(const ReplayCommandOptions& options, const lint::Report& report) {
  const Status status = WriteResult(
      fmt::format("{}: {} frames, {} reads, {} draws; {} pictures and report.json in {}\n",
                  report.trace, report.statistics.frames, report.statistics.reads,
                  report.statistics.draws, report.images.size(), options.output));
  (void)status;  // FinishResult() reports it
}

// What the user asked for that is known only at the end of the trace.
ExitCode ResolveSelections(ReplayCommandOptions& options) {
  const bool needs_last =
      options.at.needs_last() || options.replay.frames.needs_last() || options.draws.needs_last();
  if (options.follow.is_followed && needs_last) {
    PrintError("'last' needs a whole trace: one that is followed has no last event yet");
    return ExitCode::kUsage;
  }
  return ResolveLast(
      options.trace, options.max_memory, "replay",
      {.events = &options.at, .frames = &options.replay.frames, .draws = &options.draws});
}

ExitCode RunReplay(ReplayCommandOptions options) {
  ExitCode code = ResolveSelections(options);
  if (code != ExitCode::kOk) return code;
  if (options.has_draws) options.replay.draws = options.draws;
  if (options.has_surface) options.replay.surface = options.surface;
  if (options.has_at) options.replay.surface_at = options.at;
  if (const ExitCode rules = ApplyRuleOptions(options.rules, options.replay.validation);
      rules != ExitCode::kOk)
    return rules;
  DiagnosticList findings;
  const std::unique_ptr<trace_file::Source> source =
      OpenFollowed(options.trace, options.max_memory, options.follow, findings, code);
  if (source == nullptr) return code;
  if (const Status made = MakeFolder(options.output); !made.ok())
    return ReportFailure(options.output, made);

  const auto start = std::chrono::steady_clock::now();
  FolderSink images(options.output);
  replay::Replayer replayer(options.replay, findings, images);
  Status status;
  ForEachEvent(*source, "replay", [&](const trace::EventRecord& record) {
    status = replayer.OnEvent(record.number, record.event);
    return status.ok() && !replayer.statistics().is_stopped;
  });
  if (status.ok()) status = replayer.Finish();

  lint::Report report;
  report.trace = std::filesystem::path(options.trace).filename().string();
  report.tool = "dp2trace " DP2TRACE_VERSION;
  report.is_complete = !source->is_incomplete();
  report.images = images.Take();
  report.statistics = replayer.statistics();
  if (options.has_times)
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (status.ok()) status = WriteReport(options.output, report, findings);
  code = Worse(ReportReading(options.trace, *source, findings),
               status.ok() ? ExitCode::kOk : ReportFailure(options.output, status));
  if (status.ok()) PrintSummary(options, report);
  return HasFailed(options.fail_on, findings) ? Worse(code, ExitCode::kFindings) : code;
}

void AddLimits(CLI::App& command, ReplayCommandOptions& options) {
  command.add_option("--max-surface-extent",
                     options.replay.validation.device.surfaces.max_dimension,
                     "Largest width, height or depth of a surface (16384)");
  command
      .add_option("--max-surface-memory", options.replay.validation.device.max_surface_bytes,
                  "Memory of all surfaces together (4G)")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
  command.add_option("--max-primitives", options.replay.validation.device.max_primitives,
                     "Largest number of primitives of one draw (16777216)");
  command
      .add_option("--max-draw-steps", options.replay.raster.max_draw_steps,
                  "Work of one draw: vertices, quads of pixels, shader instructions (1G)")
      ->transform(CLI::AsSizeValue(false))
      ->type_name("COUNT");
  command.add_option("--max-patch-segments", options.replay.raster.max_patch_segments,
                     "Largest number of segments along the edge of a patch (128)");
  AddRendererOptions(command, options.replay.renderer, options.replay.raster);
}

}  // namespace

void AddReplayCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<ReplayCommandOptions>();
  CLI::App* command =
      app.add_subcommand("replay", "Execute a trace and write its frames as PNG, and report.json");
  command->add_option("TRACE", options->trace, "Trace to read, .dp2t or .json; - is standard input")
      ->required();
  command->add_option("-o,--output", options->output, "Folder for the pictures and report.json")
      ->required()
      ->type_name("DIR");
  AddSelection(*command, "--frames", options->replay.frames,
               "Pictures of these frames, from 1: N, A-B, A-, -B, A-B/STEP, last, all, none");
  AddSelection(*command, "--draws", options->draws,
               "Pictures of the targets after these draws, from 1");
  command
      ->add_option("--surface", options->surface,
                   "Pictures of every face and level of this surface")
      ->type_name("HANDLE");
  AddSelection(*command, "--at", options->at,
               "With --surface: behind these events, not at the end");
  AddRuleOptions(*command, options->rules);
  command->add_flag("--strict", options->replay.is_strict,
                    "Stop behind the first event with an error");
  command->add_flag("!--no-times", options->has_times,
                    "Leave the times out of report.json: the same trace gives the same bytes");
  AddFollowOptions(*command, options->follow);
  AddFailOn(*command, options->fail_on);
  AddLimits(*command, *options);
  AddMaxMemory(*command, options->max_memory);
  AddExample(*command, "dp2trace replay capture.dp2t -o pictures --frames 1-10");
  command->callback([options, command, &code] {
    options->has_draws = command->count("--draws") != 0;
    options->has_at = command->count("--at") != 0;
    options->has_surface = command->count("--surface") != 0;
    code = RunReplay(*options);
  });
}

}  // namespace dp2trace::app
