#include "inspect/inspector.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "inspect_run.h"
#include "replay/replayer.h"
#include "support/json_events.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

const std::string kScene = std::string(kTarget);
const std::string kEnd = "," + std::string(kPresent);

// What a replay writes of each draw: target 0, and its stencil.
class DrawPictures final : public replay::ImageSink {
 public:
  Status OnImage(const replay::ImageInfo& info, const image::Picture& picture) override {
    if (info.kind == replay::ImageKind::kDraw && info.target == 0 && !info.is_stencil)
      pictures[info.sequence] = picture;
    if (info.kind == replay::ImageKind::kFrame) frames[info.sequence] = picture;
    return OkStatus();
  }
  std::map<uint64_t, image::Picture> pictures;
  std::map<uint64_t, image::Picture> frames;
};

DrawPictures ReplayDraws(const std::string& trace) {
  DrawPictures pictures;
  DiagnosticList findings;
  replay::Options options;
  options.draws = Selection();
  replay::Replayer replayer(options, findings, pictures);
  ForEachJsonEvent(trace, [&](uint64_t number, const trace::Event& event) {
    REQUIRE(replayer.OnEvent(number, event).ok());
    return true;
  });
  REQUIRE(replayer.Finish().ok());
  return pictures;
}

// Every draw of every frame shows what a replay writes of it.
void CheckAgainstReplay(const std::string& trace) {
  const DrawPictures expected = ReplayDraws(trace);
  const InspectRun run = InspectTrace(trace);
  size_t compared = 0;
  for (const auto& frame : run.frames) {
    for (const auto& item : run.Items(frame.number)) {
      if (!item.contains("draw") || !item.contains("target")) continue;
      const uint64_t draw = item["draw"];
      CAPTURE(draw);
      REQUIRE(expected.pictures.contains(draw));
      CHECK(run.Compose(frame.number, item["target"], item["n"]) ==
            expected.pictures.at(draw).rgba);
      ++compared;
    }
  }
  CHECK(compared == expected.pictures.size());
  for (const auto& frame : run.frames) {
    const auto& targets = run.Data(fmt::format("frames/{}", frame.number))["targets"];
    for (const auto& target : targets) {
      if (!target.contains("shown")) continue;
      const image::Picture& picture = expected.frames.at(frame.number);
      if (picture.width != target["width"] || picture.height != target["height"]) continue;
      CHECK(run.Compose(frame.number, target["id"], UINT64_MAX) == picture.rgba);
    }
  }
}

}  // namespace

TEST_CASE("Inspector: base and differences give the picture after each item") {
  const InspectRun run = InspectEvents(
      kScene + Call(Clear("0xFF0000FF") + "," + Clear("0xFF00FF00", "[2,3,4,5]")) + kEnd);
  const auto& items = run.Items(1);
  REQUIRE(items.size() == 4);
  CHECK(items[0]["kind"] == "surface");
  CHECK(items[1]["kind"] == "clear");
  CHECK(items[1]["draw"] == 1);
  CHECK(items[1]["offset"] == 0);
  CHECK(items[1]["writes"][0]["rect"] == nlohmann::json({0, 0, 8, 8}));
  CHECK(items[2]["writes"][0]["rect"] == nlohmann::json({2, 3, 4, 5}));
  CHECK(items[3]["kind"] == "present");
  CHECK(items[3]["target"] == 0);
  const std::vector<uint8_t> first = run.Compose(1, 0, 1);
  const std::vector<uint8_t> second = run.Compose(1, 0, 2);
  const size_t pixel = 4 * (3 * 8 + 2);
  CHECK(std::vector(first.begin() + pixel, first.begin() + pixel + 4) ==
        std::vector<uint8_t>{0, 0, 255, 255});
  CHECK(std::vector(second.begin() + pixel, second.begin() + pixel + 4) ==
        std::vector<uint8_t>{0, 255, 0, 255});
  CHECK(run.Data("frames/1")["targets"][0]["shown"] == 1);
  CHECK(run.Data("run")["frames"][0]["draws"] == 2);
}

