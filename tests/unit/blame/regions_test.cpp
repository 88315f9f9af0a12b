#include "blame/regions.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <utility>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using blame::DifferentRegion;

namespace {

// Two pictures that differ by `by` in red at some pixels.
blame::Differences At(std::initializer_list<std::pair<uint32_t, uint32_t>> pixels,
                      const image::LooseOptions& options = {}, uint8_t by = 9) {
  const image::Picture a(100, 60);
  image::Picture b = a;
  for (const auto& [x, y] : pixels)
    b.at(x, y)[0] = by;
  return {a, b, options};
}

}  // namespace

TEST_CASE("regions: equal pictures have none") {
  const blame::Differences none = At({});
  CHECK(none.count() == 0);
  CHECK(blame::FindRegions(none).regions.empty());
}

TEST_CASE("regions: pixels of cells that touch are one, the larger region comes first") {
  const blame::Differences some = At({{1, 1}, {9, 9}, {50, 40}, {51, 40}, {52, 41}});
  CHECK(some.count() == 5);
  const blame::Regions regions = blame::FindRegions(some);
  REQUIRE(regions.regions.size() == 2);
  CHECK(regions.regions[0] == DifferentRegion{{50, 40, 53, 42}, 3, false});
  CHECK(regions.regions[1] == DifferentRegion{{1, 1, 10, 10}, 2, false});
  CHECK(regions.At(9, 9) == 1);
  CHECK(regions.At(51, 40) == 0);
  CHECK(regions.At(30, 30) == blame::kNoRegion);
}

TEST_CASE("regions: of too many the smallest become one, and no pixel is lost") {
  const blame::Differences many =
      At({{1, 1}, {2, 1}, {3, 1}, {20, 1}, {21, 1}, {40, 1}, {60, 1}, {80, 50}});
  const blame::Regions regions = blame::FindRegions(many, 3);
  REQUIRE(regions.regions.size() == 3);
  CHECK(regions.regions[1].pixels == 2);
  CHECK(regions.regions[2] == DifferentRegion{{40, 1, 81, 51}, 3, true});
  CHECK(regions.At(40, 1) == 2);
  CHECK(regions.At(80, 50) == 2);
}

TEST_CASE("regions: tolerance and region of the comparison count") {
  image::LooseOptions options;
  options.tolerance = 9;
  CHECK(At({{1, 1}}, options).count() == 0);
  CHECK(At({{1, 1}}, options, 10).count() == 1);
  options.tolerance = 0;
  options.region = image::Region{10, 10, 1000, 4};
  const blame::Differences part = At({{9, 10}, {10, 10}, {99, 13}, {99, 14}}, options);
  CHECK(part.count() == 2);
  CHECK(part.At(99, 13));
  CHECK_FALSE(part.At(9, 10));
}
