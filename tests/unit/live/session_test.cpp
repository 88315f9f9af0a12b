#include "live/session.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "history/recorder.h"
#include "image/png.h"
#include "inspect_run.h"
#include "live/loader.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

using Json = nlohmann::json;

// Two frames and an unfinished one; frame 2 has a state that is wrong.
std::string ThreeFrames() {
  const std::string wrong =
      R"({"op":"RENDERSTATE","records":[{"render_state":"ZFUNC","state":77}]},)";
  const std::string present(kPresent);
  return "[\n{\"event\":\"header\"},\n" + std::string(kTarget) + Call(Clear("0xFF102030")) + "," +
         present + "," +
         Call(wrong + Clear("0xFF405060", "[2,2,4,4]") + "," + Clear("0xFF708090", "[3,3,8,8]")) +
         "," + present + "," + Call(Clear("0xFFFFFFFF", "[0,0,1,1]")) + "]\n";
}

// Each frame draws over the last one, with states that earlier ones set; the last is unfinished.
std::string ManyFrames(int count) {
  std::string text = "[\n{\"event\":\"header\"},\n" + std::string(kTarget);
  for (int i = 1; i < count; ++i) {
    const std::string state =
        R"({"op":"RENDERSTATE","records":[{"render_state":"ALPHAREF","state":)" +
        std::to_string(i / 3) + "}]},";
    const std::string place = "[" + std::to_string(i % 8) + ",0,8,8]";
    text += R"({"event":"marker","text":"frame )" + std::to_string(i) + "\"}," +
            Call(state + Clear(fmt::format("0xFF0000{:02X}", i), place)) + "," +
            std::string(kPresent) + ",\n";
  }
  return text + Call(Clear("0xFFFFFFFF", "[0,0,1,1]")) + "]\n";
}

class OpenSession {
 public:
  explicit OpenSession(const std::string& text, uint64_t max_kept = 1 << 20,
                       uint64_t max_keyframes = 1 << 20) {
    WriteText(folder_ / "trace.json", text);
    Result<std::unique_ptr<live::Session>> session =
        live::Session::Open({.tool = "dp2trace test",
                             .name = "trace.json",
                             .path = folder_ / "trace.json",
                             .place = folder_ / "edited.dp2t",
                             .max_memory = uint64_t{1} << 30,
                             .max_kept = max_kept,
                             .max_keyframes = max_keyframes,
                             .limits = {},
                             .play = {}});
    REQUIRE(session.ok());
    session_ = std::move(*session);
  }
  Json Ask(const std::string& name) {
    const Result<std::string> value = session_->Ask(name);
    INFO(name);
    REQUIRE(value.ok());
    return Json::parse(*value);
  }
  bool Lacks(const std::string& name) { return !session_->Ask(name).ok(); }
  // Puts a file beside the trace; null where it is refused.
  Json Put(const std::string& name, const std::string& bytes) {
    WriteText(folder_ / name, bytes);
    const Result<std::string> value = session_->Put(
        {.name = name, .path = folder_ / name, .imported = folder_ / "imported.dp2t"});
    return value.ok() ? Json::parse(*value) : Json();
  }

 private:
  TestFolder folder_;
  std::unique_ptr<live::Session> session_;
};

// All frames, asked for one after the other.
Json Frames(OpenSession& session) {
  Json frames = Json::array();
  while (true) {
    const Json answer = session.Ask(fmt::format("overview/{}", frames.size()));
    for (const Json& frame : answer["frames"])
      frames.push_back(frame);
    if (answer["complete"] == 1) return frames;
  }
}

}  // namespace

