#include "inspect_live.h"

#include <optional>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/temporaries.h"
#include "console.h"
#include "inspect_part.h"
#include "live_parts.h"
#include "options.h"
#include "os/path.h"
#include "sandbox_option.h"
#include "trace_reading.h"

namespace dp2trace::app {
namespace {

// The whole trace, or the part of it that is asked for. Not `is_there`, after a line that says why, where it cannot be had.
ExitCode AddOwnTrace(const InspectOptions& options, const std::optional<TemporaryFolder>& folder,
                     live::OwnTrace& trace, bool& is_there) {
  ExitCode code = ExitCode::kOk;
  std::string path = options.trace;
  if (folder) {
    path = folder->path() + "/" + NameOf(options.trace);
    code = WritePartOfPage(options, path, trace.part);
    if (trace.part.empty()) return code;
  }
  Result<live::OwnTrace> read = ReadOwnTrace(path);
  is_there = read.ok();
  if (!is_there) return ReportFailure(path, read.status());
  read->part = std::move(trace.part);
  trace = std::move(*read);
  return code;
}

}  // namespace

ExitCode WriteLivePage(const InspectOptions& options) {
  if (CheckPlaces({options.output}, options.is_forced) != ExitCode::kOk) return ExitCode::kUsage;
  if (options.frames->count() != 0 && options.draws->count() != 0)
    return UsageError("with --live, --frames and --draws exclude each other");
  const bool is_part = options.frames->count() + options.draws->count() != 0;
  if (options.trace.empty() && is_part) return UsageError("--frames and --draws need TRACE");
  const std::string engine_path = FindEngine(options.engine);
  if (engine_path.empty()) return ExitCode::kUsage;
  std::vector<std::string> inputs = options.examples;
  inputs.push_back(engine_path);
  std::optional<TemporaryFolder> folder;  // of the part
  if (is_part && folder.emplace().path().empty()) {
    PrintError("no folder for the part could be made");
    return ExitCode::kInput;
  }
  Confine(options.is_sandboxed, {.traces = {options.trace},
                                 .inputs = inputs,
                                 .files = {options.output},
                                 .temporary = folder ? folder->path() : ""});
  const Result<std::vector<uint8_t>> engine = ReadEngine(engine_path);
  if (!engine.ok()) return ReportFailure(engine_path, engine.status());
  live::PageContent content;
  content.engine = *engine;
  std::optional<live::OwnTrace> trace;
  for (const std::string& path : options.examples) {
    Result<live::OwnTrace> example = ReadOwnTrace(path);
    if (!example.ok()) return ReportFailure(path, example.status());
    content.examples.push_back(std::move(*example));
  }
  ExitCode code = ExitCode::kOk;
  bool is_there = options.trace.empty();
  if (!is_there) code = AddOwnTrace(options, folder, trace.emplace(), is_there);
  if (!is_there) return code;
  content.trace = trace ? &*trace : nullptr;
  const Status status = WriteFile(options.output, live::PageText(content));
  return status.ok() ? code : Worse(code, ReportFailure(options.output, status));
}

}  // namespace dp2trace::app
