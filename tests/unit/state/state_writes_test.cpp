#include "state/state_writes.h"

#include <doctest/doctest.h>

#include "state_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using state::StateEntry;
using state::TokenPlace;

namespace {

std::string CullMode(std::string_view value) {
  return R"({"op":"RENDERSTATE","records":[{"render_state":"CULLMODE","state":")" +
         std::string(value) + "\"}]},";
}

std::string StateSet(std::string_view operation, int block) {
  return R"({"op":"STATESET","records":[{"operation":")" + std::string(operation) +
         "\",\"param\":" + std::to_string(block) + "}]},";
}

}  // namespace

TEST_CASE("StateWrites: who set a value last, and who gave it the value that it has") {
  const DebugRun run = FindDraws(
      kScene + Call(CullMode("CW") + CullMode("CW") + kDraw) + "," + Call(CullMode("CW") + kDraw),
      "1-2");
  REQUIRE(run.states.size() == 2);
  const StateEntry& first = Entry(run.states[0], "CULLMODE");
  CHECK(first.value == "CW");
  CHECK(first.default_value == "CCW");
  CHECK_FALSE(first.is_default);
  CHECK(first.origin.set->place == TokenPlace{3, 12, "RENDERSTATE"});
  CHECK(first.origin.changed->place == TokenPlace{3, 0, "RENDERSTATE"});
  const StateEntry& second = Entry(run.states[1], "CULLMODE");
  CHECK(second.origin.set->place == TokenPlace{4, 0, "RENDERSTATE"});
  CHECK(second.origin.changed->place == TokenPlace{3, 0, "RENDERSTATE"});
}

TEST_CASE("StateWrites: a value that nobody set, and one that was set to what it was") {
  const DebugRun run = FindDraws(kScene + Call(CullMode("CCW") + kDraw), "1");
  CHECK_FALSE(Entry(run.states[0], "ZFUNC").origin.set);
  const StateEntry& cull = Entry(run.states[0], "CULLMODE");
  CHECK(cull.is_default);
  CHECK(cull.origin.set);
  CHECK_FALSE(cull.origin.changed);
}

TEST_CASE("StateWrites: a state block is named with the token that began it") {
  const DebugRun run = FindDraws(
      kScene + Call(StateSet("BEGIN", 7) + CullMode("NONE") + StateSet("END", 7) + kDraw) + "," +
          Call(CullMode("CW") + StateSet("EXECUTE", 7) + kDraw),
      "1-2");
  CHECK(Entry(run.states[0], "CULLMODE").value == "CCW");
  CHECK_FALSE(Entry(run.states[0], "CULLMODE").origin.set);
  const StateEntry& cull = Entry(run.states[1], "CULLMODE");
  CHECK(cull.value == "NONE");
  CHECK(cull.origin.set->place == TokenPlace{4, 12, "STATESET"});
  CHECK(cull.origin.set->block == 7);
  CHECK(cull.origin.set->recorded == TokenPlace{3, 0, "STATESET"});
  CHECK(cull.origin.changed == cull.origin.set);
}

TEST_CASE("StateWrites: a captured block is one of the token that captured it") {
  const DebugRun run = FindDraws(
      kScene + Call(StateSet("BEGIN", 7) + CullMode("NONE") + StateSet("END", 7) + CullMode("CW") +
                    StateSet("CAPTURE", 7) + CullMode("NONE") + StateSet("EXECUTE", 7) + kDraw),
      "1");
  const StateEntry& cull = Entry(run.states[0], "CULLMODE");
  CHECK(cull.value == "CW");
  CHECK(cull.origin.set->recorded->offset == 16 + 12 + 16 + 12);
}

TEST_CASE("StateWrites: targets are those of the context until a token sets them") {
  const std::string second =
      R"({"event":"surface_create","handle":2,"kind":"target","format":"X8R8G8B8","width":4,"height":4},)";
  const DebugRun run = FindDraws(
      kScene + second + Call(kDraw) + "," +
          Call(R"({"op":"SETRENDERTARGET2","records":[{"rt_index":0,"render_target":2}]},)" +
               kDraw) +
          "," +
          Call(R"({"op":"SETRENDERTARGET2","records":[{"rt_index":0,"render_target":2}]},)" +
               kDraw),
      "1-3");
  CHECK(Entry(run.states[0], "target 0").value == "1: X8R8G8B8 8x8");
  CHECK(Entry(run.states[0], "target 0").origin.set->place ==
        TokenPlace{2, std::nullopt, "context_create"});
  CHECK(Entry(run.states[1], "target 0").value == "2: X8R8G8B8 4x4");
  CHECK(Entry(run.states[1], "target 0").origin.changed->place ==
        TokenPlace{5, 0, "SETRENDERTARGET2"});
  CHECK(Entry(run.states[2], "target 0").origin.set->place.event == 6);
  CHECK(Entry(run.states[2], "target 0").origin.changed->place.event == 5);
}

TEST_CASE("StateWrites: a context that is made anew has no past") {
  const DebugRun run = FindDraws(
      kScene + Call(CullMode("CW") + kDraw) +
          R"(,{"event":"context_destroy","context":1},{"event":"context_create","context":1,"target":1},)" +
          Call(kDraw),
      "2");
  CHECK_FALSE(Entry(run.states[0], "CULLMODE").origin.set);
  CHECK(Entry(run.states[0], "target 0").origin.set->place.event == 5);
}
