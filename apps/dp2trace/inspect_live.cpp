#include "inspect_live.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/file.h"
#include "console.h"
#include "live/loader.h"
#include "live/page.h"
#include "options.h"
#include "os/path.h"
#include "os/process.h"
#include "sandbox_option.h"
#include "work.h"

namespace dp2trace::app {
namespace {

// Browsers hold a page several times over.
constexpr uint64_t kMostBytes = uint64_t{256} << 20;
constexpr uint64_t kMostEngineBytes = uint64_t{64} << 20;

// Where scripts/build_web.sh and the packages put it.
std::string FindEngine(const std::string& named) {
  if (!named.empty()) return named;
  const std::string folder = FolderOf(ProgramPath());
  const std::array places = {folder + "/engine.wasm", folder + "/../share/dp2trace/engine.wasm",
                             folder + "/../../../web/engine.wasm"};
  for (const std::string& place : places) {
    if (LookAt(place).kind == FileKind::kRegular) return place;
  }
  return {};
}

}  // namespace

ExitCode WriteLivePage(const LiveVerb& options) {
  const std::string engine_path = FindEngine(options.engine);
  if (engine_path.empty()) {
    return UsageError(
        "there is no engine.wasm beside the program: scripts/build_web.sh makes it, --engine says where it is");
  }
  Confine(options.is_sandboxed,
          {.traces = {options.trace}, .inputs = {engine_path}, .files = {options.output}});
  const Result<std::vector<uint8_t>> engine = ReadWholeFile(engine_path, kMostEngineBytes);
  if (!engine.ok()) return ReportFailure(engine_path, engine.status());
  live::PageContent content;
  content.engine = *engine;
  Result<std::vector<uint8_t>> bytes(std::vector<uint8_t>{});
  live::OwnTrace trace;
  if (!options.trace.empty()) {
    bytes = ReadWholeFile(options.trace, kMostBytes);
    if (!bytes.ok()) return ReportFailure(options.trace, bytes.status());
    trace = {.name = NameOf(options.trace), .title = {}, .bytes = *bytes};
    content.trace = &trace;
  }
  const Status status = WriteFile(options.output, live::PageText(content));
  return status.ok() ? ExitCode::kOk : ReportFailure(options.output, status);
}

}  // namespace dp2trace::app
