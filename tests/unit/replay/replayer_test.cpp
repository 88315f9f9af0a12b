#include "replay/replayer.h"

#include <doctest/doctest.h>

#include "replay_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

const std::string kScene = std::string(kTarget);
constexpr const char* kRed = "0xFFFF0000";
constexpr const char* kGreen = "0xFF00FF00";
constexpr const char* kPresent = R"({"event":"present","handle":1})";

Selection Select(std::string_view text) {
  std::string error;
  return *Selection::Parse(text, error);
}

}  // namespace

TEST_CASE("Replay: a present makes a frame, drawing after the last one an unfinished frame") {
  const ReplayRun run = Replay(kScene + ClearCall(kRed) + "," + kPresent + "," + ClearCall(kGreen));
  CHECK(run.Files() == "frame-000001.png frame-000002.png");
  CHECK(run.Pixel("frame-000001.png", 3, 3) == "ff0000");
  CHECK(run.Pixel("frame-000002.png", 3, 3) == "00ff00");
  CHECK_FALSE(run.images[0].info.is_unfinished);
  CHECK(run.images[1].info.is_unfinished);
  CHECK(run.statistics.frames == 2);
  CHECK(run.statistics.draws == 2);
  CHECK(run.Rules() == "");
}

TEST_CASE("Replay: the picture of a present is the named area") {
  const ReplayRun run =
      Replay(kScene + ClearCall(kRed) + R"(,{"event":"present","handle":1,"rect":[2,1,5,9]})");
  const KeptImage& image = run.File("frame-000001.png");
  CHECK(image.picture.width == 3);
  CHECK(image.picture.height == 7);
  CHECK(image.info.x == 2);
  CHECK(image.info.y == 1);
}

TEST_CASE("Replay: frames that are not chosen are drawn and not written") {
  replay::Options options;
  options.frames = Select("2");
  const ReplayRun run = Replay(kScene + ClearCall(kRed) + "," + kPresent + "," + kPresent, options);
  CHECK(run.Files() == "frame-000002.png");
  CHECK(run.Pixel("frame-000002.png", 0, 0) == "ff0000");
}

TEST_CASE("Replay: reads are numbered, one that fails keeps its number") {
  const ReplayRun run = Replay(
      kScene + ClearCall(kRed) +
      R"(,{"event":"surface_read","handle":9},{"event":"surface_read","handle":1,"rect":[0,0,4,2]},)" +
      kPresent);
  CHECK(run.Files() == "read-000002.png frame-000001.png");
  CHECK(run.File("read-000002.png").picture.width == 4);
  CHECK(run.Rules() == "DP2-SURF-002");
  CHECK(run.statistics.reads == 2);
}

TEST_CASE("Replay: chosen draws give the target after them") {
  replay::Options options;
  options.frames = Select("none");
  options.draws = Select("2");
  const ReplayRun run =
      Replay(kScene + ClearCall(kRed) + "," + ClearCall(kGreen) + "," + ClearCall(kRed), options);
  CHECK(run.Files() == "draw-000002.png");
  CHECK(run.Pixel("draw-000002.png", 0, 0) == "00ff00");
}

TEST_CASE("Replay: draws that are not executed keep their numbers") {
  replay::Options options;
  options.draws = Select("1-");
  const ReplayRun run =
      Replay(kScene + ClearCall(kRed) + "," + ClearCall(kGreen, R"(,"ddrval":"0x8876021C")") + "," +
                 ClearCall(kGreen),
             options);
  CHECK(run.statistics.draws == 3);
  CHECK(run.Files() == "draw-000001.png draw-000003.png frame-000001.png");
}

TEST_CASE("Replay: a chosen surface is written at the end of its life, with all levels") {
  replay::Options options;
  options.surface = 5;
  const std::string texture =
      R"({"event":"surface_create","handle":5,"format":"A8R8G8B8","width":4,"height":4,"levels":3})";
  CHECK(Replay(texture, options).Files() ==
        "surface-5-f0-l0.png surface-5-f0-l1.png surface-5-f0-l2.png");
  CHECK(Replay(texture + R"(,{"event":"surface_destroy","handle":5})", options).images.size() == 3);
  options.surface_at = Select("1");
  CHECK(Replay(texture, options).Files() ==
        "surface-5-f0-l0-e1.png surface-5-f0-l1-e1.png surface-5-f0-l2-e1.png");
}

TEST_CASE("Replay: a call that failed executes up to its recorded error offset") {
  const std::string two =
      R"({"event":"dp2","context":1,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFFFF0000","rects":[[0,0,8,8]]},)"
      R"({"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF00FF00","rects":[[0,0,8,8]]}],"ddrval":"0x88760BB8","error_offset":36})";
  CHECK(Replay(kScene + two).Pixel("frame-000001.png", 0, 0) == "ff0000");
}

TEST_CASE("Replay: a call that was still drawing executes nothing") {
  const ReplayRun run =
      Replay(kScene + ClearCall(kRed) + "," + ClearCall(kGreen, R"(,"ddrval":"0x8876021C")"));
  CHECK(run.Pixel("frame-000001.png", 0, 0) == "ff0000");
}

TEST_CASE("Replay: strict stops after the first error") {
  replay::Options options;
  options.is_strict = true;
  const ReplayRun run =
      Replay(kScene + ClearCall(kRed, "", 7) + "," + ClearCall(kGreen) + "," + kPresent, options);
  CHECK(run.Rules() == "DP2-CALL-001");
  CHECK(run.statistics.is_stopped);
  CHECK(run.statistics.frames == 0);
}

TEST_CASE("Replay: an unknown operation ends its call, the next call goes on") {
  const ReplayRun run = Replay(
      kScene + R"({"event":"dp2","context":1,"commands":[{"raw":"f0000000"}]},)" + ClearCall(kRed));
  CHECK(run.Rules() == "DP2-STREAM-006");
  CHECK(run.Pixel("frame-000001.png", 0, 0) == "ff0000");
}

TEST_CASE("Replay: two contexts of a trace do not disturb each other") {
  const std::string other =
      R"({"event":"surface_create","handle":2,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"context_create","context":2,"target":2},
{"event":"dp2","context":2,"commands":[{"op":"VIEWPORTINFO","records":[{"x":0,"y":0,"width":1,"height":1}]}]},)";
  const ReplayRun run = Replay(kScene + other + ClearCall(kRed) + "," + ClearCall(kGreen, "", 2) +
                               "," + kPresent + R"(,{"event":"present","handle":2})");
  CHECK(run.Pixel("frame-000001.png", 5, 5) == "ff0000");
  CHECK(run.Pixel("frame-000002.png", 5, 5) == "00ff00");
}

TEST_CASE("Replay: a packet executes like a call") {
  const std::string packet =
      R"({"event":"device_create","device":16},
{"event":"kmt_context_create","device":16,"context":32,"d3d":{"target":1}},
{"event":"render","context":32,"command_buffer":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF0000FF","rects":[[0,0,8,8]]}]STATUS},)";
  const auto with_status = [&packet](std::string_view status) {
    std::string text = packet;
    return text.replace(text.find("STATUS"), 6, status);
  };
  CHECK(Replay(kScene + with_status(R"(,"status":0)") + kPresent).Pixel("frame-000001.png", 0, 0) ==
        "0000ff");
  CHECK(Replay(kScene + with_status(R"(,"status":"0xC000000D")") + kPresent)
            .Pixel("frame-000001.png", 0, 0) == "000000");
}
