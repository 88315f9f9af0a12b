#include "live_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/rule.h"
#include "console.h"
#include "os/path.h"
#include "os/process.h"
#include "trace_reading.h"

namespace dp2trace::app {
namespace {

constexpr uint64_t kMostTraceBytes = uint64_t{256} << 20;
constexpr uint64_t kMostEngineBytes = uint64_t{64} << 20;

// "lit-textured-knot.json" is "lit textured knot".
std::string TitleOf(const std::string& name) {
  std::string title = name.substr(0, name.rfind('.'));
  std::ranges::replace(title, '-', ' ');
  return title;
}

}  // namespace

std::string FindEngine(const std::string& given) {
  if (!given.empty()) return given;
  std::string path = FindDataFile("engine.wasm", "../../../web/engine.wasm");
  if (path.empty()) {
    (void)UsageError(
        "there is no engine.wasm beside the program: scripts/build_web.sh makes it, --engine says where it is");
  }
  return path;
}

Result<std::vector<uint8_t>> ReadEngine(const std::string& path) {
  Result<std::vector<uint8_t>> engine = ReadWholeFile(path, kMostEngineBytes);
  if (!engine.ok()) return engine;
  if (const std::string_view missing = live::MissingExport(*engine); !missing.empty()) {
    return Failure(kCannotRead,
                   fmt::format("cannot read {}: it is not an engine of this version: it has no {}",
                               path, missing));
  }
  return engine;
}

Result<live::OwnTrace> ReadOwnTrace(const std::string& path) {
  Result<std::vector<uint8_t>> bytes = ReadWholeFile(path, kMostTraceBytes);
  if (!bytes.ok()) return bytes.status();
  live::OwnTrace trace;
  trace.name = NameOf(path);
  trace.title = TitleOf(trace.name);
  trace.bytes = std::move(*bytes);
  return trace;
}

}  // namespace dp2trace::app
