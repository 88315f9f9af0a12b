#include "trace/draw_counter.h"

#include <doctest/doctest.h>

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

// TRIANGLELIST(1 triangle from vertex 0); RENDERSTATE(ZENABLE = 0); TRIANGLELIST; an operation that does not exist; TRIANGLELIST
constexpr uint8_t kCommands[] = {18, 0,  1, 0, 0, 0, 8, 0,    1, 0, 7, 0,  0, 0, 0, 0, 0,
                                 0,  18, 0, 1, 0, 0, 0, 0xF0, 0, 0, 0, 18, 0, 1, 0, 0, 0};

Dp2 Call() {
  Dp2 call;
  call.context = 1;
  call.command_offset = 100;
  call.commands = kCommands;
  return call;
}

}  // namespace

TEST_CASE("DrawCounter: draws count over the whole trace, up to what cannot be framed") {
  DrawCounter counter;
  counter.Add(Header{});
  CHECK(counter.count() == 0);
  counter.Add(Call());
  REQUIRE(counter.draws().size() == 2);
  CHECK(counter.draws()[0].number == 1);
  CHECK(counter.draws()[0].offset == 100);
  CHECK(counter.draws()[0].op->name == "TRIANGLELIST");
  CHECK(counter.draws()[1].command == 2);
  CHECK(counter.draws()[1].offset == 118);
  counter.Add(Present{});
  CHECK(counter.draws().empty());
  CHECK(counter.count() == 2);
  counter.Add(Call());
  CHECK(counter.draws()[0].number == 3);
}

TEST_CASE("FrameCounter: draws after the last present are a frame, nothing else is") {
  FrameCounter frames;
  CHECK(frames.count() == 0);
  frames.Add(Call());
  CHECK(frames.count() == 1);
  frames.Add(Present{});
  frames.Add(Marker{});
  CHECK(frames.count() == 1);
  frames.Add(Call());
  CHECK(frames.count() == 2);
  CHECK(frames.presents() == 1);
  frames.Add(Header{});
  CHECK(frames.count() == 1);
}

TEST_CASE("DrawCounter: a call that failed, and one without a context, has its numbers") {
  DrawCounter counter;
  Dp2 call = Call();
  call.context = 99;
  call.ddrval = 0x8876021C;  // DDERR_WASSTILLDRAWING
  counter.Add(call);
  CHECK(counter.count() == 2);
}

TEST_CASE("DrawCounter: the draw at an offset") {
  DrawCounter counter;
  counter.Add(Call());
  REQUIRE(counter.Find(118) != nullptr);
  CHECK(counter.Find(118)->number == 2);
  CHECK(counter.Find(106) == nullptr);
  CHECK(counter.Find(119) == nullptr);
}

TEST_CASE("DrawCounter: the tokens of a packet begin where its header says") {
  Render packet;
  packet.command_buffer = kCommands;
  packet.command_offset = 18;
  packet.command_length = 18 + 6;
  DrawCounter counter;
  counter.Add(packet);
  CHECK(counter.count() == 1);
  packet.payload = PayloadKind::kOpaque;
  counter.Add(packet);
  CHECK(counter.count() == 1);
}
