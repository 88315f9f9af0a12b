#include "raster/vertex/clip.h"

#include <doctest/doctest.h>

#include <limits>

using namespace dp2trace;          // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::raster;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr uint32_t kDiffuseOnly = 1U << kDiffuseSlot;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Vertex At(float x, float y, float z, float w, float red = 0) {
  Vertex vertex;
  vertex.position = {x, y, z, w};
  vertex.varyings[kDiffuseSlot] = {red, 0, 0, 1};
  return vertex;
}

ScreenVertex On(float x, float y, float rhw = 1, float red = 0) {
  ScreenVertex vertex;
  vertex.x = x;
  vertex.y = y;
  vertex.rhw = rhw;
  vertex.varyings[kDiffuseSlot] = {red, 0, 0, 1};
  return vertex;
}

template <class V>
ClipPolygon<V> Triangle(const V& a, const V& b, const V& c) {
  ClipPolygon<V> polygon;
  polygon.vertices[0] = a;
  polygon.vertices[1] = b;
  polygon.vertices[2] = c;
  polygon.count = 3;
  polygon.edges = 7;
  return polygon;
}

}  // namespace

TEST_CASE("ClipToVolume: what touches the planes stays as it is") {
  ClipPolygon<Vertex> polygon = Triangle(At(0, 0, 0, 1), At(100, 0, 1, 1), At(0, 100, 0.5F, 1));
  ClipToVolume(polygon, kDiffuseOnly);
  CHECK(polygon.count == 3);
  CHECK(polygon.edges == 7);
}

TEST_CASE(
    "ClipToVolume: near plane, attributes from the inside to the outside, new edges without flag") {
  ClipPolygon<Vertex> polygon = Triangle(At(0, 0, -1, 4, 1), At(4, 0, 1, 4, 0), At(0, 4, 3, 4, 0));
  polygon.vertices[0].fog = 0;
  polygon.vertices[0].varyings[kSpecularSlot] = {1, 1, 1, 1};
  ClipToVolume(polygon, kDiffuseOnly);
  REQUIRE(polygon.count == 4);
  // Vertex 0 is outside: its replacement on edge 0-1 (t = 1/2 from 1), then 1, 2, and the one on 2-0 (t = 3/4 from 2).
  CHECK(polygon.vertices[0].position == Float4{2, 0, 0, 4});
  CHECK(polygon.vertices[0].varyings[kDiffuseSlot][0] == 0.5F);
  CHECK(polygon.vertices[0].fog == 0.5F);
  CHECK(polygon.vertices[0].varyings[kSpecularSlot][0] == 0);  // not in the mask
  CHECK(polygon.vertices[1].position == Float4{4, 0, 1, 4});
  CHECK(polygon.vertices[2].position == Float4{0, 4, 3, 4});
  CHECK(polygon.vertices[3].position == Float4{0, 1, 0, 4});
  CHECK(polygon.vertices[3].varyings[kDiffuseSlot][0] == 0.75F);
  CHECK(polygon.edges == 0b0111);
}

TEST_CASE("ClipToVolume: far plane and user planes") {
  ClipPolygon<Vertex> far_cut = Triangle(At(0, 0, 0, 1), At(0, 0, 2, 1), At(0, 0, 0.5F, 1));
  ClipToVolume(far_cut, 0);
  REQUIRE(far_cut.count == 4);
  CHECK(far_cut.vertices[1].position[2] == 1);
  CHECK(far_cut.edges == 0b1101);

  ClipPolygon<Vertex> user = Triangle(At(0, 0, 0, 1), At(2, 0, 0, 1), At(0, 2, 0, 1));
  user.vertices[1].plane_distances[5] = -1;
  user.vertices[0].plane_distances[5] = 1;
  user.vertices[2].plane_distances[5] = 3;
  ClipToVolume(user, 0);
  REQUIRE(user.count == 4);
  CHECK(user.vertices[1].position == Float4{1, 0, 0, 1});
  CHECK(user.vertices[2].position == Float4{1.5F, 0.5F, 0, 1});
}

