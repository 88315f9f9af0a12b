#include "blame/search.h"

#include <doctest/doctest.h>

#include <string>

#include "blame/explain.h"
#include "blame_run.h"
#include "image/png.h"
#include "support/test_folder.h"
#include "unit/history/history_run.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file
using Kind = blame::SearchEnd::Kind;

namespace {

// Two frames: a clear of the whole target, and one of its corner.
std::string Trace(const std::string& corner) {
  return TraceOf(
      R"({"event":"surface_create","handle":1,"kind":"target","format":"X8R8G8B8","width":8,"height":8},
{"event":"context_create","context":1,"target":1},
{"event":"dp2","context":1,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":"0xFF102030","rects":[[0,0,8,8]]}]},
{"event":"present","handle":1},
{"event":"dp2","context":1,"commands":[{"op":"CLEAR","flags":["TARGET"],"fill_color":")" +
      corner + R"(","rects":[[0,0,2,2]]}]},{"event":"present","handle":1})");
}

const std::string kTrace = Trace("0xFF00FF00");
const std::string kDriver = Trace("0xFFFF0000");

blame::SearchEnd Find(const blame::SearchOptions& options) {
  TextFeed feed(kTrace);
  return blame::FindSuspect(options, feed);
}

}  // namespace

TEST_CASE("FindSuspect: a picture that is named is that of its frame, and explained") {
  const TestFolder folder;
  REQUIRE(image::WritePng(folder / "a.png", PictureOf(kDriver, 2)).ok());
  const blame::SearchOptions options = {.frame = 2, .against = folder / "a.png"};
  const blame::SearchEnd end = Find(options);
  REQUIRE(end.kind == Kind::kSuspect);
  CHECK(end.suspect.span.frame == 2);
  CHECK(end.suspect.draw == 0);
  TextFeed feed(kTrace);
  const Result<blame::Explanation> found = blame::Explain(options, end.suspect, feed);
  REQUIRE(found.ok());
  CHECK(found->likeness.ok());
  CHECK(*found->likeness == blame::Likeness::kDifferent);
  REQUIRE(found->blame.regions.size() == 1);
  REQUIRE(!found->blame.regions[0].candidates.empty());
  CHECK(found->frame.operations[found->blame.regions[0].candidates[0].operation].draw == 2);
}

TEST_CASE("FindSuspect: of a folder the first picture that differs") {
  const TestFolder folder;
  REQUIRE(image::WritePng(folder / "frame-1.png", PictureOf(kDriver, 1)).ok());
  REQUIRE(image::WritePng(folder / "frame-2.png", PictureOf(kDriver, 2)).ok());
  const blame::SearchEnd end = Find({.against = folder / "."});
  REQUIRE(end.kind == Kind::kSuspect);
  CHECK(end.suspect.search.first_frame == 2);
  CHECK(end.suspect.search.last_right_frame == 1);
  CHECK(end.suspect.search.pictures == 2);
  const blame::SearchEnd equal = Find({.frame = 1, .against = folder / "."});
  CHECK(equal.kind == Kind::kEqual);
  CHECK(equal.message == "1 picture compared");
  const blame::SearchEnd outside = Find(
      {.against = folder / ".", .tolerance = {.loose = {.region = image::Region{9, 9, 1, 1}}}});
  CHECK(outside.kind == Kind::kNothing);
}

TEST_CASE("FindSuspect: where there is none, it says why") {
  const TestFolder folder;
  CHECK(Find({.against = folder / "."}).kind == Kind::kNothing);
  CHECK(Find({.against = "recorded"}).kind == Kind::kNothing);
  const blame::SearchEnd unread = Find({.frame = 1, .against = folder / "none.png"});
  CHECK(unread.kind == Kind::kFailed);
  CHECK(unread.file == folder / "none.png");
  const blame::SearchEnd beyond = Find({.frame = 9, .against = folder / "."});
  CHECK(beyond.kind == Kind::kAbsent);
  CHECK(beyond.absent.absence == "there is no frame 9; the trace has frames 1 to 2");
  REQUIRE(image::WritePng(folder / "a.png", PictureOf(kDriver, 2)).ok());
  const blame::SearchEnd absent = Find({.frame = 9, .against = folder / "a.png"});
  CHECK(absent.kind == Kind::kAbsent);
  CHECK(absent.absent.absence == "there is no frame 9; the trace has frames 1 to 2");
}