TEST_CASE("Inspector: an item that changes nothing writes nothing") {
  const InspectRun run =
      InspectEvents(kScene + Call(Clear("0xFF0000FF") + "," + Clear("0xFF0000FF")) + kEnd);
  CHECK(run.Items(1)[2]["writes"].empty());
}

TEST_CASE("Inspector: a draw that an error stopped says so, whoever draws around it") {
  const std::string refused =
      R"({"op":"SETVERTEXSHADERDECL","records":[{"handle":16}]},{"op":"DRAWPRIMITIVE","records":[{"prim_type":"TRIANGLELIST","v_start":0,"primitive_count":1}]},)";
  for (const bool draws : {true, false}) {
    CAPTURE(draws);
    const std::string events = kScene + Call(refused + Clear("0xFF00FF00")) + kEnd;
    Diagnostic finding;
    finding.rule = Rule::kDp2Fvf001;
    finding.event = 3;
    finding.draw = 1;
    const std::vector<Diagnostic> findings = {finding};
    inspect::Options options;
    if (!draws) options.findings = &findings;
    const InspectRun run = InspectEvents(events, options);
    const auto& item = run.Items(1)[run.ItemOf(1, 1)];
    CHECK(item["kind"] == "draw");
    CHECK(item["refused"].get<std::string>().ends_with(" [DP2-FVF-001]"));
    CHECK_FALSE(run.Items(1)[run.ItemOf(1, 2)].contains("refused"));
  }
}

TEST_CASE("Inspector: draws of a call that is refused as a whole are items") {
  std::string lost = Call(Clear("0xFF000008") + "," + Clear("0xFF000009"));
  lost.replace(lost.find("\"context\":1"), 11, "\"context\":9");
  // In front of the first call, too: no context has drawn there.
  const InspectRun run =
      InspectEvents(kScene + lost + "," + Call(Clear("0xFF0000FF")) + "," + lost + kEnd);
  const auto& items = run.Items(1);
  REQUIRE(items.size() == 7);
  for (const size_t i : {size_t{1}, size_t{2}, size_t{4}, size_t{5}}) {
    CAPTURE(i);
    CHECK(items[i]["kind"] == "clear");
    CHECK(items[i]["draw"] == i);
    CHECK(items[i]["writes"].empty());
    CHECK(items[i]["refused"].get<std::string>().ends_with(" [DP2-CALL-001]"));
  }
  CHECK(items[1]["findings"][0] == 1);
  CHECK_FALSE(items[2].contains("findings"));
}

TEST_CASE("Inspector: scenes show what a replay writes of each draw") {
  for (const char* const name :
       {"stencil-shadow", "teapot-of-patches", "mirror-ball", "bumpy-water", "lit-textured-knot"}) {
    CAPTURE(std::string(name));
    CheckAgainstReplay(
        ReadText(std::string(DP2TRACE_SOURCE_DIR "/traces/scenes/") + name + ".json"));
  }
}

TEST_CASE("Inspector: traces of features show what a replay writes of each draw") {
  size_t checked = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(DP2TRACE_SOURCE_DIR "/traces/features")) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path().string());
    const std::string trace = ReadText(entry.path().string());
    if (trace.find("\"file\":") != std::string::npos) continue;  // bytes beside it
    CheckAgainstReplay(trace);
    inspect::Options reference;
    reference.play.renderer = "reference";
    CHECK(InspectTrace(trace, reference).texts == InspectTrace(trace).texts);
    ++checked;
  }
  CHECK(checked > 50);
}

