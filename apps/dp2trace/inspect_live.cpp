#include "inspect_live.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/file.h"
#include "base/rule.h"
#include "base/temporaries.h"
#include "console.h"
#include "inspect_part.h"
#include "live/page.h"
#include "options.h"
#include "os/path.h"
#include "os/process.h"
#include "sandbox_option.h"
#include "trace_reading.h"

namespace dp2trace::app {
namespace {

// Browsers hold a page several times over.
constexpr uint64_t kMostBytes = uint64_t{256} << 20;
constexpr uint64_t kMostEngineBytes = uint64_t{64} << 20;

// "lit-textured-knot.json" is "lit textured knot".
std::string TitleOf(const std::string& name) {
  std::string title = name.substr(0, name.rfind('.'));
  std::ranges::replace(title, '-', ' ');
  return title;
}

// False, after a line that says why, where the file cannot be read.
bool AddTrace(const std::string& path, live::OwnTrace& trace) {
  Result<std::vector<uint8_t>> bytes = ReadWholeFile(path, kMostBytes);
  if (!bytes.ok()) {
    (void)ReportFailure(path, bytes.status());
    return false;
  }
  trace.name = NameOf(path);
  trace.title = TitleOf(trace.name);
  trace.bytes = std::move(*bytes);
  return true;
}

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
  is_there = AddTrace(path, trace);
  return is_there ? code : ExitCode::kInput;
}

}  // namespace

ExitCode WriteLivePage(const InspectOptions& options) {
  if (CheckPlaces({options.output}, options.is_forced) != ExitCode::kOk) return ExitCode::kUsage;
  if (options.frames->count() != 0 && options.draws->count() != 0)
    return UsageError("with --live, --frames and --draws exclude each other");
  const bool is_part = options.frames->count() + options.draws->count() != 0;
  if (options.trace.empty() && is_part) return UsageError("--frames and --draws need TRACE");
  const std::string engine_path = options.engine.empty()
                                      ? FindDataFile("engine.wasm", "../../../web/engine.wasm")
                                      : options.engine;
  if (engine_path.empty()) {
    return UsageError(
        "there is no engine.wasm beside the program: scripts/build_web.sh makes it, --engine says where it is");
  }
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
  const Result<std::vector<uint8_t>> engine = ReadWholeFile(engine_path, kMostEngineBytes);
  if (!engine.ok()) return ReportFailure(engine_path, engine.status());
  if (const std::string_view missing = live::MissingExport(*engine); !missing.empty()) {
    return ReportFailure(
        engine_path,
        Failure(kCannotRead,
                fmt::format("cannot read {}: it is not an engine of this version: it has no {}",
                            engine_path, missing)));
  }
  live::PageContent content;
  content.engine = *engine;
  std::optional<live::OwnTrace> trace;
  for (const std::string& path : options.examples) {
    if (!AddTrace(path, content.examples.emplace_back())) return ExitCode::kInput;
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
