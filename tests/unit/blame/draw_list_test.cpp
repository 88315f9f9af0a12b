#include "blame/draw_list.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/json_events.h"
#include "unit/history/history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

const std::string kStart =
    R"({"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"surface_create","handle":2,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"context_create","context":1,"target":1},)";
const std::string kClear =
    R"({"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF102030","fill_depth":1,"fill_stencil":0,"rects":[[0,0,8,8]]})";
const std::string kPresent = R"({"event":"present","handle":1})";

std::string Call(const std::string& commands) {
  return R"({"event":"dp2","context":1,"commands":[)" + commands + "]},";
}

std::string Target(uint32_t handle) {
  return R"({"op":"SETRENDERTARGET","render_target":)" + std::to_string(handle) +
         R"(,"z_buffer":0})";
}

std::vector<blame::ListedDraw> DrawsOf(const std::string& trace, uint64_t frame,
                                       uint64_t* presents = nullptr) {
  blame::DrawLister lister(frame);
  play::Player player({}, {&lister});
  ForEachJsonEvent(trace, [&](uint64_t number, const trace::Event& event) {
    REQUIRE(player.OnEvent(number, event).ok());
    return !player.is_done();
  });
  if (presents != nullptr) *presents = player.position().frame - 1;
  return lister.draws();
}

}  // namespace

TEST_CASE("DrawLister: draws with their numbers, frames and targets") {
  const std::string trace =
      TraceOf(kStart + Call(kClear + "," + Target(2) + "," + kClear) + kPresent + "," +
              Call(kClear + "," + Target(1) + "," + kClear) + kPresent);
  uint64_t presents = 0;
  const auto draws = DrawsOf(trace, 0, &presents);
  CHECK(presents == 2);
  REQUIRE(draws.size() == 4);
  for (size_t i = 0; i < draws.size(); ++i)
    CHECK(draws[i].number == i + 1);
  CHECK(draws[0].handle == 1);
  CHECK(draws[1].handle == 2);
  CHECK(draws[2].handle == 2);
  CHECK(draws[3].handle == 1);
  CHECK(draws[0].target == draws[3].target);
  CHECK(draws[0].target != draws[1].target);
  CHECK(draws[1].frame == 1);
  CHECK(draws[2].frame == 2);
  CHECK(draws[2].frame_start == 6);
  const history::FrameSpan span = draws[2].Span();
  CHECK(span.first == 6);
  CHECK(span.last == draws[2].event);
  CHECK(span.handle == 2);
}

TEST_CASE("DrawLister: of only one frame, and not read any further") {
  const std::string trace =
      TraceOf(kStart + Call(kClear) + kPresent + "," + Call(kClear + "," + kClear) + kPresent +
              "," + Call(kClear) + kPresent);
  uint64_t presents = 0;
  const auto draws = DrawsOf(trace, 2, &presents);
  CHECK(presents == 2);
  REQUIRE(draws.size() == 2);
  CHECK(draws[0].number == 2);
  CHECK(draws[1].number == 3);
}

TEST_CASE("DrawLister: what has no target with pixels is not there, and keeps its number") {
  const std::string null =
      R"({"event":"surface_create","handle":3,"kind":"target","format":"NULL","width":8,"height":8},)";
  const auto draws = DrawsOf(
      TraceOf(kStart + null +
              Call(kClear + "," + Target(3) + "," + kClear + "," + Target(1) + "," + kClear) +
              kPresent),
      1);
  REQUIRE(draws.size() == 2);
  CHECK(draws[0].number == 1);
  CHECK(draws[1].number == 3);
}