TEST_CASE("Session: the overview has every frame, its draws, findings and picture") {
  OpenSession session(ThreeFrames());
  CHECK(session.Ask("overview/0")["frames"].size() == 1);  // no more than is needed
  const Json frames = Frames(session);
  REQUIRE(frames.size() == 3);
  CHECK(frames[1]["frame"] == 2);
  CHECK(frames[1]["draws"] == 2);
  CHECK(frames[1]["event"] == 6);
  CHECK(frames[1]["findings"]["error"] == 1);
  CHECK(frames[0]["findings"]["error"] == 0);
  CHECK_FALSE(frames[1].contains("unfinished"));
  CHECK(frames[2]["unfinished"] == 1);
  CHECK(frames[2]["draws"] == 1);
  CHECK(frames[0]["primitives"] == 0);
  CHECK(frames[0]["pixels"] == 0);
  CHECK(frames[1]["steps"] == frames[1]["pixels"]);  // clears have no vertices
  CHECK(frames[1]["film"]["width"] == 8);
  CHECK(frames[1]["film"]["data"].get<std::string>().starts_with("ECAw/"));  // 10 20 30 ff
  CHECK(session.Ask("overview/3")["frames"].empty());
}

TEST_CASE("Session: any frame has the data of an inspect page of it, in any order") {
  OpenSession session(ThreeFrames());
  for (const uint64_t frame : {3U, 1U, 2U, 1U}) {
    CAPTURE(frame);
    inspect::Options options;
    options.frames = Select(std::to_string(frame));
    options.play.validation.token_text = nullptr;
    const InspectRun page = InspectTrace(ThreeFrames(), options);
    size_t compared = 0;
    for (const auto& entry : page.data) {
      const std::string& name = entry.first;
      if (name == "run" || name.starts_with("rules/")) continue;
      CAPTURE(name);
      CHECK(session.Ask(name) == entry.second);
      ++compared;
    }
    CHECK(compared >= 4);
    CHECK(session.Ask(fmt::format("limits/{}", frame))["frames"][0]["frame"] == frame);
  }
}

TEST_CASE("Session: what is played from a keyframe on is what is played from the start") {
  constexpr int kFrames = 30;
  const std::string text = ManyFrames(kFrames);
  OpenSession plain(text, 1, 0);
  // Room for all keyframes, for some, and for one.
  for (const uint64_t room : {uint64_t{1} << 24, uint64_t{900'000}, uint64_t{250'000}}) {
    CAPTURE(room);
    OpenSession session(text, 1, room);
    (void)Frames(session);
    for (const int frame : {30, 7, 29, 1, 9, 8, 30, 17}) {
      for (const char* const part : {"frames/{}", "base/{}-0", "items/{}-0", "limits/{}",
                                     "history/{}-7-0", "history/{}-0-0-1-0-0"}) {
        const std::string name = fmt::format(fmt::runtime(part), frame);
        CAPTURE(name);
        CHECK(session.Ask(name) == plain.Ask(name));
      }
    }
    CHECK(session.Lacks("frames/31"));
    CHECK(session.Lacks("history/31-0-0"));
  }
}

TEST_CASE("Session: frames that nobody asks for again make room") {
  OpenSession session(ThreeFrames(), 1);
  (void)session.Ask("frames/1");
  const Json first = session.Ask("base/1-0");
  (void)session.Ask("frames/2");
  CHECK(session.Ask("base/1-0") == first);
}

TEST_CASE("Session: the history of a pixel of any frame, also of a surface by its handle") {
  OpenSession session(ThreeFrames());
  const Json shown = session.Ask("history/2-3-3");
  CHECK(shown["text"].get<std::string>().find("CLEAR") != std::string::npos);
  CHECK(shown["history"]["frame"] == 2);
  CHECK(session.Ask("history/2-3-3-1-0-0")["history"]["operations"] ==
        shown["history"]["operations"]);
  CHECK(session.Ask("history/3-0-0")["history"]["frame"] == 3);
  const Json outside = session.Ask("history/2-99-0");
  CHECK_FALSE(outside.contains("history"));
  CHECK_FALSE(outside["text"].get<std::string>().empty());
}

