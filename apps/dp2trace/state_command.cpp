#include "state_command.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "console.h"
#include "debug/bound_textures.h"
#include "debug/state_report.h"
#include "options.h"
#include "renderer_options.h"
#include "sandbox_option.h"
#include "state_options.h"
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
  if (path.ends_with(".obj")) {
    text = debug::MeshObj(meshes);
  } else {
    for (const debug::Mesh& mesh : meshes)
      text += debug::MeshText(mesh);
  }
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  DP2TRACE_RETURN_IF_ERROR(file->Write(std::string_view(text)));
  return file->Commit();
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

ExitCode ReportMissing(const StateVerb& options, const debug::DrawFinder& finder) {
  PrintError(finder.skipped() != 0 ? "the draw is not executed: its call failed, or has no context"
                                   : fmt::format("there is no draw {}; draws in the trace: {}",
                                                 options.draws.back(), finder.draw_count()));
  return ExitCode::kNothingToDo;
}

ExitCode RunState(StateVerb options) {
  ExitCode code = PrepareState(options);
  if (code != ExitCode::kOk) return code;
  DiagnosticList reading;
  const std::unique_ptr<trace_file::Source> source =
      trace_file::WithResults(OpenTrace(options.trace, options.max_memory, reading, code));
  if (source == nullptr) return code;
  Confine(options.is_sandboxed,
          {.traces = {options.trace}, .folders = {options.textures}, .files = {options.mesh}});
  DiagnosticList findings;  // lint reports them
  StateKeeper keeper(options.textures);
  debug::DrawFinder finder(options.finder, findings, keeper);
  keeper.SetFinder(finder);
  Status status;
  ForEachEvent(*source, "state", [&](const trace::EventRecord& record) {
    status = finder.OnEvent(record.number, record.event);
    return status.ok() && !finder.is_done();
  });
  code = ReportReading(options.trace, *source, reading);
  if (!status.ok()) return Worse(code, ReportFailure(options.textures, status));
  const size_t wanted = options.draws.front() == options.draws.back() ? 1 : options.draws.size();
  if (keeper.states.size() != wanted) return Worse(code, ReportMissing(options, finder));
  code = Worse(code, ReportOutput(WriteResult(Report(options, keeper.states))));
  if (options.mesh.empty()) return code;
  const Status written = WriteMesh(options.mesh, keeper.states.front().meshes);
  return written.ok() ? code : Worse(code, ReportFailure(options.mesh, written));
}

}  // namespace

void AddStateCommand(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<StateVerb>();
  CLI::App* command = app.add_subcommand(
      "state", "Say every state that a draw finds and who set it, or how two draws differ");
  AddStateOptions(*command, *options);
  AddExample(*command, "dp2trace state capture.dp2t --draw 117 --textures bound --mesh draw.obj");
  command->callback([options, &code] { code = RunState(*options); });
}

}  // namespace dp2trace::app