TEST_CASE("ClipToVolume: w never gets near 0, nothing is left behind the eye or of NaN") {
  ClipPolygon<Vertex> polygon = Triangle(At(0, 0, 0, 0), At(1, 0, 0, 1), At(0, 1, 0, 1));
  ClipToVolume(polygon, 0);
  REQUIRE(polygon.count == 4);
  for (uint32_t i = 0; i < polygon.count; ++i)
    CHECK(polygon.vertices[i].position[3] >= 0x1p-21F);

  ClipPolygon<Vertex> behind = Triangle(At(0, 0, -1, -1), At(1, 0, -1, -1), At(0, 1, -1, -1));
  ClipToVolume(behind, 0);
  CHECK(behind.count == 0);
  ClipPolygon<Vertex> unordered =
      Triangle(At(0, 0, kNaN, kNaN), At(1, 0, kNaN, kNaN), At(0, 1, kNaN, kNaN));
  ClipToVolume(unordered, 0);
  CHECK(unordered.count == 0);
}

TEST_CASE("ClipLineToVolume: each end is cut, a line outside vanishes") {
  Vertex a = At(0, 0, -1, 1, 0);
  Vertex b = At(4, 0, 3, 1, 1);
  REQUIRE(ClipLineToVolume(a, b, kDiffuseOnly));
  CHECK(a.position == Float4{1, 0, 0, 1});
  CHECK(b.position == Float4{2, 0, 1, 1});
  CHECK(a.varyings[kDiffuseSlot][0] == 0.25F);
  Vertex c = At(0, 0, -1, 1);
  Vertex d = At(0, 0, -2, 1);
  CHECK_FALSE(ClipLineToVolume(c, d, 0));
}

TEST_CASE("IsInVolume: points need z in [0, w] and the right side of all planes") {
  CHECK(IsInVolume(At(50, 50, 1, 1)));
  CHECK_FALSE(IsInVolume(At(0, 0, 1.5F, 1)));
  CHECK_FALSE(IsInVolume(At(0, 0, 0, 0)));
  Vertex clipped = At(0, 0, 0, 1);
  clipped.plane_distances[2] = -0.5F;
  CHECK_FALSE(IsInVolume(clipped));
}

TEST_CASE("ClipToGuardBand: colours are linear with one rhw and with perspective otherwise") {
  ClipPolygon<ScreenVertex> affine = Triangle(On(0, 0, 1, 0), On(65534, 0, 1, 1), On(0, 100, 1, 0));
  ClipToGuardBand(affine, kDiffuseOnly);
  REQUIRE(affine.count == 4);
  CHECK(affine.vertices[1].x == 32767);
  CHECK(affine.vertices[1].varyings[kDiffuseSlot][0] == 0.5F);

  ClipPolygon<ScreenVertex> deep = Triangle(On(0, 0, 1, 0), On(65534, 0, 3, 1), On(0, 100, 1, 0));
  ClipToGuardBand(deep, kDiffuseOnly);
  REQUIRE(deep.count == 4);
  CHECK(deep.vertices[1].rhw == 2);
  CHECK(deep.vertices[1].varyings[kDiffuseSlot][0] == 0.75F);  // (0 * 1 + 1 * 3) / 2 / 2
}

TEST_CASE("ClipToGuardBand: all coordinates end within the band; not numbers draw nothing") {
  ClipPolygon<ScreenVertex> huge = Triangle(On(-1e9F, -1e9F), On(1e9F, -1e9F), On(0, 1e9F));
  ClipToGuardBand(huge, 0);
  REQUIRE(huge.count >= 3);
  for (uint32_t i = 0; i < huge.count; ++i) {
    CHECK(std::abs(huge.vertices[i].x) <= 32767);
    CHECK(std::abs(huge.vertices[i].y) <= 32767);
  }
  for (const float bad : {kNaN, std::numeric_limits<float>::infinity()}) {
    ClipPolygon<ScreenVertex> polygon = Triangle(On(0, 0), On(bad, 0), On(0, 100));
    ClipToGuardBand(polygon, 0);
    CHECK(polygon.count == 0);
    ScreenVertex a = On(0, 0);
    ScreenVertex b = On(0, bad);
    CHECK_FALSE(ClipLineToGuardBand(a, b, 0));
    CHECK_FALSE(IsInGuardBand(On(bad, 0)));
  }
}
