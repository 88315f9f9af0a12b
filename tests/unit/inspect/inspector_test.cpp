#include "inspect/inspector.h"

#include <doctest/doctest.h>

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
  const DrawPictures due = ReplayDraws(trace);
  REQUIRE_FALSE(due.pictures.empty());
  const InspectRun run = InspectTrace(trace);
  size_t compared = 0;
  for (const auto& frame : run.frames) {
    for (const auto& item : run.Items(frame.number)) {
      if (!item.contains("draw") || !item.contains("target")) continue;
      const uint64_t draw = item["draw"];
      CAPTURE(draw);
      REQUIRE(due.pictures.contains(draw));
      CHECK(run.Compose(frame.number, item["target"], item["n"]) == due.pictures.at(draw).rgba);
      ++compared;
    }
  }
  CHECK(compared > 0);
}

}  // namespace

TEST_CASE("Inspector: base and differences give the picture behind each item") {
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

TEST_CASE("Inspector: scenes show what a replay writes of each draw") {
  for (const char* const name :
       {"stencil-shadow", "teapot-of-patches", "mirror-ball", "bumpy-water", "lit-textured-knot"}) {
    CAPTURE(std::string(name));
    CheckAgainstReplay(
        ReadText(std::string(DP2TRACE_SOURCE_DIR "/traces/scenes/") + name + ".json"));
  }
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

TEST_CASE("Inspector: drawing behind the last present is an unfinished frame") {
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

TEST_CASE("Inspector: a finding about the file, or behind the last item, is shown") {
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