TEST_CASE("Session: all surfaces that live after an item, and what they hold") {
  const std::string present(kPresent);
  const std::string make =
      R"({"event":"surface_create","handle":7,"format":"L8","width":2,"height":2,"levels":2},
{"event":"surface_create","handle":8,"kind":"vertex_buffer","width":32,"height":1},
{"event":"surface_update","handle":7,"data":"AQIDBA=="},
)";
  OpenSession session("[\n{\"event\":\"header\"},\n" + std::string(kTarget) +
                      Call(Clear("0xFF102030")) + "," + present + ",\n" + make +
                      Call(Clear("0xFF405060", "[0,0,4,4]") + "," + Clear("0xFF708090")) + "," +
                      present + ",\n{\"event\":\"surface_destroy\",\"handle\":7}]\n");
  const Json items = session.Ask("frames/2")["items"];
  const auto place = [](const Json& item) {
    const std::string name = fmt::format("surfaces/2-{}", item["event"].get<uint64_t>());
    return item.contains("offset") ? fmt::format("{}-{}", name, item["offset"].get<uint64_t>())
                                   : name;
  };
  const auto handles = [&](const Json& item) {
    Json out = Json::array();
    const Json answer = session.Ask(place(item));
    for (const Json& surface : answer["surfaces"])
      out.push_back(surface["handle"]);
    return out;
  };
  CHECK(handles(items[0]) == Json({1, 7}));
  CHECK(handles(items[1]) == Json({1, 7, 8}));
  const Json texture = session.Ask(place(items.back()))["surfaces"][1];
  CHECK(texture == Json::parse(R"({"space":0,"handle":7,"type":"texture","format_name":"L8",
"kind":"2d","width":2,"height":2,"depth":1,"levels":2,"shows":1})"));
  CHECK(session.Ask(place(items.back()))["surfaces"][2]["shows"] == 0);
  CHECK(session.Ask(place(items.back()) + "-0-7")["levels"].size() == 2);
  // Between two tokens of a call: what the first has drawn.
  const auto content = [&](const Json& item) {
    return session.Ask(place(item) + "-0-1")["levels"][0][0]["data"];
  };
  const size_t clear = items.size() - 3;
  REQUIRE(items[clear]["kind"] == "clear");
  REQUIRE(items[clear + 1]["event"] == items[clear]["event"]);
  CHECK(content(items[clear - 1]) != content(items[clear]));
  CHECK(content(items[clear]) != content(items[clear + 1]));
  CHECK(content(items[clear + 1]) == content(items.back()));
  for (const char* const name :
       {"surfaces/2", "surfaces/2-9999", "surfaces/a", "surfaces/1-2-3-4-5-6"})
    CHECK(session.Lacks(name));
  CHECK(session.Lacks(place(items.back()) + "-0-8"));
  CHECK(session.Lacks(place(items.back()) + "-0-99"));
  CHECK(session.Lacks(place(items.back()) + "-9-7"));
  CHECK(session.Lacks(fmt::format("surfaces/1-{}", items.back()["event"].get<uint64_t>())));
}

TEST_CASE("Session: the names that a state may be given") {
  OpenSession session(ThreeFrames());
  CHECK(session.Ask("values/render_state.ZFUNC")["values"] ==
        Json({"NEVER", "LESS", "EQUAL", "LESSEQUAL", "GREATER", "NOTEQUAL", "GREATEREQUAL",
              "ALWAYS"}));
  CHECK(session.Ask("values/render_state.LIGHTING")["values"] == Json({"TRUE", "FALSE"}));
  // Numbers; names of filters are others in other versions of the runtime, so a change has their number.
  CHECK(session.Ask("values/render_state.ALPHAREF")["values"] == Json::array());
  CHECK(session.Ask("values/texture_stage.MAGFILTER")["values"] == Json::array());
  for (const char* const name :
       {"values/", "values/ZFUNC", "values/transform.VIEW", "values/render_state.NONE"})
    CHECK(session.Lacks(name));
  // Each of them is one that a change may give.
  for (const std::string state :
       {"render_state.FOGTABLEMODE", "texture_stage.COLOROP", "render_state.COLORWRITEENABLE"}) {
    const Json values = session.Ask("values/" + state)["values"];
    CHECK(values.size() > 2);
    const std::string place = state.starts_with("texture") ? "0." : "";
    for (const Json& value : values) {
      const std::string line =
          fmt::format("edit/set draw=1,{}{}={}", place, state.substr(state.find('.') + 1),
                      value.get<std::string>());
      CAPTURE(line);
      CHECK_FALSE(session.Lacks(line));
    }
  }
}

