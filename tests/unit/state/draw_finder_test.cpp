#include "state/draw_finder.h"

#include <doctest/doctest.h>

#include "state_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr std::string_view kPresent = R"(,{"event":"present","handle":1},)";

}  // namespace

TEST_CASE("DrawFinder: place, frame and marker of a draw") {
  const DebugRun run =
      FindDraws(kScene + R"({"event":"marker","text":"Clear","source":"a.trace","position":17},)" +
                    Call(kDraw + "," + kDraw) + std::string(kPresent) + Call(kDraw),
                "2-");
  REQUIRE(run.states.size() == 2);
  const state::FoundDraw& second = run.states[0].draw;
  CHECK(second.token.number == 2);
  CHECK(second.event == 4);
  CHECK(second.token.offset == 36);
  CHECK(second.frame == 1);
  REQUIRE(second.marker);
  CHECK(second.marker->text == "Clear");
  CHECK(second.marker->position == 17);
  CHECK(second.command.starts_with("0x0024 CLEAR 1 {flags=TARGET"));
  CHECK(run.states[1].draw.frame == 2);
  CHECK_FALSE(run.states[1].draw.marker);
  CHECK(run.draws == 3);
}

TEST_CASE("DrawFinder: draws that are not executed are counted, not visited") {
  const DebugRun run =
      FindDraws(kScene + Call(kDraw, R"(,"ddrval":"0x8876021C")") + "," + Call(kDraw), "1-2");
  REQUIRE(run.states.size() == 1);
  CHECK(run.states[0].draw.token.number == 2);
  CHECK(run.skipped == 1);
}

TEST_CASE("DrawFinder: the state is that in front of the draw") {
  const DebugRun run = FindDraws(
      kScene +
          Call(R"({"op":"RENDERSTATE","records":[{"render_state":"ZFUNC","state":"NEVER"}]},)" +
               kDraw +
               R"(,{"op":"RENDERSTATE","records":[{"render_state":"ZFUNC","state":"LESS"}]})"),
      "1");
  CHECK(Entry(run.states.at(0), "ZFUNC").value == "NEVER");
}
