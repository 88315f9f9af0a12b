#include "vertex/texgen.h"

#include <doctest/doctest.h>

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::vertex;  // NOLINT(google-build-using-namespace): test file

namespace {

using d3d::TexcoordGeneration;

// Of a place at (3, 0, 4) that faces the viewer.
Float4 Generated(TexcoordGeneration mode, bool is_local_viewer = true) {
  return GenerateCoordinates(mode, {3, 0, 4}, {0, 0, -1}, is_local_viewer);
}

}  // namespace

TEST_CASE("GenerateCoordinates: normal and position have 1 as fourth component") {
  CHECK(Generated(TexcoordGeneration::CameraSpaceNormal) == Float4{0, 0, -1, 1});
  CHECK(Generated(TexcoordGeneration::CameraSpacePosition) == Float4{3, 0, 4, 1});
  CHECK(Generated(TexcoordGeneration::PassThru) == Float4{0, 0, 0, 1});
}

TEST_CASE("GenerateCoordinates: reflection at the eye or at a distant viewer") {
  // E = (-0.6, 0, -0.8); R = 2 (E.N) N - E = (0.6, 0, -0.8).
  const Float4 r = Generated(TexcoordGeneration::CameraSpaceReflectionVector);
  CHECK(r[0] == doctest::Approx(0.6));
  CHECK(r[1] == 0);
  CHECK(r[2] == doctest::Approx(-0.8));
  CHECK(Generated(TexcoordGeneration::CameraSpaceReflectionVector, false) == Float4{0, 0, -1, 1});
}

TEST_CASE("GenerateCoordinates: a sphere map is centred where the surface faces the viewer") {
  CHECK(Generated(TexcoordGeneration::SphereMap, false) == Float4{0.5F, 0.5F, 0, 1});
  // m = 2 sqrt(0.36 + 3.24)
  CHECK(Generated(TexcoordGeneration::SphereMap)[0] ==
        doctest::Approx(0.5 + 0.6 / (2 * 1.8973666)));
  // R = (0, 0, 1): m = 0.
  CHECK(GenerateCoordinates(TexcoordGeneration::SphereMap, {0, 0, 1}, {}, false) ==
        Float4{0.5F, 0.5F, 0, 1});
}

TEST_CASE("PadCoordinates: 1 after the last given component, then 0 (facts C4, C7)") {
  CHECK(PadCoordinates({5, 6, 7, 8}, 0) == Float4{1, 0, 0, 0});
  CHECK(PadCoordinates({5, 6, 7, 8}, 1) == Float4{5, 1, 0, 0});
  CHECK(PadCoordinates({5, 6, 7, 8}, 2) == Float4{5, 6, 1, 0});
  CHECK(PadCoordinates({5, 6, 7, 8}, 3) == Float4{5, 6, 7, 1});
  CHECK(PadCoordinates({5, 6, 7, 8}, 4) == Float4{5, 6, 7, 8});
}
