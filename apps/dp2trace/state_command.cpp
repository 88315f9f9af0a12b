#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/file_walk.h"
#include "console.h"
#include "debug/bound_textures.h"
#include "debug/state_report.h"
#include "options.h"
#include "renderer_options.h"
#include "sandbox_option.h"
#include "state_options.h"
#include "verbs.h"
#include "work.h"

namespace dp2trace::app {
namespace {

// Keeps what the draws are, in their order; writes the textures of the draw while it is met.
class StateKeeper final : public debug::DrawVisitor {
 public:
  explicit StateKeeper(std::string textures) : textures_(std::move(textures)) {}
  void SetFinder(const debug::DrawFinder& finder) { finder_ = &finder; }

  Status OnDraw(const debug::FoundDraw& draw, const device::Device& device,
                const device::Context& context) override {
    states.push_back({draw, debug::TakeSnapshot(context, finder_->writes()), {}});
    return textures_.empty() ? OkStatus()
                             : debug::WriteBoundTextures(textures_, draw, device, context);
  }
  void OnMesh(debug::Mesh&& mesh) override { states.back().meshes.push_back(std::move(mesh)); }

  std::vector<debug::StateAtDraw> states;

 private:
  std::string textures_;
  const debug::DrawFinder* finder_ = nullptr;
};

Status WriteMesh(const std::string& path, const std::vector<debug::Mesh>& meshes) {
  std::string text;
  if (HasExtension(path, ".obj")) {
    text = debug::MeshObj(meshes);
  } else {
    for (const debug::Mesh& mesh : meshes)
      text += debug::MeshText(mesh);
  }
  return WriteFile(path, text);
}

std::string Report(const StateVerb& options, const std::vector<debug::StateAtDraw>& states) {
  const auto at = [&](uint64_t number) -> const debug::StateAtDraw& {
    return states.front().draw.token.number == number ? states.front() : states.back();
  };
  const debug::StateAtDraw& first = at(options.draws.front());
  if (options.draws.size() == 1) {
    return options.json ? debug::StateJson(options.trace, first)
                        : debug::StateText(first, options.lists_all);
  }
  const debug::StateAtDraw& second = at(options.draws.back());
  return options.json ? debug::StateDifferenceJson(options.trace, first, second)
                      : debug::StateDifferenceText(first, second);
}

ExitCode ReportMissing(const StateVerb& options, const debug::DrawFinder& finder, uint64_t draws,
                       ExitCode reading) {
  if (finder.skipped() == 0) return ReportAbsent("draw", options.draws.back(), draws, reading);
  PrintError("the draw is not executed: its call failed, or has no context");
  return Worse(reading, ExitCode::kNothingToDo);
}

ExitCode RunState(StateVerb options) {
  Confine(options.is_sandboxed,
          {.traces = {options.trace}, .files = {options.textures, options.mesh}});
  ExitCode code = PrepareState(options);
  if (code != ExitCode::kOk) return code;
  StateKeeper keeper(options.textures);
  debug::DrawFinder finder(options.finder, keeper);
  keeper.SetFinder(finder);
  play::Player player(options.finder.play, {&finder});
  Status status;
  if (!PlayTrace({options.trace, options.max_memory, "state"}, player, status, code)) return code;
  if (!status.ok()) return Worse(code, ReportFailure(options.textures, status));
  const size_t wanted = options.draws.front() == options.draws.back() ? 1 : options.draws.size();
  if (keeper.states.size() != wanted)
    return ReportMissing(options, finder, player.draws().count(), code);
  code = Worse(code, ReportOutput(WriteResult(Report(options, keeper.states))));
  if (options.mesh.empty()) return code;
  const Status written = WriteMesh(options.mesh, keeper.states.front().meshes);
  return written.ok() ? code : Worse(code, ReportFailure(options.mesh, written));
}

}  // namespace

void AddState(Verb& program) {
  auto options = std::make_shared<StateVerb>();
  Verb& command = program.AddVerb(
      "state", "Say every state that a draw finds and who set it, or how two draws differ");
  AddStateOptions(command, *options);
  command.SetExample("dp2trace state capture.dp2t --draw 117 --textures bound --mesh draw.obj");
  command.OnRun([options] { return RunState(*options); });
}

}  // namespace dp2trace::app
