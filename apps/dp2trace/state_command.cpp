#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "console.h"
#include "options.h"
#include "os/path.h"
#include "renderer_options.h"
#include "sandbox_option.h"
#include "state/bound_textures.h"
#include "state/state_report.h"
#include "state/state_writes.h"
#include "state_options.h"
#include "trace_reading.h"
#include "verbs.h"

namespace dp2trace::app {
namespace {

// Keeps what the draws are, in their order; writes the textures of the draw while it is met.
class StateKeeper final : public state::DrawVisitor {
 public:
  explicit StateKeeper(std::string textures) : textures_(std::move(textures)) {}

  Status OnDraw(const state::FoundDraw& draw, const device::Device& device,
                const device::Context& context) override {
    states.push_back({draw, state::TakeSnapshot(context, writes), {}});
    return textures_.empty() ? OkStatus()
                             : state::WriteBoundTextures(textures_, draw, device, context);
  }
  void OnMesh(state::Mesh&& mesh) override { states.back().meshes.push_back(std::move(mesh)); }

  state::StateWrites writes;
  std::vector<state::StateAtDraw> states;

 private:
  std::string textures_;
};

Status WriteMesh(const std::string& path, const std::vector<state::Mesh>& meshes) {
  std::string text;
  if (HasExtension(path, ".obj")) {
    text = state::MeshObj(meshes);
  } else {
    for (const state::Mesh& mesh : meshes)
      text += state::MeshText(mesh);
  }
  return WriteFile(path, text);
}

std::string Report(const StateOptions& options, const std::vector<state::StateAtDraw>& states) {
  const auto at = [&](uint64_t number) -> const state::StateAtDraw& {
    return states.front().draw.token.number == number ? states.front() : states.back();
  };
  const state::StateAtDraw& first = at(options.draws.front());
  if (options.draws.size() == 1) {
    return options.json ? state::StateJson(options.trace, first)
                        : state::StateText(first, options.lists_all);
  }
  const state::StateAtDraw& second = at(options.draws.back());
  return options.json ? state::StateDifferenceJson(options.trace, first, second)
                      : state::StateDifferenceText(first, second);
}

ExitCode ReportMissing(const StateOptions& options, const state::DrawFinder& finder, uint64_t draws,
                       ExitCode reading) {
  if (finder.skipped() == 0) return ReportAbsent("draw", options.draws.back(), draws, reading);
  PrintError("the draw is not executed: its call failed, or has no context");
  return Worse(reading, ExitCode::kNothingToDo);
}

ExitCode RunState(StateOptions options) {
  Confine(options.is_sandboxed,
          {.traces = {options.trace}, .files = {options.textures, options.mesh}});
  if (options.json && options.draws.size() > 1) ExpectJson("state-difference");
  ExitCode code = PrepareState(options);
  if (code != ExitCode::kOk) return code;
  const EarlierOutput earlier(options.textures);
  StateKeeper keeper(options.textures);
  state::DrawFinder finder(options.finder, keeper);
  play::Player player(options.finder.play, {&keeper.writes, &finder});
  Status status;
  if (!PlayTrace({options.trace, options.max_memory, "state"}, player, status, code)) return code;
  if (!status.ok()) return Worse(code, ReportFailure(options.textures, status));
  const size_t wanted = options.draws.front() == options.draws.back() ? 1 : options.draws.size();
  if (keeper.states.size() != wanted)
    return ReportMissing(options, finder, player.draws().count(), code);
  earlier.Report();
  code = Worse(code, ReportOutput(WriteResult(Report(options, keeper.states))));
  if (options.mesh.empty()) return code;
  const Status written = WriteMesh(options.mesh, keeper.states.front().meshes);
  return written.ok() ? code : Worse(code, ReportFailure(options.mesh, written));
}

}  // namespace

void AddState(Verb& program) {
  auto options = std::make_shared<StateOptions>();
  Verb& command = program.AddVerb(
      "state",
      "Show all state in effect at a draw and the command that set it, or how two draws differ");
  AddStateOptions(command, *options);
  command.SetExample("dp2trace state capture.dp2t --draw 117 --textures bound --mesh draw.obj");
  command.OnRun([options] { return RunState(*options); });
}

}  // namespace dp2trace::app
