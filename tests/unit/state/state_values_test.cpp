#include "state/state_values.h"

#include <doctest/doctest.h>

#include "state_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr std::string_view kTextures =
    R"({"event":"surface_create","handle":5,"format":"A8R8G8B8","width":16,"height":8,"levels":3},
{"event":"surface_create","handle":6,"kind":"vertex_buffer","width":60},)";

std::string Texture(uint32_t stage, uint32_t handle) {
  return R"({"op":"TEXTURESTAGESTATE","records":[{"stage":)" + std::to_string(stage) +
         R"(,"ts_state":"TEXTUREMAP","value":)" + std::to_string(handle) + "}]},";
}

}  // namespace

TEST_CASE("ValueText: surfaces are described, also those that are gone") {
  const std::string events = kScene + std::string(kTextures) + Call(Texture(2, 5) + kDraw) +
                             R"(,{"event":"surface_destroy","handle":5},)" + Call(kDraw);
  const DebugRun run = FindDraws(events, "1-2");
  CHECK(Entry(run.states.at(0), "stage 2 TEXTUREMAP").value == "5: A8R8G8B8 16x8, 3 levels");
  CHECK(Entry(run.states.at(0), "stage 2 TEXTUREMAP").default_value == "none");
  CHECK(Entry(run.states.at(1), "stage 2 TEXTUREMAP").value == "5: was destroyed");
}

TEST_CASE("ValueText: streams, formats, matrices and viewports") {
  const DebugRun run = FindDraws(
      kScene + std::string(kTextures) +
          Call(
              R"({"op":"SETSTREAMSOURCE","records":[{"stream":0,"vb_handle":6,"stride":20}]},)"
              R"({"op":"SETVERTEXSHADERDECL","records":[{"handle":68}]},)"
              R"({"op":"VIEWPORTINFO","records":[{"x":1,"y":2,"width":3,"height":4}]},)"
              R"({"op":"SETTRANSFORM","records":[{"transform":"VIEW","matrix":[2,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]},)"
              R"({"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"COLORARG1","value":18}]},)" +
              kDraw),
      "1");
  const state::StateAtDraw& at = run.states.at(0);
  CHECK(Entry(at, "stream 0").value == "6: a vertex buffer of 60 bytes; offset 0, stride 20");
  CHECK(Entry(at, "declaration").value == "XYZRHW|DIFFUSE");
  CHECK(Entry(at, "viewport").value == "x=1 y=2 width=3 height=4");
  CHECK(Entry(at, "viewport").default_value == "the whole target");
  CHECK(Entry(at, "VIEW").value == "[2 0 0 0 | 0 1 0 0 | 0 0 1 0 | 0 0 0 1]");
  CHECK(Entry(at, "stage 0 COLORARG1").value == "TEXTURE|COMPLEMENT");
}
