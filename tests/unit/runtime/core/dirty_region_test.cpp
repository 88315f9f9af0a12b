#include "runtime/core/dirty_region.h"

#include <doctest/doctest.h>

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::runtime;  // NOLINT(google-build-using-namespace): test file

namespace {

d3d::Box Flat(uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
  return {left, top, right, bottom, 0, 1};
}

}  // namespace

TEST_CASE("DirtyRegion: boxes that lie apart stay apart, one inside of another is gone") {
  DirtyRegion region;
  region.Add(Flat(0, 0, 2, 2));
  region.Add(Flat(4, 4, 6, 6));
  region.Add(Flat(4, 4, 4, 8));  // empty
  CHECK(region.boxes().size() == 2);
  region.Add(Flat(5, 5, 6, 6));
  CHECK(region.boxes().size() == 2);
  CHECK(region.Covers(Flat(4, 5, 6, 6)));
  CHECK_FALSE(region.Covers(Flat(1, 1, 5, 5)));
  region.Add(Flat(0, 0, 8, 8));
  REQUIRE(region.boxes().size() == 1);
  CHECK(region.boxes()[0] == Flat(0, 0, 8, 8));
  region.Clear();
  CHECK(region.boxes().empty());
}

TEST_CASE("DirtyRegion: very many boxes become the one around them") {
  DirtyRegion region;
  for (uint32_t i = 0; i < 257; ++i)
    region.Add(Flat(2 * i, 0, 2 * i + 1, 1));
  REQUIRE(region.boxes().size() == 1);
  CHECK(region.boxes()[0] == Flat(0, 0, 513, 1));
}

TEST_CASE("Shared: what two boxes have in common, and nothing where they touch") {
  CHECK(Shared(Flat(0, 0, 4, 4), Flat(2, 3, 8, 8)) == Flat(2, 3, 4, 4));
  CHECK_FALSE(Shared(Flat(0, 0, 4, 4), Flat(4, 0, 8, 4)));
}
