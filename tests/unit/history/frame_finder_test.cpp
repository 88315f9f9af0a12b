#include "history/frame_finder.h"

#include <doctest/doctest.h>

#include <string>

#include "support/json_events.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// Reads 1 to 5: in frame 1 before its present and after it, in frame 2, of a buffer, of a box.
constexpr std::string_view kTrace = R"([{"event":"header"},
{"event":"dp2","context":1},
{"event":"surface_read","space":2,"handle":3,"rect":[1,2,3,4]},
{"event":"present","handle":7},
{"event":"surface_read","handle":5,"face":1,"level":2},
{"event":"dp2","context":1},
{"event":"surface_read","handle":6},
{"event":"surface_read","handle":8,"range":{"offset":0,"size":4}},
{"event":"surface_read","handle":8,"box":[0,0,1,1,0,1]},
{"event":"present","handle":9}])";

template <class Finder>
Finder Find(Finder finder, uint64_t from = 0) {
  ForEachJsonEvent(kTrace, [&](uint64_t number, const trace::Event& event) {
    if (number >= from) finder.OnEvent(number, event);
    return !finder.is_done();
  });
  return finder;
}

}  // namespace

TEST_CASE("ReadFinder: a read belongs to what was called before it") {
  const history::FrameSpan first = Find(history::ReadFinder(1)).span();
  CHECK(first.frame == 1);
  CHECK(first.first == 0);
  CHECK(first.last == 2);
  CHECK(first.space == 2);
  CHECK(first.handle == 3);
  CHECK(first.rect == d3d::Rect{1, 2, 3, 4});
  const history::FrameSpan second = Find(history::ReadFinder(2)).span();
  CHECK(second.frame == 1);
  CHECK(second.first == 0);
  CHECK(second.last == 4);
  CHECK(second.face == 1);
  CHECK(second.level == 2);
  const history::FrameSpan third = Find(history::ReadFinder(3)).span();
  CHECK(third.frame == 2);
  CHECK(third.first == 4);
  CHECK(third.handle == 6);
}

TEST_CASE("ReadFinder: buffers and boxes count and are not pictures") {
  CHECK(Find(history::ReadFinder(4)).is_done());
  CHECK(Find(history::ReadFinder(4)).span().handle == 0);
  CHECK(Find(history::ReadFinder(5)).span().handle == 0);
  const auto missing = Find(history::ReadFinder(6));
  CHECK_FALSE(missing.is_done());
  CHECK(missing.reads() == 5);
}

TEST_CASE("FrameFinder: it may begin with a later frame") {
  const history::FrameSpan whole = Find(history::FrameFinder(2)).span();
  CHECK(whole.first == 4);
  CHECK(whole.last == 9);
  CHECK(whole.handle == 9);
  const auto later = Find(history::FrameFinder(2, 2, 4), 4);
  CHECK(later.is_done());
  CHECK(later.span().first == whole.first);
  CHECK(later.span().last == whole.last);
  CHECK(Find(history::FrameFinder(3, 2, 4), 4).may_be_unfinished());
}
