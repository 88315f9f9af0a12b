#include "state/state_report.h"

#include <doctest/doctest.h>

#include "state_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

DebugRun TwoDraws() {
  const std::string draw(kClear);
  return FindDraws(
      std::string(kTarget) +
          R"({"event":"marker","text":"Clear","source":"a.trace","position":17},)" +
          Call(R"({"op":"RENDERSTATE","records":[{"render_state":"ZFUNC","state":"NEVER"}]},)" +
               draw) +
          "," +
          Call(
              R"({"op":"RENDERSTATE","records":[{"render_state":"ZFUNC","state":"LESS"},{"render_state":"CULLMODE","state":"CCW"}]},)" +
              draw),
      "1-2");
}

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("StateText: what differs stands first, with default and setter") {
  const DebugRun run = TwoDraws();
  const std::string text = state::StateText(run.states[0], false);
  CHECK(text.starts_with("draw 1: frame 1, event 4, 0x000c CLEAR 1 {"));
  CHECK(Has(text, "marker: Clear (a.trace:17)\n"));
  CHECK(Has(text, "(default LESSEQUAL)  event 4, offset 0x0, RENDERSTATE\n"));
  CHECK(text.find("ZFUNC") < text.find("never set: "));
  CHECK_FALSE(Has(text, "ALPHAREF"));
  const std::string all = state::StateText(run.states[0], true);
  CHECK(Has(all, "ALPHAREF=0"));
}

TEST_CASE("StateText: a default that a token set differs from one that nobody touched") {
  const std::string text = state::StateText(TwoDraws().states[1], false);
  const size_t set = text.find("set to the default\n");
  REQUIRE(set != std::string::npos);
  CHECK(text.find("CULLMODE=CCW", set) != std::string::npos);
}

TEST_CASE("StateDifferenceText: from, to and who did it") {
  const DebugRun run = TwoDraws();
  const std::string text = state::StateDifferenceText(run.states[0], run.states[1]);
  CHECK(Has(text, "NEVER -> LESS  event 5, offset 0x0, RENDERSTATE\n"));
  CHECK(Has(text, "\n1 value differs\n"));
  CHECK(Has(state::StateDifferenceText(run.states[0], run.states[0]), "\n0 values differ\n"));
}

TEST_CASE("StateJson: all values, with their setters") {
  const DebugRun run = TwoDraws();
  const std::string text = state::StateJson("a\"b", run.states[0]);
  CHECK(text.find(R"("schema":"state/1","trace":"a\"b",)") != std::string::npos);
  CHECK(Has(
      text,
      R"({"group":"render_state","name":"ZFUNC","value":"NEVER","default":"LESSEQUAL","is_default":false,"set":{"event":4,"offset":0,"operation":"RENDERSTATE"},"changed":{"event":4,"offset":0,"operation":"RENDERSTATE"}})"));
  CHECK(Has(
      text,
      R"({"group":"render_state","name":"ALPHAREF","value":"0","default":"0","is_default":true})"));
  CHECK(Has(state::StateDifferenceJson("t", run.states[0], run.states[1]),
            R"("name":"ZFUNC","from":"NEVER","to":"LESS")"));
}