TEST_CASE("Inspector: frames that are not chosen are drawn and not written") {
  inspect::Options options;
  options.frames = Select("2");
  const InspectRun run = InspectEvents(kScene + Call(Clear("0xFF0000FF")) + kEnd + "," +
                                           Call(Clear("0xFFFF0000", "[0,0,1,1]")) + kEnd + "," +
                                           Call(Clear("0xFF000000")) + kEnd,
                                       options);
  REQUIRE(run.frames.size() == 1);
  CHECK(run.frames[0].number == 2);
  CHECK_FALSE(run.Has("frames/1"));
  CHECK_FALSE(run.Has("frames/3"));
  const std::vector<uint8_t> base = Inflate(run.Data("base/2-0")["data"]);
  CHECK(std::vector(base.begin(), base.begin() + 4) == std::vector<uint8_t>{0, 0, 255, 255});
}

TEST_CASE("Inspector: drawing after the last present is an unfinished frame") {
  const InspectRun run = InspectEvents(kScene + Call(Clear("0xFF0000FF")));
  REQUIRE(run.frames.size() == 1);
  CHECK(run.frames[0].is_unfinished);
  CHECK(run.Data("run")["frames"][0]["unfinished"] == 1);
  CHECK(run.Data("frames/1")["targets"][0]["shown"] == 1);
}

TEST_CASE("Inspector: draws that are not chosen are one item with what they changed") {
  inspect::Options options;
  options.draws = Select("1,4");
  const InspectRun run = InspectEvents(
      kScene +
          Call(Clear("0xFF0000FF") + "," + Clear("0xFF00FF00", "[0,0,2,2]") + "," +
               Clear("0xFFFF0000", "[1,1,3,3]") + "," + Clear("0xFFFFFFFF", "[4,4,5,5]")) +
          kEnd,
      options);
  const auto& items = run.Items(1);
  REQUIRE(items.size() == 5);
  CHECK(items[0]["kind"] == "skipped");  // what made the scene
  CHECK(items[1]["draw"] == 1);
  CHECK(items[2]["kind"] == "skipped");
  CHECK(items[2]["count"] == 2);
  CHECK(items[2]["writes"][0]["rect"] == nlohmann::json({0, 0, 3, 3}));
  CHECK(items[3]["draw"] == 4);
  CHECK(items[3]["writes"][0]["rect"] == nlohmann::json({4, 4, 5, 5}));
}

TEST_CASE("Inspector: what is beyond a limit is one item, and a sentence says so") {
  inspect::Options options;
  options.limits.items = 3;
  const InspectRun run =
      InspectEvents(kScene +
                        Call(Clear("0xFF0000FF") + "," + Clear("0xFF00FF00", "[0,0,2,2]") + "," +
                             Clear("0xFFFF0000", "[1,1,3,3]")) +
                        kEnd,
                    options);
  REQUIRE(run.left_out.size() == 1);
  CHECK(run.left_out[0].find("--max-items") != std::string::npos);
  CHECK(run.Data("run")["limits"][0] == run.left_out[0]);
  const auto& items = run.Items(1);
  CHECK(items[items.size() - 2]["kind"] == "skipped");
  const std::vector<uint8_t> last = run.Compose(1, 0, items.size() - 1);
  CHECK(std::vector(last.begin() + 36, last.begin() + 40) == std::vector<uint8_t>{255, 0, 0, 255});
}

TEST_CASE("Inspector: a trace without frames gives an empty list") {
  const InspectRun run = InspectEvents(kTarget.substr(0, kTarget.size() - 1));
  CHECK(run.frames.empty());
  CHECK(run.Data("run")["frames"].empty());
}

