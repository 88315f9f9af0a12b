#include "blame/levels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "blame_run.h"
#include "json/base64.h"
#include "unit/history/history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

Result<std::optional<blame::BlamedLevel>> LevelOf(const std::string& trace,
                                                  const std::string& driver) {
  const Blamed blamed = BlameOf(trace, driver);
  TextFeed feed(trace);
  return blame::FindLevel(blamed.frame, blamed.blame, PictureOf(driver, 1), {}, SpanOf(trace, 1),
                          {}, feed);
}

// The scene with black in a level of the texture of its floor.
std::string WithLevel(std::string text, uint32_t level) {
  const std::string name = "\"handle\":10,\"level\":" + std::to_string(level);
  size_t at = text.find(name);
  REQUIRE(at != std::string::npos);
  at = text.find("\"data\":\"", at) + 8;
  std::fill(text.begin() + static_cast<ptrdiff_t>(at),
            text.begin() + static_cast<ptrdiff_t>(text.find('=', at) - 4), 'A');
  return text;
}

}  // namespace

TEST_CASE("Levels: the level of a texture that a driver got wrong is named") {
  const std::string trace = TraceText("scenes/columns-in-fog.json");
  for (const uint32_t level : {1U, 2U}) {
    CAPTURE(level);
    const auto found = LevelOf(trace, WithLevel(trace, level));
    REQUIRE(found.ok());
    REQUIRE(found->has_value());
    CHECK((*found)->texture == 10);
    CHECK((*found)->sampler == 0);
    CHECK((*found)->level == level);
    CHECK((*found)->draw == 2);
    CHECK((*found)->wrong > 1);
    CHECK(4 * (*found)->right_that_sample <= (*found)->right);
  }
}

TEST_CASE("Levels: a draw that samples a level alone is compared with others of the texture") {
  const auto pixels = [](const std::vector<uint8_t>& color, uint32_t count) {
    std::vector<uint8_t> bytes;
    for (uint32_t i = 0; i < count; ++i)
      bytes.insert(bytes.end(), color.begin(), color.end());
    std::string text;
    json::AppendBase64(bytes, text);
    return text;
  };
  const auto trace_with = [&](const std::vector<uint8_t>& color) {
    std::string text =
        R"([{"event":"header","driver_level":7},{"event":"surface_create","handle":1,"kind":"target","caps":["3DDEVICE","VIDEOMEMORY"],"format":"X8R8G8B8","width":32,"height":32},
{"event":"surface_create","handle":3,"kind":"texture","caps":["TEXTURE","VIDEOMEMORY","MIPMAP","COMPLEX"],"format":"A8R8G8B8","width":4,"height":4,"levels":3})";
    for (uint32_t level = 0; level < 3; ++level) {
      text += R"(,{"event":"surface_update","handle":3,"level":)" + std::to_string(level) +
              R"(,"data":")" +
              pixels(level == 1 ? color : std::vector<uint8_t>{255, 0, 0, 255}, 16 >> 2 * level) +
              "\"}";
    }
    text += R"(,{"event":"context_create","context":1,"target":1,"runtime_version":3})";
    const std::string states =
        R"({"op":"RENDERSTATE","records":[{"render_state":"CULLMODE","state":"NONE"},{"render_state":"ZENABLE","state":"FALSE"},{"render_state":"LIGHTING","state":0}]},
{"op":"TEXTURESTAGESTATE","records":[{"stage":0,"ts_state":"COLOROP","value":"SELECTARG1"},{"stage":0,"ts_state":"COLORARG1","value":"TEXTURE"},{"stage":0,"ts_state":"MIPFILTER","value":2},{"stage":0,"ts_state":"TEXTUREMAP","value":3}]},)";
    // Squares of 4 pixels that show the texture once, twice and four times.
    for (int draw = 0; draw < 3; ++draw) {
      const int left = 8 * draw, repeats = 1 << draw;
      std::string vertices;
      for (const auto& [x, y] : {std::pair(0, 0), {1, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 1}}) {
        vertices += (vertices.empty() ? "[" : ",[") + std::to_string(left + 4 * x) + "," +
                    std::to_string(4 * y) + ",0.5,1,4294967295," + std::to_string(repeats * x) +
                    "," + std::to_string(repeats * y) + "]";
      }
      text +=
          R"(,{"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":324,"vertex_size":28,"commands":[)" +
          (draw == 0 ? states : std::string()) +
          R"({"op":"TRIANGLELIST","count":2,"v_start":0}],"vertices":[)" + vertices + "]}";
    }
    return text + R"(,{"event":"present","handle":1}])";
  };
  const auto found = LevelOf(trace_with({0, 255, 0, 255}), trace_with({128, 128, 128, 255}));
  REQUIRE(found.ok());
  REQUIRE(found->has_value());
  CHECK((*found)->draw == 2);
  CHECK((*found)->texture == 3);
  CHECK((*found)->level == 1);
  CHECK((*found)->is_right_of_others);
  CHECK((*found)->right == 8);
  CHECK((*found)->right_that_sample == 0);
}

TEST_CASE("Levels: none is named where the pixels do not share one, or textures have one level") {
  const std::string scene = TraceText("scenes/columns-in-fog.json");
  const auto fog = LevelOf(
      scene, Replaced(scene, R"("FOGDENSITY","state":0.13)", R"("FOGDENSITY","state":0.4)"));
  REQUIRE(fog.ok());
  CHECK_FALSE(fog->has_value());
  const std::string plain = TraceText("features/stage-add.json");
  const auto stage = LevelOf(plain, Replaced(plain, R"("ADDSIGNED")", R"("ADD")"));
  REQUIRE(stage.ok());
  CHECK_FALSE(stage->has_value());
}
