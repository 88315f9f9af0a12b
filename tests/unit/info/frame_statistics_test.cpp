#include "info/frame_statistics.h"

#include <doctest/doctest.h>

#include "trace/event_kind.h"
#include "unit/state/state_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using info::FrameStatistics;

namespace {

constexpr std::string_view kPresent = R"(,{"event":"present","handle":1},)";
// The whole 8x8 target as two triangles, after two writes of CULLMODE, the second of which changes nothing.
constexpr std::string_view kQuad =
    R"({"op":"RENDERSTATE","records":[{"render_state":"CULLMODE","state":"NONE"},{"render_state":"CULLMODE","state":"NONE"},{"render_state":"ZENABLE","state":"FALSE"}]},{"op":"TRIANGLESTRIP","count":2,"v_start":0})";
constexpr std::string_view kVertices =
    R"(,"vertex_type":"XYZRHW|TEX1","vertex_size":24,"vertices":[[-0.5,-0.5,0,1,0,0],[7.5,-0.5,0,1,1,0],[-0.5,7.5,0,1,0,1],[7.5,7.5,0,1,1,1]])";

std::vector<FrameStatistics> Frames(const std::string& events, std::string_view selection = "all") {
  std::string error;
  info::FrameOptions options;
  options.frames = *Selection::Parse(selection, error);
  info::FrameCounter counter(options);
  ForEachEventOf(events, [&](uint64_t number, const trace::Event& event) {
    return counter.OnEvent(number, event, 10);
  });
  counter.Finish();
  return counter.frames();
}

std::string TwoFrames() {
  const std::string draw = Call(kQuad, kVertices);
  return std::string(kTarget) + Call(kClear) + "," + draw + std::string(kPresent) + draw + "," +
         draw;
}

}  // namespace

TEST_CASE("FrameCounter: draws, primitives, states, pixels and bytes of each frame") {
  const std::vector<FrameStatistics> frames = Frames(TwoFrames());
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].number == 1);
  CHECK(frames[0].draws == 2);
  CHECK(frames[0].primitives == 2);
  CHECK(frames[0].states_set == 3);
  CHECK(frames[0].states_redundant == 2);  // ZENABLE is FALSE in a context without depth surface
  CHECK(frames[0].pixels == 64);
  CHECK(frames[0].target_pixels == 64);
  CHECK(frames[0].overdraw() == 1);
  CHECK(frames[0].last_event == 5);
  CHECK_FALSE(frames[0].is_unfinished);
  CHECK(frames[0].all_bytes() == 60);
  CHECK(frames[0].bytes.at(static_cast<uint16_t>(trace::EventKind::kDp2)) == 20);
  CHECK(frames[1].first_event == 6);
  CHECK(frames[1].is_unfinished);
  CHECK(frames[1].overdraw() == 2);
  CHECK(frames[1].states_redundant == 6);
}

TEST_CASE("FrameCounter: a limit that a draw reached is reported") {
  info::FrameOptions options;
  std::string error;
  options.frames = *Selection::Parse("all", error);
  for (const uint64_t steps : {uint64_t{4}, uint64_t{1} << 20}) {
    options.play.raster.max_draw_steps = steps;
    info::FrameCounter counter(options);
    ForEachEventOf(TwoFrames(), [&](uint64_t number, const trace::Event& event) {
      return counter.OnEvent(number, event, 10);
    });
    counter.Finish();
    CHECK(counter.limits().empty() == (steps > 4));
    if (steps == 4) CHECK(counter.limits().items().front().rule == Rule::kReplayDraw002);
  }
}

TEST_CASE("FrameCounter: textures that are sampled, each once; not those that are only bound") {
  const std::string textures =
      R"({"event":"surface_create","handle":5,"format":"A8R8G8B8","width":4,"height":4},
{"event":"surface_create","handle":6,"format":"A8R8G8B8","width":4,"height":4},)";
  const std::string bind =
      R"({"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"TEXTUREMAP","value":5},{"stage":3,"ts_state":"TEXTUREMAP","value":6}]},)";
  const std::string draw = Call(bind + std::string(kQuad), kVertices);
  const std::vector<FrameStatistics> frames =
      Frames(std::string(kTarget) + textures + draw + "," + draw);
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].textures == 1);
  CHECK(frames[0].texture_bytes == 64);
}

TEST_CASE("FrameCounter: a state that no picture depends on leaves nothing out") {
  info::FrameCounter counter({});
  const std::string set =
      Call(R"({"op":"RENDERSTATE","records":[{"render_state":"CLIPPING","state":1}]})");
  ForEachEventOf(std::string(kTarget) + set, [&](uint64_t number, const trace::Event& event) {
    return counter.OnEvent(number, event, 10);
  });
  CHECK(counter.limits().empty());
}

TEST_CASE("FrameCounter: chosen frames") {
  const std::vector<FrameStatistics> frames = Frames(TwoFrames(), "2");
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].number == 2);
  CHECK(frames[0].pixels == 128);
}

TEST_CASE("FramesText: a row for each frame, and one for all") {
  const std::string text = info::FramesText(Frames(TwoFrames()));
  CHECK(text.find("      1       2           2        3         2         64      1.00") !=
        std::string::npos);
  CHECK(text.find("     2*") != std::string::npos);
  CHECK(text.find("    all       4           6") != std::string::npos);
  CHECK(info::FramesJson("t", Frames(TwoFrames())).find(R"("overdraw":2.0000)") !=
        std::string::npos);
}