TEST_CASE(
    "Inspector: a page of findings has the frames with findings, and details where they are") {
  const std::string wrong =
      R"({"op":"RENDERSTATE","records":[{"render_state":"ZFUNC","state":77}]},)";
  const std::string events = kScene + Call(Clear("0xFF0000FF")) + kEnd + "," +
                             Call(Clear("0xFF0000FF") + "," + wrong + Clear("0xFF00FF00")) + kEnd +
                             "," + Call(Clear("0xFF000000")) + kEnd;
  Diagnostic finding;
  finding.rule = Rule::kDp2Rs003;
  finding.message = "it is so";
  finding.event = 5;
  finding.offset = 24 + 12;
  const std::vector<Diagnostic> findings = {finding};
  inspect::Options options;
  options.findings = &findings;
  const InspectRun run = InspectEvents(events, options);
  REQUIRE(run.frames.size() == 1);
  CHECK(run.frames[0].number == 2);
  CHECK(run.Data("run")["findings_only"] == 1);
  CHECK_FALSE(run.Has("frames/1"));
  CHECK(run.Data("frames/2")["targets"].empty());
  const auto& items = run.Items(2);
  REQUIRE(items.size() == 3);
  CHECK(run.Details(2, 0).is_null());
  CHECK(run.Details(2, 1)["findings"][0]["message"] == "it is so");
  CHECK(run.Details(2, 1)["states"].contains("snapshot"));
  CHECK(run.Details(2, 2).is_null());
}

TEST_CASE("Inspector: a finding about the file, or after the last item, is shown") {
  Diagnostic file;
  file.message = "cut";
  Diagnostic end;
  end.event = 99;
  end.message = "end";
  const std::vector<Diagnostic> findings = {file, end};
  inspect::Options options;
  options.findings = &findings;
  const InspectRun run = InspectEvents(kScene + Call(Clear("0xFF0000FF")), options);
  REQUIRE(run.frames.size() == 1);
  const auto& items = run.Items(1);
  CHECK(run.Details(1, 0)["findings"][0]["message"] == "cut");
  CHECK(items.back()["name"] == "end of the trace");
  CHECK(run.Details(1, items.size() - 1)["findings"][0]["message"] == "end");
}

TEST_CASE("Inspector: targets of one pixel and of 4096 x 4096") {
  const auto of_size = [](uint32_t size) {
    const std::string scene = fmt::format(
        R"({{"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":{},"height":{}}},
{{"event":"context_create","context":1,"target":1}},)",
        size, size);
    return scene +
           Call(Clear("0xFF0000FF", fmt::format("[0,0,{},{}]", size, size)) + "," +
                Clear("0xFFFF0000", fmt::format("[{},{},{},{}]", size - 1, size - 1, size, size))) +
           kEnd;
  };
  for (const uint32_t size : {1U, 4096U}) {
    CAPTURE(size);
    const InspectRun run = InspectEvents(of_size(size));
    CHECK(run.Items(1)[2]["writes"][0]["rect"] == nlohmann::json({size - 1, size - 1, size, size}));
    const std::vector<uint8_t> last = run.Compose(1, 0, 3);
    REQUIRE(last.size() == size_t{4} * size * size);
    CHECK(std::vector(last.end() - 4, last.end()) == std::vector<uint8_t>{255, 0, 0, 255});
  }
}

TEST_CASE("Inspector: long differences have whole contents between them") {
  // Noise, so that differences are large: each upload is another picture.
  std::string events =
      R"({"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":64,"height":64},)";
  uint32_t random = 1;
  for (int i = 0; i < 150; ++i) {
    std::string data;
    for (int c = 0; c < 64 * 64 * 4 / 3; ++c) {
      for (int digit = 0; digit < 4; ++digit) {
        random = random * 1664525 + 1013904223;
        data += "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[random >> 26];
      }
    }
    data += "AA==";
    events += R"({"event":"surface_update","handle":1,"data":")" + data + "\"},";
  }
  const InspectRun run = InspectEvents(events + std::string(kPresent));
  const auto& target = run.Data("frames/1")["targets"][0];
  REQUIRE(target.contains("keys"));
  for (const auto& key : target["keys"]) {
    const uint64_t item = key;
    CHECK(Inflate(run.Data(fmt::format("keys/1-0-{}", item))["data"]) ==
          run.Compose(1, 0, item - 1));
  }
}

