#include "raster/pixel/projection.h"

#include <doctest/doctest.h>

#include "raster/vertex/vertex.h"

using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint32_t kProjected = 0x100;

}  // namespace

TEST_CASE("Projection: without the flag nothing is divided") {
  CHECK_FALSE(ProjectionDivisor(0, 4).has_value());
  CHECK_FALSE(ProjectionDivisor(4, 4).has_value());
}

TEST_CASE("Projection: COUNTn names the divisor") {
  CHECK(ProjectionDivisor(kProjected | 2, 4) == 1U);
  CHECK(ProjectionDivisor(kProjected | 3, 4) == 2U);
  CHECK(ProjectionDivisor(kProjected | 4, 4) == 3U);
}

TEST_CASE("Projection: after a vertex shader w divides, whatever the count") {
  for (const uint32_t count : {0U, 2U, 3U, 4U})
    CHECK(ProjectionDivisor(kProjected | count, kDivisorInW) == 3U);
  CHECK_FALSE(ProjectionDivisor(3, kDivisorInW).has_value());
}

TEST_CASE(
    "Projection: without a count, with COUNT1 and with all bits set it is the last component declared") {
  CHECK(ProjectionDivisor(kProjected, 3) == 2U);
  CHECK(ProjectionDivisor(kProjected | 1, 2) == 1U);
  CHECK(ProjectionDivisor(0xFFFFFFFF, 4) == 3U);
}

TEST_CASE("Projection: a component that is not declared counts as 1") {
  CHECK_FALSE(ProjectionDivisor(kProjected | 3, 2).has_value());
  CHECK_FALSE(ProjectionDivisor(kProjected | 4, 0).has_value());
  CHECK_FALSE(ProjectionDivisor(kProjected, 0).has_value());
}

TEST_CASE("Projection: all components are divided in every pixel") {
  Float4Quad coordinates = {Float4{1, 2, 3, 4}, Float4{2, 4, 6, 8}, Float4{}, Float4{3, 6, 12, 1}};
  DivideCoordinates(coordinates, 2);
  CHECK(coordinates[0] == Float4{1.0F / 3.0F, 2.0F / 3.0F, 1.0F, 4.0F / 3.0F});
  CHECK(coordinates[3] == Float4{0.25F, 0.5F, 1.0F, 1.0F / 12.0F});
}