TEST_CASE("Session: a trace with changes is shown until they are taken back") {
  OpenSession session(ThreeFrames());
  const Json before = session.Ask("frames/2");
  const Json pixel = session.Ask("history/2-3-3");
  CHECK(session.Ask("edit/drop draw=3")["patches"].size() == 1);
  CHECK(Frames(session)[1]["draws"] == 1);
  CHECK(session.Ask("history/2-3-3") != pixel);
  // Every list is of the trace that was opened, not of the one before.
  const Json both = session.Ask("edit/set draw=2,ZENABLE=FALSE\n\ndrop draw=3\n");
  CHECK(both["patches"][0]["changes"][0]["draws"] == "2");
  CHECK(both["patches"][1]["changes"][0]["drop"] == true);
  for (const char* const wrong : {"edit/drop draw=9", "edit/set draw=2,ZENABL=1",
                                  "edit/replace texture=1,0,x.png", "edit/x"}) {
    CAPTURE(wrong);
    CHECK(session.Lacks(wrong));
    CHECK(Frames(session)[1]["draws"] == 1);
  }
  CHECK(session.Ask("edit/")["patches"].empty());
  CHECK(session.Ask("frames/2") == before);
  CHECK(session.Ask("history/2-3-3") == pixel);
}

namespace {

// A picture of frame 2 of ThreeFrames() with other pixels in the row of number 3.
std::string PictureBeside() {
  image::Picture picture(8, 8);
  const auto fill = [&picture](uint32_t from, uint32_t to, std::array<uint8_t, 4> color) {
    for (uint32_t y = from; y < to; ++y) {
      for (uint32_t x = from; x < to; ++x)
        std::ranges::copy(color, picture.at(x, y).begin());
    }
  };
  fill(0, 8, {0x10, 0x20, 0x30, 255});
  fill(2, 4, {0x40, 0x50, 0x60, 255});
  fill(3, 8, {0x70, 0x80, 0x90, 255});
  for (uint32_t x = 4; x < 8; ++x)
    picture.at(x, 3)[0] = 0x72;
  const auto png = image::EncodePng(picture);
  return {png->begin(), png->end()};
}

}  // namespace

TEST_CASE(
    "Session: a picture beside the trace is compared with a frame, a draw and a surface, and blamed") {
  OpenSession session(ThreeFrames());
  CHECK(session.Lacks("compare/frame/2"));
  CHECK(session.Put("mine.png", PictureBeside()) ==
        Json::parse(R"({"name":"mine.png","kind":"picture","width":8,"height":8})"));
  for (const char* const place : {"frame/2", "draw/2-3", "surface/2-1-0-0"}) {
    CAPTURE(place);
    const Json compared = session.Ask(fmt::format("compare/{}", place))["compare"]["pictures"][0];
    CHECK(compared["state"] == "different");
    CHECK(compared["differing_pixels"] == 4);
    CHECK(compared["first"]["x"] == 4);
    const Json blame = session.Ask(fmt::format("blame/{}", place));
    CHECK(blame["blame"]["regions"][0]["candidates"][0]["operation"]["draw"] == 3);
    CHECK(blame["text"].get<std::string>().find("draw 3, CLEAR") != std::string::npos);
  }
  CHECK(session.Ask("compare/frame/2/2")["compare"]["pictures"][0]["state"] == "equal");
  CHECK(session.Ask("compare/frame/3")["compare"]["pictures"][0]["differing_pixels"] != 4);
  // It stays while the trace is changed.
  (void)session.Ask("edit/drop draw=3");
  CHECK(session.Ask("compare/frame/2")["compare"]["pictures"][0]["differing_pixels"] != 4);
  CHECK(session.Lacks("diff"));
}

