#include "state/state_snapshot.h"

#include <doctest/doctest.h>

#include <set>
#include <utility>

#include "d3d/states.h"
#include "state_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("TakeSnapshot: every state of the tables is there once, at its default") {
  const DebugRun run = FindDraws(kScene + Call(kDraw), "1");
  const state::StateAtDraw& at = run.states.at(0);
  std::set<std::pair<state::StateGroup, std::string>> names;
  for (const state::StateEntry& entry : at.state.entries) {
    CAPTURE(entry.name);
    CHECK(names.emplace(entry.group, entry.name).second);
    CHECK(entry.is_default == (entry.name != "target 0"));
    if (entry.is_default) CHECK(entry.value == entry.default_value);
  }
  for (const d3d::StateInfo& info : d3d::AllRenderStates())
    CHECK(names.contains({state::StateGroup::kRenderState, std::string(info.name)}));
  for (const char* name :
       {"stage 0 COLOROP", "stage 7 ALPHAARG0", "stage 15 MINFILTER", "stage 260 ADDRESSU"})
    CHECK(names.contains({state::StateGroup::kTextureStage, name}));
  CHECK_FALSE(names.contains({state::StateGroup::kTextureStage, "stage 8 COLOROP"}));
}

TEST_CASE("TakeSnapshot: lights, planes and constants are those that were set") {
  const DebugRun run = FindDraws(
      kScene +
          Call(
              R"({"op":"CREATELIGHT","records":[{"index":3}]},)"
              R"({"op":"SETLIGHT","records":[{"index":3,"data_type":"ENABLE"}]},)"
              R"({"op":"SETCLIPPLANE","records":[{"index":1,"plane":[0,1,0,2.5]}]},)"
              R"({"op":"SETVERTEXSHADERCONST","records":[{"register":2,"count":2,"values":[[1,2,3,4],[5,6,7,8]]}]},)" +
              kDraw),
      "1");
  const state::StateAtDraw& at = run.states.at(0);
  CHECK(Entry(at, "light 3 is on").value == "TRUE");
  CHECK(Entry(at, "light 3 is on").origin.set->place.name == "SETLIGHT");
  CHECK(Entry(at, "light 3").value.starts_with("type=DIRECTIONAL diffuse=[1 1 1 0]"));
  CHECK(Entry(at, "clip plane 1").value == "[0 1 0 2.5]");
  CHECK(Entry(at, "c3").value == "[5 6 7 8]");
  CHECK(Entry(at, "c3").group == state::StateGroup::kVertexConstant);
}

TEST_CASE("TakeSnapshot: a shader has its assembly") {
  const DebugRun run = FindDraws(
      kScene +
          Call(
              R"({"op":"CREATEPIXELSHADER","records":[{"handle":5,"code_size":64,"code":"AQH//1EAAAAAAA+gAACAPgAAgD4AAIA+AACAPgIAAAAAAA+AAADkkAEA5JAFAAAAAAAPgAAA5IAAAOSg//8AAA=="}]},)"
              R"({"op":"SETPIXELSHADER","records":[{"handle":5}]},)" +
              kDraw),
      "1");
  const state::StateAtDraw& at = run.states.at(0);
  CHECK(Entry(at, "pixel shader").value == "5");
  CHECK(at.state.pixel_shader.find("mul r0, r0, c0") != std::string::npos);
  CHECK(at.state.vertex_shader.empty());
}
