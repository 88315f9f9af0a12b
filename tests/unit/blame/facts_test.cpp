#include "blame/facts.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "blame_run.h"
#include "unit/history/history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

const std::string kSurface =
    R"({"event":"surface_create","handle":1,"kind":"target","format":"A8R8G8B8","width":8,"height":8},
{"event":"context_create","context":1,"target":1},)";

// A frame with one draw of a triangle of positions (XYZ) and colours, after the commands.
blame::Frame FrameBehind(const std::string& commands, const std::string& lighting = "0") {
  return FrameOf(
      TraceOf(
          kSurface +
          R"({"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":66,"vertex_size":16,"commands":[
{"op":"RENDERSTATE","records":[{"render_state":"CULLMODE","state":"NONE"},{"render_state":"LIGHTING","state":)" +
          lighting + "}]}," + commands +
          R"({"op":"SETVERTEXSHADERDECL","records":[{"handle":66}]},{"op":"SETSTREAMSOURCEUM","records":[{"stream":0,"stride":16}]},
{"op":"DRAWPRIMITIVE","records":[{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":1}]}],
"vertices":[[-1,-1,0.5,"0xFFFFFFFF"],[-1,3,0.5,"0xFFFFFFFF"],[3,-1,0.5,"0xFFFFFFFF"]]},{"event":"present","handle":1})"),
      1);
}

// "ZENABLE = FALSE" of the last operation, all.
std::vector<std::string> FactsOf(const blame::Frame& frame) {
  std::vector<std::string> texts;
  REQUIRE(!frame.operations.empty());
  for (const blame::FactNumber number : frame.operations.back().facts)
    texts.push_back(frame.facts.at(number).name + " = " + frame.facts.at(number).value);
  return texts;
}

bool Has(const std::vector<std::string>& facts, const std::string& start) {
  return std::ranges::any_of(facts,
                             [&](const std::string& fact) { return fact.starts_with(start); });
}

}  // namespace

TEST_CASE("facts: states count where they have an effect") {
  const auto off = FactsOf(FrameBehind(
      R"({"op":"RENDERSTATE","records":[{"render_state":"ALPHAREF","state":7},{"render_state":"FOGCOLOR","state":9}]},)"));
  CHECK(Has(off, "ALPHATESTENABLE = FALSE"));
  CHECK_FALSE(Has(off, "ALPHAREF"));
  CHECK_FALSE(Has(off, "FOGCOLOR"));
  CHECK_FALSE(Has(off, "STENCILFUNC"));
  const auto on = FactsOf(FrameBehind(
      R"({"op":"RENDERSTATE","records":[{"render_state":"ALPHAREF","state":7},{"render_state":"ALPHATESTENABLE","state":1}]},)"));
  CHECK(Has(on, "ALPHAREF = 7"));
  CHECK(Has(on, "operation = DRAWPRIMITIVE"));
  CHECK(Has(on, "primitive type = TRIANGLELIST"));
  CHECK(Has(on, "indices = none"));
  CHECK(Has(on, "format of target 0 = A8R8G8B8"));
  CHECK(Has(on, "vertex shader = none (fixed function)"));
  CHECK(Has(on, "vertex format = FVF 0x42"));
}

TEST_CASE("facts: stages count up to the first that is off") {
  const auto facts = FactsOf(FrameBehind(
      R"({"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"COLOROP","value":"SELECTARG2"},{"stage":2,"ts_state":"COLOROP","value":"ADD"}]},)"));
  CHECK(Has(facts, "texture stages in use = 1"));
  CHECK(Has(facts, "stage 0 COLOROP = SELECTARG2"));
  CHECK_FALSE(Has(facts, "stage 2"));
}

TEST_CASE("facts: transforms, material and lights, where they act") {
  const std::string transform =
      R"({"op":"SETTRANSFORM","records":[{"transform":"VIEW","matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0.25,0,0,1]}]},)";
  const auto unlit = FactsOf(FrameBehind(transform));
  CHECK(Has(unlit, "VIEW = [1 0 0 0 | 0 1 0 0 | 0 0 1 0 | 0.25 0 0 1]"));
  CHECK(Has(unlit, "PROJECTION = identity"));
  CHECK_FALSE(Has(unlit, "material"));
  CHECK_FALSE(Has(unlit, "transform TEXTURE0"));
  const std::string light =
      R"({"op":"CREATELIGHT","records":[{"index":3}]},{"op":"SETLIGHT","records":[{"index":3,"data_type":"ENABLE"}]},)";
  const auto lit = FactsOf(FrameBehind(light, "1"));
  CHECK(Has(lit, "material = "));
  CHECK(Has(lit, "light 3 = "));
  CHECK(Has(lit, "lights that are on = 1"));
}

TEST_CASE("facts: equal ones have one number, whatever draw they are of") {
  const std::string text = TraceText("features/blend-usual-pairs.json");
  const blame::Frame frame = FrameOf(text, 1);
  std::vector<std::string> all;
  for (blame::FactNumber number = 0; number < frame.facts.size(); ++number)
    all.push_back(frame.facts.at(number).name + "=" + frame.facts.at(number).value);
  std::ranges::sort(all);
  CHECK(std::ranges::adjacent_find(all) == all.end());
  for (const blame::Operation& operation : frame.operations)
    CHECK(std::ranges::is_sorted(operation.facts, std::less_equal<>()));
}

TEST_CASE(
    "facts: constants that shaders read, and those that they define themselves do not count") {
  const blame::Frame frame = FrameOf(TraceText("features/shaders.json"), 1);
  bool has_vertex_constant = false;
  for (blame::FactNumber number = 0; number < frame.facts.size(); ++number)
    has_vertex_constant |= frame.facts.at(number).name.starts_with("vs.c");
  CHECK(has_vertex_constant);
}
