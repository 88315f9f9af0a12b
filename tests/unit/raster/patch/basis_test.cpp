#include "raster/patch/basis.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <vector>

using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint32_t kBezier = 0, kBSpline = 1, kCatmullRom = 2;
const std::vector<std::pair<uint32_t, uint32_t>> kAll = {
    {kBezier, 1},  {kBezier, 3},  {kBezier, 5},    {kBSpline, 1},
    {kBSpline, 3}, {kBSpline, 5}, {kCatmullRom, 3}};

void CheckWeights(const BasisWeights& actual, std::initializer_list<double> expected) {
  std::size_t i = 0;
  for (const double weight : expected)
    CHECK(actual.weight[i++] == doctest::Approx(weight));
}

}  // namespace

TEST_CASE("IsRectBasis: quadratic nets do not exist, Catmull-Rom is cubic") {
  for (const auto& [basis, degree] : kAll)
    CHECK(IsRectBasis(basis, degree));
  for (const uint32_t basis : {kBezier, kBSpline, kCatmullRom, 3U})
    CHECK_FALSE(IsRectBasis(basis, 2));
  CHECK_FALSE(IsRectBasis(kCatmullRom, 1));
  CHECK_FALSE(IsRectBasis(3, 3));
}

TEST_CASE("SpanCount: per basis") {
  CHECK(SpanCount(kBezier, 3, 4) == 1);
  CHECK(SpanCount(kBezier, 3, 7) == 2);
  CHECK(SpanCount(kBezier, 3, 6) == 0);
  CHECK(SpanCount(kBSpline, 3, 6) == 3);
  CHECK(SpanCount(kCatmullRom, 3, 3) == 0);
  CHECK(SpanCount(kBezier, 5, 0) == 0);
}

TEST_CASE("WeightsAt: values of each basis") {
  CheckWeights(WeightsAt(kBezier, 1, 0.25), {0.75, 0.25});
  CheckWeights(WeightsAt(kBezier, 3, 0.5), {0.125, 0.375, 0.375, 0.125});
  CheckWeights(WeightsAt(kBezier, 5, 0.5),
               {1 / 32.0, 5 / 32.0, 10 / 32.0, 10 / 32.0, 5 / 32.0, 1 / 32.0});
  CheckWeights(WeightsAt(kBSpline, 3, 0), {1 / 6.0, 4 / 6.0, 1 / 6.0, 0});
  CheckWeights(WeightsAt(kBSpline, 3, 1), {0, 1 / 6.0, 4 / 6.0, 1 / 6.0});
  CheckWeights(WeightsAt(kBSpline, 5, 0),
               {1 / 120.0, 26 / 120.0, 66 / 120.0, 26 / 120.0, 1 / 120.0, 0});
  CheckWeights(WeightsAt(kBSpline, 5, 1),
               {0, 1 / 120.0, 26 / 120.0, 66 / 120.0, 26 / 120.0, 1 / 120.0});
  CheckWeights(WeightsAt(kCatmullRom, 3, 0), {0, 1, 0, 0});
  CheckWeights(WeightsAt(kCatmullRom, 3, 1), {0, 0, 1, 0});
  CheckWeights(WeightsAt(kCatmullRom, 3, 0.5), {-1 / 16.0, 9 / 16.0, 9 / 16.0, -1 / 16.0});
}

TEST_CASE("WeightsAt: weights sum to 1, derivatives to 0 and match the slope") {
  for (const auto& [basis, degree] : kAll) {
    for (const double t : {0.0, 0.3, 1.0}) {
      const BasisWeights weights = WeightsAt(basis, degree, t);
      const BasisWeights ahead = WeightsAt(basis, degree, t + 1e-6);
      const BasisWeights behind = WeightsAt(basis, degree, t - 1e-6);
      double sum = 0;
      double derivative = 0;
      for (uint32_t i = 0; i <= degree; ++i) {
        sum += weights.weight[i];
        derivative += weights.derivative[i];
        CHECK(weights.derivative[i] ==
              doctest::Approx((ahead.weight[i] - behind.weight[i]) / 2e-6).epsilon(1e-6));
      }
      CHECK(sum == doctest::Approx(1));
      CHECK(derivative == doctest::Approx(0));
    }
  }
}

TEST_CASE("TriangleWeights: corners are points 0, 6 and 9 of a cubic, the centre point has 6 abc") {
  CHECK(TriangleWeights(3, 1, 0, 0).value[0] == 1);
  CHECK(TriangleWeights(3, 0, 1, 0).value[6] == 1);
  CHECK(TriangleWeights(3, 0, 0, 1).value[9] == 1);
  CHECK(TriangleWeights(3, 0.5, 0.25, 0.25).value[4] == doctest::Approx(6 * 0.5 * 0.25 * 0.25));
  CHECK(TriangleWeights(5, 0, 0.5, 0.5).count == 21);
}

TEST_CASE(
    "TriangleWeights: u runs from bottom left to bottom right, v from the apex to bottom left") {
  const SurfaceWeights weights = TriangleWeights(1, 0.5, 0.25, 0.25);
  CHECK(weights.partial_u[0] == 0);
  CHECK(weights.partial_u[1] == -1);
  CHECK(weights.partial_u[2] == 1);
  CHECK(weights.partial_v[0] == -1);
  CHECK(weights.partial_v[1] == 1);
  CHECK(weights.partial_v[2] == 0);
}
