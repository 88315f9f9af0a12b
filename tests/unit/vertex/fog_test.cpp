#include "vertex/fog.h"

#include <doctest/doctest.h>

#include <limits>

#include "d3d/enums.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::vertex;  // NOLINT(google-build-using-namespace): test file

namespace {

float Vertex(const FogEquation& fog, float distance) {
  return FogFactor(fog, distance, EqualFogLimits::kFullyFogged);
}
FogEquation Linear(float start, float end) {
  return {.mode = d3d::Value(d3d::FogMode::Linear), .start = start, .end = end};
}

}  // namespace

TEST_CASE("FogFactor: linear fog may be reversed and is clamped (fact F5)") {
  CHECK(Vertex(Linear(0, 4), 1) == 0.75F);
  CHECK(Vertex(Linear(0.8F, 0.2F), 0.1F) == 0);
  CHECK(Vertex(Linear(0.8F, 0.2F), 0.4F) == doctest::Approx(1.0 / 3));
  CHECK(Vertex(Linear(0.8F, 0.2F), 0.9F) == 1);
  CHECK(Vertex(Linear(0, 1), std::numeric_limits<float>::quiet_NaN()) == 0);
}

TEST_CASE(
    "FogFactor: equal limits are fully fogged for vertices, a step in a table (facts F6, F8)") {
  CHECK(Vertex(Linear(512, 512), 0.1F) == 0);
  CHECK(FogFactor(Linear(512, 512), 0.1F, EqualFogLimits::kStep) == 1);
  CHECK(FogFactor(Linear(512, 512), 512, EqualFogLimits::kStep) == 0);
}

TEST_CASE("FogFactor: exponential fog") {
  FogEquation fog{.mode = d3d::Value(d3d::FogMode::Exp), .density = 2};
  CHECK(Vertex(fog, 0.25F) == doctest::Approx(0.60653066));
  CHECK(Vertex(fog, -1) == 1);
  fog.mode = d3d::Value(d3d::FogMode::Exp2);
  CHECK(Vertex(fog, 0.25F) == doctest::Approx(0.77880078));
}

TEST_CASE("IsFogEquation: not NONE, nothing beyond LINEAR") {
  CHECK_FALSE(IsFogEquation(0));
  CHECK(IsFogEquation(1));
  CHECK(IsFogEquation(3));
  CHECK_FALSE(IsFogEquation(4));
}

TEST_CASE("VertexFogDistance: |z|, or the range (facts F12, F22)") {
  CHECK(VertexFogDistance({1, 2, -2}, false) == 2);
  CHECK(VertexFogDistance({1, 2, -2}, true) == 3);
}
