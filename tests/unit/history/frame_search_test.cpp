#include "history/frame_search.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// A frame, and another without a present. The device executes neither of the draws of the second one.
const std::string kFrames = TraceOf(
    R"({"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"surface_create","handle":2,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"context_create","context":1,"target":1},
{"event":"dp2","context":1,"commands":[{"op":"CLEAR","flags":["TARGET"],"rects":[[0,0,8,8]]}]},
{"event":"present","handle":1},
{"event":"surface_read","handle":1},
{"event":"dp2","context":1,"commands":[{"op":"SETRENDERTARGET","render_target":2,"z_buffer":0},{"op":"CLEAR","flags":["TARGET"],"rects":[[0,0,8,8]]}]})");

}  // namespace

TEST_CASE("FindFrame: what an unfinished frame shows takes a replay, or is guessed") {
  TextFeed feed(kFrames);
  const Result<history::FoundSpan> ended = history::FindFrame(feed, 1, {});
  REQUIRE(ended.ok());
  CHECK(ended->absence.empty());
  CHECK(ended->span.last == 5);
  CHECK(!ended->span.is_unfinished);
  CHECK(feed.purposes() == std::vector<std::string>{"find the frame"});

  const Result<history::FoundSpan> found = history::FindFrame(feed, 2, {});
  REQUIRE(found.ok());
  CHECK(found->absence.empty());
  CHECK(found->span.is_unfinished);
  CHECK(found->span.handle == 2);
  const Result<history::FoundSpan> guessed = history::GuessFrame(feed, 2);
  REQUIRE(guessed.ok());
  CHECK(guessed->span.handle == 2);
}

TEST_CASE("FindFrame, FindRead: what is absent is said in words") {
  TextFeed feed(kFrames);
  const Result<history::FoundSpan> frame = history::FindFrame(feed, 7, {});
  REQUIRE(frame.ok());
  CHECK(frame->absence == "there is no frame 7; the trace has frames 1 to 2");
  CHECK(frame->may_be_unread);
  const Result<history::FoundSpan> read = history::FindRead(feed, 2);
  REQUIRE(read.ok());
  CHECK(read->absence == "there is no read 2; the trace has only read 1");
  const Result<history::FoundSpan> first = history::FindRead(feed, 1);
  REQUIRE(first.ok());
  CHECK(first->absence.empty());
  CHECK(first->span.handle == 1);
}
