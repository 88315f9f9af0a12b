#include "history/record_history.h"

#include <doctest/doctest.h>

#include <string>

#include "history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("RecordHistory: a guess that was wrong takes a second replay") {
  const std::string trace = TraceOf(
      R"({"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"context_create","context":1,"target":1},
{"event":"dp2","context":1,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF102030","rects":[[0,0,8,8]]}]})");
  history::FrameSpan span = SpanOf(trace, 1);
  TextFeed right(trace);
  CHECK(history::RecordHistory({}, span, right)->operations.size() == 2);
  CHECK(right.purposes().size() == 1);
  span.handle = 9;
  TextFeed wrong(trace);
  const Result<history::History> history = history::RecordHistory({}, span, wrong);
  REQUIRE(history.ok());
  CHECK(history->absence.empty());
  CHECK(history->operations.size() == 2);
  CHECK(wrong.purposes().size() == 2);
}
