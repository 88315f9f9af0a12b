#include "bench/bench.h"

#include <doctest/doctest.h>

#include <cstring>

#include "json/reader.h"
#include "unit/replay/replay_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr std::string_view kPresent = R"({"event":"present","handle":1})";
// 36 pixels of the target.
constexpr std::string_view kTriangle =
    R"({"event":"dp2","context":1,"flags":["USERMEMVERTICES"],"vertex_type":68,"vertex_size":20,"commands":[
{"op":"TRIANGLELIST","count":1,"v_start":0}],
"vertices":"AAAAAAAAAAAAAAA/AACAP/////8AAABBAAAAAAAAAD8AAIA//////wAAAAAAAABBAAAAPwAAgD//////"})";

bench::Bench Load(const std::string& events) {
  const std::string text = "[\n{\"event\":\"header\"},\n" + events + "\n]\n";
  std::string_view rest = text;
  json::Reader reader([&rest](std::span<uint8_t> out) -> Result<size_t> {
    const size_t size = std::min(out.size(), rest.size());
    std::memcpy(out.data(), rest.data(), size);
    rest.remove_prefix(size);
    return size;
  });
  bench::Bench bench;
  trace::Event event;
  Result<bool> next = reader.Next(event);
  for (; next.ok() && *next; next = reader.Next(event))
    REQUIRE(bench.Add(event, 1 << 20).ok());
  if (!next.ok()) FAIL(FormatDiagnostic("trace", next.status().diagnostic()));
  return bench;
}

// A clear; a frame of a triangle; a frame of two, whose texture is made and destroyed in it.
std::string Events() {
  const std::string triangle(kTriangle);
  const std::string present(kPresent);
  return std::string(kTarget) + ClearCall("0xFF0000FF") + "," + triangle + "," + present + "," +
         R"({"event":"surface_create","handle":5,"format":"A8R8G8B8","width":4,"height":4},)" +
         triangle + "," + triangle + R"(,{"event":"surface_destroy","handle":5},)" + present;
}

bench::BenchOptions Frames(std::string_view selection) {
  bench::BenchOptions options;
  std::string error;
  options.frames = *Selection::Parse(selection, error);
  options.loops = 3;
  return options;
}

}  // namespace

TEST_CASE("Bench: counts are those of one loop, whichever renderer draws") {
  const bench::Bench bench = Load(Events());
  CHECK(bench.frame_count() == 2);
  for (const char* renderer : {"fast", "reference"}) {
    bench::BenchOptions options = Frames("all");
    options.renderer = renderer;
    const Result<bench::BenchResult> result = bench.Run(options);
    REQUIRE(result.ok());
    CHECK(result->loops == 3);
    CHECK(result->frames == 2);
    CHECK(result->draws == 4);
    CHECK(result->triangles == 3);
    CHECK(result->vertices == 9);
    CHECK(result->pixels == 3 * 36);
    CHECK(result->texels == 0);
    CHECK(result->seconds > 0);
    CHECK(result->frame.minimum <= result->frame.median);
    CHECK(result->frame.median <= result->frame.percentile_95);
  }
}

TEST_CASE("Bench: frames are chosen, and those before are played once") {
  const Result<bench::BenchResult> result = Load(Events()).Run(Frames("2"));
  REQUIRE(result.ok());
  CHECK(result->frames == 1);
  CHECK(result->draws == 2);
  CHECK(result->pixels == 2 * 36);
  CHECK(Load(Events()).Run(Frames("3"))->frames == 0);
}

TEST_CASE("Bench: drawing after the last present is a frame") {
  const bench::Bench bench = Load(Events() + "," + ClearCall("0xFF0000FF"));
  CHECK(bench.frame_count() == 3);
  CHECK(bench.Run(Frames("3"))->draws == 1);
  CHECK(bench.Run(Frames("3"))->frames == 1);
}

TEST_CASE("Bench: contexts start each loop in the same state") {
  const std::string half =
      R"({"event":"dp2","context":1,"commands":[{"op":"VIEWPORTINFO","records":[{"x":0,"y":0,"width":8,"height":4}]}]})";
  const bench::Bench bench = Load(std::string(kTarget) + std::string(kTriangle) + "," + half + "," +
                                  std::string(kTriangle) + "," + std::string(kPresent));
  const Result<bench::BenchResult> result = bench.Run(Frames("all"));
  REQUIRE(result.ok());
  // The upper half of the triangle has 8 + 7 + 6 + 5 pixels.
  CHECK(result->pixels == 36 + 26);
}

TEST_CASE("Bench: a trace beyond the limit is refused") {
  bench::Bench bench;
  trace::Marker marker;
  const std::string text(1000, 'x');
  marker.text = text;
  CHECK(bench.Add(marker, 100).ok() == false);
}

TEST_CASE("Bench: a frame that takes too long ends it with what was played") {
  const bench::Bench bench = Load(Events());
  bench::BenchOptions options = Frames("all");
  options.max_frame_seconds = -1;
  const Result<bench::BenchResult> result = bench.Run(options);
  REQUIRE(result.ok());
  CHECK(result->is_cut);
  CHECK(result->loops == 0);
  CHECK(result->frames == 1);
  CHECK(result->draws == 1);
  CHECK(result->frame.minimum > 0);
  CHECK(bench::BenchText(*result).find("took too long") != std::string::npos);
}

TEST_CASE("Bench: once the time is over no loop begins but the first one") {
  const bench::Bench bench = Load(Events());
  bench::BenchOptions options = Frames("all");
  options.max_seconds = -1;
  const Result<bench::BenchResult> result = bench.Run(options);
  REQUIRE(result.ok());
  CHECK_FALSE(result->is_cut);
  CHECK(result->loops == 1);
  CHECK(result->frame.minimum > 0);
  CHECK_FALSE(result->stages.has_value());  // another loop
}
