#include "raster/texture/cube.h"

#include <array>
#include <cmath>

namespace dp2trace::raster {
namespace {

// The components that are divided, with their signs.
struct FaceAxes {
  size_t u_axis;
  float u_sign;
  size_t v_axis;
  float v_sign;
};
constexpr std::array<FaceAxes, 6> kFaces = {{
    {2, -1.0F, 1, -1.0F},  // +X
    {2, +1.0F, 1, -1.0F},  // -X
    {0, +1.0F, 2, +1.0F},  // +Y
    {0, +1.0F, 2, -1.0F},  // -Y
    {0, +1.0F, 1, -1.0F},  // +Z
    {0, -1.0F, 1, -1.0F},  // -Z
}};

uint32_t MajorAxis(const Float4& direction) {
  const float x = std::abs(direction[0]);
  const float y = std::abs(direction[1]);
  const float z = std::abs(direction[2]);
  if (z >= y && z >= x) return 2;
  return y >= x ? 1 : 0;
}

}  // namespace

uint32_t CubeFaceOf(const Float4& direction) {
  const uint32_t axis = MajorAxis(direction);
  return 2 * axis + (direction[axis] < 0.0F ? 1 : 0);
}

Float4 CubeCoordinates(const Float4& direction, uint32_t face) {
  const FaceAxes& axes = kFaces[face];
  const float major = std::abs(direction[face / 2]);
  if (major == 0.0F) return {0.5F, 0.5F, 0.0F, 0.0F};
  const float u = (axes.u_sign * direction[axes.u_axis] / major + 1.0F) * 0.5F;
  const float v = (axes.v_sign * direction[axes.v_axis] / major + 1.0F) * 0.5F;
  return {u, v, 0.0F, 0.0F};
}

}  // namespace dp2trace::raster