TEST_CASE("Session: a trace beside the trace is compared with it; nonsense is refused") {
  OpenSession session(ThreeFrames());
  CHECK(session.Put("other.json", ThreeFrames())["kind"] == "trace");
  CHECK(session.Ask("diff")["text"] == "the same\n");
  (void)session.Ask("edit/drop draw=3");
  const Json diff = session.Ask("diff")["diff"];
  CHECK(diff["added"] == 1);
  CHECK(diff["other_trace"] == "other.json");
  CHECK(session.Lacks("blame/frame/1"));
  CHECK(session.Put("nonsense.bin", std::string("\0\1\2", 3)).is_null());
  CHECK(session.Lacks("diff"));
  CHECK(session.Put("cut.png", PictureBeside().substr(0, 20)).is_null());
  CHECK(session.Ask("frames/1").contains("items"));
}

TEST_CASE("Session: places of pictures that are not there have a sentence") {
  OpenSession session(ThreeFrames());
  (void)session.Put("mine.png", PictureBeside());
  for (const char* const place :
       {"", "frame", "frame/", "frame/0", "frame/9", "frame/1-2", "draw/1-3", "draw/2-99", "read/1",
        "surface/2-7-0-0", "surface/2-1-0-9", "surface/2-4294967296-0-0", "frame/1/256",
        "frame/1/x", "cube/1"}) {
    for (const char* const verb : {"compare/", "blame/"}) {
      CAPTURE(place);
      CHECK(session.Lacks(verb + std::string(place)));
    }
  }
}

TEST_CASE("Session: changes may be patches, with pictures in them; files are not read") {
  OpenSession session(ThreeFrames());
  const Json answer = session.Ask(
      R"(edit/patch {"changes":[{"draws":"3","drop":true},{"draws":"2","set":[{"op":"SETMATERIAL"}]}]})");
  CHECK(answer["patches"][0]["changes"].size() == 2);
  CHECK(Frames(session)[1]["draws"] == 1);
  for (const char* const wrong :
       {R"(edit/patch {"changes":[{"texture":1,"file":"trace.json"}]})",
        R"(edit/patch {"changes":[{"texture":1,"png":"AAAA"}]})", "edit/patch {", "edit/patch "}) {
    CAPTURE(wrong);
    CHECK(session.Lacks(wrong));
  }
}

TEST_CASE("Session: the findings of the trace are those of lint") {
  OpenSession session(ThreeFrames());
  const Json answer = session.Ask("findings");
  CHECK(answer["error"] == 1);
  REQUIRE(answer["findings"].size() >= 1);
  const Json& finding = answer["findings"][0];
  CHECK(finding["frame"] == 2);
  const std::string rule = finding["rule"];
  CHECK(session.Ask("rules/" + rule)["text"].get<std::string>().starts_with(rule + ": "));
}

