#include "vertex/viewport.h"

#include <doctest/doctest.h>

using namespace dp2trace::vertex;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("ViewportMapping: the clip volume fills the area (fact G15)") {
  const ViewportMapping viewport(ViewportArea{.x = 64, .y = 64, .width = 128, .height = 128});
  CHECK(viewport.Map({0, 0, 0, 1}) == Float4{128, 128, 0, 1});
  CHECK(viewport.Map({1, 1, 1, 1}) == Float4{192, 64, 1, 1});
  CHECK(viewport.Map({-2, -2, 1, 2}) == Float4{64, 192, 0.5F, 0.5F});
}

TEST_CASE("ViewportMapping: the depth range is 0.001 at least where it is drawn with") {
  const ViewportArea reversed{.width = 2, .height = 2, .min_z = 0.75F, .max_z = 0.25F};
  CHECK(ViewportMapping(reversed).Map({0, 0, 1, 1})[2] == 0.75F + (0.75F + 0.001F - 0.75F));
  CHECK(ViewportMapping(reversed, DepthRange::kAsGiven).Map({0, 0, 1, 1})[2] == 0.25F);
}
