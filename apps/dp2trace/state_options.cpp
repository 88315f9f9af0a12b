#include "state_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "console.h"
#include "info/summary.h"
#include "limit_options.h"
#include "renderer_options.h"
#include "sandbox_option.h"
#include "trace_reading.h"

namespace dp2trace::app {
namespace {

constexpr const char* kLast = "last";

std::optional<uint64_t> ParseDraw(const std::string& word) {
  uint64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end || number == 0) return std::nullopt;
  return number;
}

std::string CheckDraw(const std::string& word) {
  if (word == kLast || ParseDraw(word)) return {};
  return "'" + word + "' is not a draw; expected a number from 1, or last";
}

// The number of draws in the trace; nothing, with a code, where it cannot be read.
std::optional<uint64_t> CountDraws(const StateOptions& options, ExitCode& code) {
  if (options.trace == "-") {
    PrintError("'last' needs a file: standard input can be read only once");
    code = ExitCode::kUsage;
    return std::nullopt;
  }
  DiagnosticList findings;  // reported when the trace is read again
  const auto source = OpenTrace(options.trace, options.max_memory, findings, code);
  if (source == nullptr) return std::nullopt;
  const Result<info::Summary> summary = Summarize(*source, "state");
  if (summary.ok()) return summary->draws;
  code = ReportFailure(options.trace, summary.status());
  return std::nullopt;
}

}  // namespace

void AddStateOptions(Verb& command, StateOptions& options) {
  command.Add("TRACE", options.trace, "Trace to read, .dp2t or .json; - is standard input")
      .Required();
  command
      .Add("--draw", options.draw_words,
           "Number of the draw, from 1, or last; given twice: what differs from the first "
           "to the second")
      .Required()
      .AtMost(2)
      .Check(CheckDraw)
      .Value("N");
  command
      .Add("--textures", options.textures,
           "Folder for the textures that are bound, as PNG: all levels and faces")
      .Value("DIR");
  command
      .Add("--mesh", options.mesh,
           "File for vertices, primitives and screen coordinates: a table, or Wavefront "
           "OBJ by the extension .obj")
      .Value("FILE");
  AddForce(command, options.is_forced, "Replace FILE where it exists");
  command.AddSwitch("--all", options.lists_all,
                    "The values that nobody ever set, too (text; JSON has them)");
  AddFormat(command, options.json);
  AddRendererOptions(command, options.finder.play.renderer, options.finder.play.raster);
  AddLimitOptions(command, options.trace, options.finder.play.validation,
                  options.finder.play.raster);
  AddSandboxOption(command, options.is_sandboxed);
  AddMaxMemory(command, options.max_memory);
}

ExitCode PrepareState(StateOptions& options) {
  if (options.draw_words.size() > 2) {
    return UsageError("state takes one draw, or two to compare");
  }
  if (options.draw_words.size() == 2 && (!options.textures.empty() || !options.mesh.empty())) {
    return UsageError("--textures and --mesh need one --draw");
  }
  if (CheckPlaces({options.mesh}, options.is_forced) != ExitCode::kOk) return ExitCode::kUsage;
  std::string selection;
  for (const std::string& word : options.draw_words) {
    ExitCode code = ExitCode::kOk;
    const std::optional<uint64_t> number =
        word == kLast ? CountDraws(options, code) : ParseDraw(word);
    if (!number) return code;
    options.draws.push_back(*number);
    selection += fmt::format("{}{}", selection.empty() ? "" : ",", *number);
  }
  std::string error;
  options.finder.draws = *Selection::Parse(selection, error);
  options.finder.wants_meshes = true;
  // Vertex processing is part of a draw's work.
  options.finder.mesh_limits.steps =
      std::min(options.finder.mesh_limits.steps, options.finder.play.raster.max_draw_steps);
  // The layout of the vertices is of interest always, what they hold is not.
  if (options.mesh.empty()) options.finder.mesh_limits.primitives = 0;
  options.finder.draws_pixels = !options.textures.empty() || !options.mesh.empty();
  return ExitCode::kOk;
}

}  // namespace dp2trace::app