TEST_CASE("Inspector: surfaces beyond the limit of copies are not shown, and a sentence says so") {
  inspect::Options options;
  options.limits.surfaces = 64;
  const InspectRun run = InspectEvents(kScene + Call(Clear("0xFF0000FF")) + kEnd, options);
  REQUIRE(run.left_out.size() == 1);
  CHECK(run.left_out[0].find("--max-surface-copies") != std::string::npos);
  CHECK(run.Data("frames/1")["targets"].empty());
}

TEST_CASE("Inspector: the same trace gives the same files, whatever draws") {
  const std::string trace = ReadText(DP2TRACE_SOURCE_DIR "/traces/scenes/stencil-shadow.json");
  inspect::Options reference;
  reference.play.renderer = "reference";
  inspect::Options threads;
  threads.play.raster.threads = 3;
  const InspectRun first = InspectTrace(trace);
  CHECK(InspectTrace(trace, reference).texts == first.texts);
  CHECK(InspectTrace(trace, threads).texts == first.texts);
}

TEST_CASE("Inspector: blits and uploads of parts are found where they are") {
  const std::string source =
      R"({"event":"surface_create","handle":2,"kind":"plain","format":"X8R8G8B8","width":4,"height":4},
{"event":"surface_update","handle":2,"rect":[1,1,3,2],"data":"/////////////////////w=="},)";
  const std::string fills =
      R"({"op":"COLORFILL","records":[{"surface":1,"rect":[0,0,2,2],"color":"0xFF0000FF"},{"surface":1,"rect":[5,6,8,8],"color":"0xFF00FF00"}]})";
  const std::string blit =
      R"({"op":"BLT","records":[{"source":2,"source_rect":[1,1,3,2],"source_mip_level":0,"dest":1,"dest_rect":[3,3,5,4],"dest_mip_level":0,"flags":["POINT"]}]})";
  const std::string event =
      R"(,{"event":"blt","kind":"color_fill","dest":1,"dest_rect":[0,7,1,8],"fill":255})";
  const InspectRun run = InspectEvents(kScene + Call(Clear("0xFF101010")) + "," + source +
                                       Call(fills + "," + blit) + event + kEnd);
  std::vector<std::string> rects;
  for (const auto& item : run.Items(1)) {
    for (const auto& write : item["writes"])
      rects.push_back(item["name"].get<std::string>() + " " + write["rect"].dump());
  }
  CHECK(rects == std::vector<std::string>{"CLEAR [0,0,8,8]", "surface_update [1,1,3,2]",
                                          "COLORFILL [0,0,8,8]", "BLT [3,3,5,4]", "blt [0,7,1,8]"});
}

TEST_CASE("Inspector: a palette that changes what a surface shows is a change of it") {
  const std::string scene =
      R"({"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"surface_create","handle":2,"kind":"texture","format":"P8","width":2,"height":1},
{"event":"context_create","context":1,"target":1},)";
  const std::string upload = R"({"event":"surface_update","handle":2,"data":"AQI="},)";
  const std::string palette =
      R"({"op":"SETPALETTE","records":[{"palette_handle":1,"palette_flags":[],"surface_handle":2}]},
{"op":"UPDATEPALETTE","palette_handle":1,"start_index":0,"num_entries":2,"entries":[0,4294901760]})";
  const InspectRun run =
      InspectEvents(scene + upload + Call(palette) + R"(,{"event":"present","handle":2})");
  const auto& items = run.Items(1);
  REQUIRE(items.size() == 5);
  CHECK(items[2]["name"] == "surface_update");
  CHECK(items[3]["name"] == "UPDATEPALETTE");
  CHECK(items[3]["kind"] == "other");
  const std::vector<uint8_t> before = run.Compose(1, 0, 2);
  CHECK(std::vector(before.begin(), before.begin() + 4) == std::vector<uint8_t>{1, 1, 1, 255});
  const std::vector<uint8_t> after = run.Compose(1, 0, 3);
  CHECK(std::vector(after.begin(), after.begin() + 4) == std::vector<uint8_t>{255, 0, 0, 255});
}