TEST_CASE("Session: a read by the CPU is an item, and a pixel has a history up to it") {
  const std::string read = R"({"event":"surface_read","handle":1,"rect":[2,2,6,6]})";
  OpenSession session("[\n{\"event\":\"header\"},\n" + std::string(kTarget) +
                      Call(Clear("0xFF102030")) + "," + read + "," + Call(Clear("0xFF405060")) +
                      "," + read + "," + std::string(kPresent) + "]\n");
  const Json items = session.Ask("frames/1")["items"];
  std::vector<uint64_t> reads;
  for (const Json& item : items) {
    if (item["kind"] != "read") continue;
    reads.push_back(item["read"]);
    CHECK(item["name"] == "surface_read");
    CHECK(item["target"] == 0);
  }
  CHECK(reads == std::vector<uint64_t>{1, 2});
  const auto clears = [&](const std::string& name) {
    const Json operations = session.Ask(name)["history"]["operations"];
    return std::ranges::count(operations, "clear",
                              [](const Json& one) { return one["kind"].get<std::string>(); });
  };
  CHECK(clears("history/read-1-3-3-1-0-0") == 1);
  CHECK(clears("history/read-2-3-3-1-0-0") == 2);
  CHECK(session.Lacks("history/read-3-3-3-1-0-0"));
}

TEST_CASE("Session: a read after the last present is in a frame of its own") {
  const std::string read = R"({"event":"surface_read","handle":1,"rect":[2,2,6,6]})";
  OpenSession session("[\n{\"event\":\"header\"},\n" + std::string(kTarget) +
                      Call(Clear("0xFF102030")) + "," + std::string(kPresent) + "," + read + "]\n");
  const Json frames = Frames(session);
  REQUIRE(frames.size() == 2);
  CHECK(frames[1]["unfinished"] == 1);
  CHECK(frames[1]["draws"] == 0);
  CHECK_FALSE(frames[1].contains("film"));
  const Json items = session.Ask("frames/2")["items"];
  REQUIRE(items.size() == 1);
  CHECK(items[0]["kind"] == "read");
  CHECK(items[0]["target"] == 0);
  CHECK(session.Lacks("history/2-3-3"));
  CHECK(session.Ask("history/read-1-3-3-1-0-0").contains("history"));
}

TEST_CASE("Session: what is not there is an error, and the session goes on") {
  OpenSession session(ThreeFrames());
  for (const char* const name :
       {"", "/", "frames", "frames/", "frames/0", "frames/4", "frames/99999999999999999999",
        "frames/1-", "items/1-7", "history/1", "history/1-2", "history/9-0-0",
        "history/1-4294967296-0", "rules/NONE-1", "overview/x", "resources/none", "run",
        "../trace.json"}) {
    CAPTURE(name);
    CHECK(session.Lacks(name));
  }
  CHECK(session.Ask("frames/1").contains("items"));
}

TEST_CASE(
    "Watch: the question that is worked on fails once it is cancelled, the next one does not") {
  live::Watch watch;
  CHECK(watch.Look(1, 4).ok());
  watch.Cancel();
  CHECK_FALSE(watch.Look(3, 4).ok());
  CHECK(watch.ProgressText() == R"({"done":3,"size":4})");
  watch.Start();
  CHECK(watch.Look(1, 4).ok());
}

TEST_CASE("Load: an import ends where its progress fails") {
  const TestFolder folder;
  WriteText(folder / "dump.txt",
            "level 7\ntarget 64x64 X8R8G8B8\ncommands\n"
            "00000000  0c 00 01 00 01 00 00 00 ff 00 ff ff 00 00 80 3f\n"
            "00000010  00 00 00 00 00 00 00 00 00 00 00 00 40 00 00 00\n00000020  40 00 00 00\n");
  const auto load = [&](const Status& status) {
    return live::Load(folder / "dump.txt", folder / "imported.dp2t", "test", uint64_t{1} << 30,
                      [&](uint64_t /*position*/) { return status; });
  };
  CHECK(load(OkStatus()).ok());
  const Result<live::Loaded> cancelled = load(Failure(kCannotRead, "it was cancelled"));
  REQUIRE_FALSE(cancelled.ok());
  CHECK(cancelled.status().diagnostic().message == "it was cancelled");
}

TEST_CASE("Session: a trace that is not there cannot be opened") {
  CHECK_FALSE(live::Session::Open(
                  {.tool = "", .name = "", .path = "/nowhere/trace.dp2t", .limits = {}, .play = {}})
                  .ok());
}
