#include "blame/changes.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "blame_run.h"
#include "unit/history/history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// A trace with another state, drawn as if it had not: what has changed, in words, and of how many draws.
struct ChangeCase {
  const char* trace;
  std::string from, to;
  std::vector<std::string> changes;
  uint64_t draws;
};

const std::vector<ChangeCase> kChangeCases = {
    {"scenes/columns-in-fog.json",
     R"("FOGDENSITY","state":0.13)",
     R"("FOGDENSITY","state":0.4)",
     {"FOGDENSITY 0.13 -> 0.4"},
     21},
    {"scenes/lit-textured-knot.json",
     R"("power":24)",
     R"("power":0)",
     {"material power=24 -> power=0"},
     1},
    {"features/stage-add.json",
     R"("ADDSIGNED")",
     R"("ADD")",
     {"stage 0 COLOROP ADDSIGNED -> ADD"},
     1},
};

// Textures of one texel each; the draws are squares of 8 pixels, next to each other.
std::string Texel(uint32_t handle, const std::string& data) {
  return fmt::format(R"(,{{"event":"surface_update","handle":{},"data":"{}"}})", handle, data);
}

std::string Start() {
  std::string text =
      R"([{"event":"header","driver_level":7},{"event":"surface_create","handle":1,"kind":"target","caps":["3DDEVICE","VIDEOMEMORY"],"format":"X8R8G8B8","width":64,"height":64})";
  for (const uint32_t handle : {3U, 4U, 5U}) {
    text += fmt::format(
        R"(,{{"event":"surface_create","handle":{},"kind":"texture","caps":["TEXTURE","VIDEOMEMORY"],"format":"A8R8G8B8","width":1,"height":1}})",
        handle);
    text += Texel(handle, handle == 3 ? "AAD//w==" : handle == 4 ? "AP8A/w==" : "/wAA/w==");
  }
  return text + R"(,{"event":"context_create","context":1,"target":1,"runtime_version":3})";
}

std::string Square(uint32_t left, uint32_t texture, const std::string& states = {},
                   const std::string& color = "4294967295") {
  std::string vertices;
  for (const auto& [x, y] : {std::pair(0U, 0U), {8, 0}, {0, 8}, {8, 0}, {8, 8}, {0, 8}})
    vertices +=
        fmt::format("{}[{},{},0.5,1,{},0,0]", vertices.empty() ? "" : ",", left + x, y, color);
  return fmt::format(
      R"(,{{"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":324,"vertex_size":28,"commands":[{}{{"op":"TEXTURESTAGESTATE","records":[{{"stage":0,"ts_state":"TEXTUREMAP","value":{}}}]}},{{"op":"TRIANGLELIST","count":2,"v_start":0}}],"vertices":[{}]}})",
      states, texture, vertices);
}

std::string State(const std::string& name, const std::string& value) {
  return fmt::format(R"({{"op":"RENDERSTATE","records":[{{"render_state":"{}","state":{}}}]}},)",
                     name, value);
}

// Frame 1 has the draws a, b, c, with a texture each.
const std::string kEnd = R"(,{"event":"present","handle":1})";
std::string TwoFrames(const std::string& second) {
  const std::string first =
      State("CULLMODE", "\"NONE\"") + State("ZENABLE", "\"FALSE\"") + State("LIGHTING", "0");
  return Start() + Square(0, 3, first) + Square(8, 4) + Square(16, 5) + kEnd + second + kEnd + "]";
}

// Of the draw with this place in frame 2, since frame 1.
blame::Changes ChangesOf(const std::string& second, size_t draw) {
  const std::string trace = TwoFrames(second);
  const blame::Frame frame = FrameOf(trace, 2);
  std::vector<uint32_t> draws;
  for (uint32_t i = 0; i < frame.operations.size(); ++i) {
    if (frame.operations[i].draw != 0) draws.push_back(i);
  }
  REQUIRE(draw < draws.size());
  return blame::FindChanges(FrameOf(trace, 1), frame, std::vector{draws[draw]});
}

std::vector<std::string> TextsOf(const blame::Changes& changes) {
  std::vector<std::string> texts;
  for (const blame::Change& change : changes.changes)
    texts.push_back(blame::TextOf(change));
  return texts;
}

}  // namespace

TEST_CASE("Changes: draws of one kind are paired by what they read") {
  // One more draw, in front of b, is a partner of none; those after it keep theirs.
  const std::string more =
      Square(0, 3) + Square(24, 3) + Square(8, 4) + Square(16, 5, State("ZBIAS", "3"));
  const blame::Changes extra = ChangesOf(more, 1);
  CHECK(extra.unmatched == 1);
  CHECK(extra.matched == 0);
  CHECK(TextsOf(ChangesOf(more, 2)).empty());
  CHECK(TextsOf(ChangesOf(more, 3)) == std::vector<std::string>{"ZBIAS 0 -> 3"});
  // One less: b takes the place of a.
  const blame::Changes fewer = ChangesOf(Square(8, 4, State("ZBIAS", "3")) + Square(16, 5), 0);
  CHECK(fewer.matched == 1);
  CHECK(TextsOf(fewer) == std::vector<std::string>{"ZBIAS 0 -> 3"});
}

