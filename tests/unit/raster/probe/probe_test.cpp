#include "raster/probe/probe.h"

#include <doctest/doctest.h>

#include "raster/pixel/output.h"

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

// The quad at (x, y) with these lanes covered.
FragmentQuad QuadAt(int32_t x, int32_t y, uint32_t covered) {
  FragmentQuad fragment;
  fragment.quad.x = x;
  fragment.quad.y = y;
  fragment.quad.covered = covered;
  fragment.samples.fill(1);
  return fragment;
}

Probe ProbeAt(uint32_t x, uint32_t y, uint64_t max_fragments = 8, uint64_t max_parts = 8) {
  Probe probe(max_fragments, max_parts);
  probe.SetTarget({.x = x, .y = y});
  return probe;
}

}  // namespace

TEST_CASE("Probe: a quad has the pixel where a covered lane lies on it") {
  const Probe probe = ProbeAt(5, 4);
  CHECK(probe.LaneOf(QuadAt(4, 4, 0xF)) == 1);
  CHECK(probe.LaneOf(QuadAt(4, 4, 0xD)) == kLaneCount);
  CHECK(probe.LaneOf(QuadAt(6, 4, 0xF)) == kLaneCount);
  CHECK(probe.LaneOf(QuadAt(4, 6, 0xF)) == kLaneCount);
  CHECK(ProbeAt(5, 5).LaneOf(QuadAt(4, 4, 0x8)) == 3);
}

TEST_CASE("Probe: primitives count from 1 over the draws of a token, and anew for the next token") {
  Probe probe = ProbeAt(0, 0);
  probe.StartPrimitive(0, 2);
  REQUIRE(probe.AddFragment(QuadAt(0, 0, 1), 0) != nullptr);
  probe.EndDraw(4);
  probe.StartPrimitive(0, 0);
  REQUIRE(probe.AddFragment(QuadAt(0, 0, 1), 0) != nullptr);
  const auto fragments = probe.Take();
  REQUIRE(fragments.size() == 2);
  CHECK(fragments[0].primitive == 3);
  CHECK(fragments[1].primitive == 5);
  probe.StartPrimitive(0, 0);
  REQUIRE(probe.AddFragment(QuadAt(0, 0, 1), 0) != nullptr);
  CHECK(probe.Take().at(0).primitive == 1);
}

TEST_CASE("Probe: what has no fragment stands between what has, in the order of the primitives") {
  Probe probe = ProbeAt(0, 0);
  for (const uint64_t number : {0U, 2U}) {
    probe.StartPrimitive(0, number);
    REQUIRE(probe.AddFragment(QuadAt(0, 0, 1), 0) != nullptr);
  }
  probe.AddMissed(2, 0, Fate::kCulled);
  const auto fragments = probe.Take();
  REQUIRE(fragments.size() == 3);
  CHECK(fragments[1].primitive == 2);
  CHECK(fragments[1].fate == Fate::kCulled);
  CHECK(fragments[1].samples == 0);
}

TEST_CASE("Probe: fragments and their parts are bounded, and the rest is counted") {
  Probe probe = ProbeAt(0, 0, 2, 3);
  probe.StartPrimitive(0, 0);
  ProbedFragment* const first = probe.AddFragment(QuadAt(0, 0, 1), 0);
  REQUIRE(first != nullptr);
  CHECK(first->shading.Spend());
  CHECK(first->shading.Spend());
  CHECK(first->shading.Spend());
  CHECK_FALSE(first->shading.Spend());
  REQUIRE(probe.AddFragment(QuadAt(0, 0, 1), 0) != nullptr);
  CHECK(probe.AddFragment(QuadAt(0, 0, 1), 0) == nullptr);
  CHECK(probe.is_full());
  CHECK(probe.dropped() == 1);
  CHECK(probe.Take().size() == 2);
}

TEST_CASE("Probe: a primitive covers the pixel once, however many of its quads do") {
  Probe probe = ProbeAt(0, 0);
  probe.StartPrimitive(0, 0);
  probe.AddCover(QuadAt(0, 0, 1));
  probe.AddCover(QuadAt(0, 0, 1));
  probe.StartPrimitive(0, 1);
  probe.AddCover(QuadAt(0, 0, 1));
  REQUIRE(probe.AddFragment(QuadAt(0, 0, 1), 0) != nullptr);
  const auto covers = probe.TakeCovers();
  REQUIRE(covers.size() == 2);
  CHECK_FALSE(probe.HasFragment(covers[0]));
  CHECK(probe.HasFragment(covers[1]));
}
