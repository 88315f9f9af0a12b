#include "blame/recorder.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "blame/report.h"
#include "blame_run.h"
#include "support/json_events.h"
#include "unit/history/history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using blame::Layer;

namespace {

const std::string kTarget =
    R"({"event":"surface_create","handle":1,"kind":"target","format":"A8R8G8B8","width":8,"height":8},
{"event":"context_create","context":1,"target":1},)";
const std::string kPresent = R"({"event":"present","handle":1})";

std::string Call(const std::string& commands, const std::string& vertices = "") {
  return R"({"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":68,"vertex_size":20,"commands":[)" +
         commands + "]" + (vertices.empty() ? "" : ",\"vertices\":[" + vertices + "]") + "},";
}

std::string States(const std::string& more = "") {
  return R"({"op":"RENDERSTATE","records":[{"render_state":"ZENABLE","state":"FALSE"},{"render_state":"LIGHTING","state":0},{"render_state":"CULLMODE","state":"CCW"})" +
         more + "]},";
}

const std::string kClear =
    R"({"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF102030","fill_depth":1,"fill_stencil":0,"rects":[[0,0,8,8]]})";
const std::string kDraw =
    R"({"op":"SETVERTEXSHADERDECL","records":[{"handle":68}]},{"op":"SETSTREAMSOURCEUM","records":[{"stream":0,"stride":20}]},
{"op":"DRAWPRIMITIVE","records":[{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":1}]})";

// The upper left half of the target, clockwise or the other way round.
std::string Half(const std::string& color, bool is_clockwise) {
  const std::string a = fmt::format(R"([0,0,0.5,1,"{}"])", color);
  const std::string b = fmt::format(R"([8,0,0.5,1,"{}"])", color);
  const std::string c = fmt::format(R"([0,8,0.5,1,"{}"])", color);
  return is_clockwise ? a + "," + b + "," + c : a + "," + c + "," + b;
}

std::vector<Layer> LayersAt(const blame::Frame& frame, uint32_t x, uint32_t y) {
  std::vector<Layer> layers;
  frame.layers.Find(x, y, layers);
  return layers;
}

std::string BlendStates() {
  return States(
      R"(,{"render_state":"ALPHABLENDENABLE","state":1},{"render_state":"SRCBLEND","state":"SRCALPHA"},{"render_state":"DESTBLEND","state":"INVSRCALPHA"})");
}

}  // namespace

TEST_CASE("Recorder: who wrote a pixel; what hides what") {
  const blame::Frame frame =
      FrameOf(TraceOf(kTarget + Call(States() + kClear + "," + kDraw, Half("0xFFFF0000", true)) +
                      Call(BlendStates() + kDraw, Half("0x8000FF00", true)) +
                      Call(States(R"(,{"render_state":"ALPHABLENDENABLE","state":0})") + kDraw,
                           Half("0xFF0000FF", false)) +
                      kPresent),
              1);
  // The surface, the clear, and three draws, the last of which faces away.
  REQUIRE(frame.operations.size() == 5);
  CHECK(frame.operations[0].kind == history::Kind::kSurface);
  CHECK(frame.operations[1].kind == history::Kind::kClear);
  CHECK(frame.operations[1].draw == 1);
  CHECK(frame.operations[4].draw == 4);
  CHECK(LayersAt(frame, 1, 1) == std::vector<Layer>{{2, false}, {3, false}, {4, true}});
  CHECK(LayersAt(frame, 7, 7) == std::vector<Layer>{{1, false}});
}

TEST_CASE("Recorder: draws that an error stopped are kept, and come first in the report") {
  const std::string refused =
      R"({"op":"SETVERTEXSHADERDECL","records":[{"handle":16}]},{"op":"DRAWPRIMITIVE","records":[{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":1}]})";
  const blame::Frame frame =
      FrameOf(TraceOf(kTarget + Call(States() + kClear + "," + kDraw, Half("0xFFFF0000", true)) +
                      Call(refused) + kPresent),
              1);
  REQUIRE(frame.refused.size() == 1);
  CHECK(frame.refused[0].draw == 3);
  CHECK(frame.refused[0].rule == "DP2-FVF-001");
  blame::Blame differs;
  differs.regions.emplace_back();
  const std::string text = blame::ReportText(frame, differs, {});
  CHECK(text.find("\ndraw 3 was not drawn: ") != std::string::npos);
  CHECK(blame::ReportJson("t", frame, differs, {}).find(R"("refused":[{"draw":3,)") !=
        std::string::npos);
}

TEST_CASE("Recorder: a clear and a draw count where they write what was there") {
  const blame::Frame frame =
      FrameOf(TraceOf(kTarget + Call(States() + kClear + "," + kDraw, Half("0xFF102030", true)) +
                      R"({"event":"present","handle":1},)" +
                      Call(kClear + "," + kDraw, Half("0xFF102030", true)) + kPresent),
              2);
  REQUIRE(frame.operations.size() == 2);
  CHECK(frame.operations[0].draw == 3);
  CHECK(LayersAt(frame, 1, 1) == std::vector<Layer>{{1, false}});
  CHECK(LayersAt(frame, 7, 7) == std::vector<Layer>{{0, false}});
}

TEST_CASE("Recorder: an upload is an operation, and what is older than the frame is none") {
  const blame::Frame frame = FrameOf(
      TraceOf(kTarget + Call(States() + kClear) + R"({"event":"present","handle":1},)" +
              R"({"event":"surface_update","handle":1,"rect":[2,3,3,4],"data":"AQIDBA=="},)" +
              kPresent),
      2);
  REQUIRE(frame.operations.size() == 1);
  CHECK(frame.operations[0].kind == history::Kind::kUpload);
  CHECK(LayersAt(frame, 2, 3) == std::vector<Layer>{{0, false}});
  CHECK(LayersAt(frame, 3, 3).empty());
}

TEST_CASE("Recorder: what it tries changes no picture" * doctest::timeout(600)) {
  const auto folder = std::filesystem::path(DP2TRACE_SOURCE_DIR) / "traces";
  std::vector<std::string> names;
  for (const char* const part : {"features", "scenes"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder / part)) {
      if (entry.path().extension() == ".json")
        names.push_back(std::string(part) + "/" + entry.path().filename().string());
    }
  }
  std::ranges::sort(names);
  REQUIRE(names.size() > 50);
  for (const std::string& name : names) {
    CAPTURE(name);
    const std::string text = TraceText(name);
    for (const auto& frame : PicturesOf(text).frames) {
      CAPTURE(frame.first);
      CHECK(FrameOf(text, frame.first).picture == frame.second.picture);
    }
  }
}

TEST_CASE("Recorder: stops after a draw") {
  const std::string text = TraceText("scenes/columns-in-fog.json");
  const Pictures pictures = PicturesOf(text);
  for (const uint64_t draw : {1U, 5U, 22U}) {
    CAPTURE(draw);
    history::FrameSpan span = SpanOf(text, 1);
    blame::RecorderOptions options;
    options.last_draw = draw;
    blame::Recorder recorder(options, span);
    play::Player player({}, {&recorder});
    ForEachJsonEvent(text, [&](uint64_t number, const trace::Event& event) {
      REQUIRE(player.OnEvent(number, event).ok());
      return !player.is_done();
    });
    const blame::Frame frame = recorder.Finish();
    CHECK(frame.picture == pictures.draws.at(draw).picture);
    CHECK(frame.last_draw == draw);
    for (const blame::Operation& operation : frame.operations)
      CHECK(operation.draw <= draw);
  }
}
