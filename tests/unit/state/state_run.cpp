#include "state_run.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/json_events.h"

namespace dp2trace::testing {
namespace {

class KeepingVisitor final : public state::DrawVisitor {
 public:
  Status OnDraw(const state::FoundDraw& draw, const device::Device& /*device*/,
                const device::Context& context) override {
    run.states.push_back({draw, state::TakeSnapshot(context, writes), {}});
    return OkStatus();
  }
  void OnMesh(state::Mesh&& mesh) override { run.states.back().meshes.push_back(std::move(mesh)); }

  state::StateWrites writes;
  DebugRun run;
};

}  // namespace

void ForEachEventOf(std::string_view events,
                    const std::function<Status(uint64_t, const trace::Event&)>& visit,
                    std::string_view header) {
  const std::string text = "[\n" + std::string(header) + ",\n" + std::string(events) + "\n]\n";
  ForEachJsonEvent(text, [&visit](uint64_t number, const trace::Event& event) {
    REQUIRE(visit(number, event).ok());
    return true;
  });
}

DebugRun FindDraws(std::string_view events, std::string_view draws, std::string_view header) {
  std::string error;
  state::FinderOptions options;
  options.draws = *Selection::Parse(draws, error);
  options.wants_meshes = true;
  KeepingVisitor visitor;
  state::DrawFinder finder(options, visitor);
  play::Player player({}, {&visitor.writes, &finder});
  ForEachEventOf(
      events,
      [&](uint64_t number, const trace::Event& event) { return player.OnEvent(number, event); },
      header);
  visitor.run.draws = player.draws().count();
  visitor.run.skipped = finder.skipped();
  return std::move(visitor.run);
}

void VisitDraws(std::string_view events, const state::FinderOptions& options,
                state::DrawVisitor& visitor) {
  state::DrawFinder finder(options, visitor);
  play::Player player(options.play, {&finder});
  ForEachEventOf(events, [&](uint64_t number, const trace::Event& event) {
    return player.OnEvent(number, event);
  });
}

const state::StateEntry& Entry(const state::StateAtDraw& at, std::string_view name) {
  const auto found = std::ranges::find(at.state.entries, name, &state::StateEntry::name);
  REQUIRE(found != at.state.entries.end());
  return *found;
}

std::string Call(std::string_view commands, std::string_view more) {
  return fmt::format(R"({{"event":"dp2","context":1,"commands":[{}]{}}})", commands, more);
}

}  // namespace dp2trace::testing