TEST_CASE("Changes: other vertices and other texels are changes") {
  const std::string ab = Square(0, 3) + Square(8, 4);
  CHECK(TextsOf(ChangesOf(ab + Square(16, 5, {}, "4286611584"), 2)) ==
        std::vector<std::string>{"the vertices are others"});
  CHECK(TextsOf(ChangesOf(ab + Square(16, 5), 2)).empty());
  CHECK(TextsOf(ChangesOf(Texel(5, "/////w==") + ab + Square(16, 5), 2)) ==
        std::vector<std::string>{"texture 5 has other texels (uploaded by event 13)"});
  CHECK(TextsOf(ChangesOf(Texel(5, "/wAA/w==") + ab + Square(16, 5), 2)).empty());
  CHECK(TextsOf(ChangesOf(ab + Square(16, 4), 2)) ==
        std::vector<std::string>{"texture 0 5: A8R8G8B8 1x1 -> 4: A8R8G8B8 1x1"});
}

TEST_CASE("Changes: states that another one brings into force are no changes of their own") {
  const std::string blend = State("ALPHABLENDENABLE", "1") + State("SRCBLEND", "\"ZERO\"");
  CHECK(TextsOf(ChangesOf(Square(0, 3) + Square(8, 4, blend) + Square(16, 5), 1)) ==
        std::vector<std::string>{"ALPHABLENDENABLE FALSE -> TRUE"});
  CHECK(blame::CauseOf("SRCBLENDALPHA") == "SEPARATEALPHABLENDENABLE");
  CHECK(blame::CauseOf("material") == "LIGHTING");
  CHECK(blame::CauseOf("stage 1 ALPHAOP") == "texture stages in use");
  CHECK(blame::CauseOf("stage 1 COLOROP").empty());
  CHECK(blame::CauseOf("ZENABLE").empty());
}

TEST_CASE("Changes: what wrong draws have of their own beside the same draws in a right frame") {
  for (const ChangeCase& c : kChangeCases) {
    CAPTURE(c.from);
    const std::string right = TraceText(c.trace);
    const std::string wrong = Replaced(right, c.from, c.to);
    const Blamed blamed = BlameOf(wrong, right);
    const blame::Changes changes =
        blame::FindChanges(FrameOf(right, 1), blamed.frame, blamed.blame.wrong_draws);
    CHECK(changes.right_frame == 1);
    CHECK(changes.matched == c.draws);
    CHECK(changes.unmatched == 0);
    std::vector<std::string> texts;
    for (const blame::Change& change : changes.changes) {
      texts.push_back(blame::TextOf(change));
      CHECK(change.draws.size() == c.draws);
    }
    CHECK(texts == c.changes);
  }
}

TEST_CASE("Changes: draws that the right frame lacks are counted, the others keep their partners") {
  const std::string text = TraceText("features/stage-add.json");
  const blame::Frame whole = FrameOf(text, 1);
  std::vector<uint32_t> draws;
  for (uint32_t i = 0; i < whole.operations.size(); ++i) {
    if (whole.operations[i].kind == history::Kind::kDraw) draws.push_back(i);
  }
  REQUIRE(draws.size() > 2);
  blame::Frame without = FrameOf(text, 1);
  without.operations.erase(without.operations.begin() + draws[1]);
  const blame::Changes same = blame::FindChanges(FrameOf(text, 1), whole, draws);
  CHECK(same.matched == draws.size());
  CHECK(same.changes.empty());
  const blame::Changes fewer = blame::FindChanges(without, whole, draws);
  CHECK(fewer.matched == draws.size() - 1);
  CHECK(fewer.unmatched == 1);
}

TEST_CASE("Changes: a constant with the other sign is negated, and a state can be there once") {
  const std::string right = TraceText("features/shaders.json");
  const std::string wrong = Replaced(right, "[0,0.4,0,0]", "[0,-0.4,0,0]");
  const Blamed blamed = BlameOf(wrong, right);
  const blame::Changes changes =
      blame::FindChanges(FrameOf(right, 1), blamed.frame, blamed.blame.wrong_draws);
  REQUIRE(changes.changes.size() == 1);
  CHECK(changes.changes[0].is_negated);
  CHECK(blame::TextOf(changes.changes[0]) == "vs.c0 [0 0.4 0 0] -> [0 -0.4 0 0], negated");
  blame::Change change{.name = "FOGSTART", .before = "250", .after = {}, .draws = {3}};
  CHECK(blame::TextOf(change) == "FOGSTART 250, here not in force");
  std::swap(change.before, change.after);
  CHECK(blame::TextOf(change) == "FOGSTART 250, there not in force");
}
