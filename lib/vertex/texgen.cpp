#include "vertex/texgen.h"

#include <cmath>

namespace dp2trace::vertex {
namespace {

using d3d::TexcoordGeneration;

Float3 Reflection(const Float3& position, const Float3& normal, bool is_local_viewer) {
  const Float3 e = is_local_viewer ? Normalize(Negate(position)) : Float3{0, 0, -1};
  const float twice = 2.0F * Dot(e, normal);
  return {twice * normal[0] - e[0], twice * normal[1] - e[1], twice * normal[2] - e[2]};
}

Float4 SphereMap(const Float3& r) {
  const float z = r[2] - 1.0F;
  const float m = 2.0F * std::sqrt(r[0] * r[0] + r[1] * r[1] + z * z);
  if (m == 0) return {0.5F, 0.5F, 0, 1};
  return {r[0] / m + 0.5F, r[1] / m + 0.5F, 0, 1};
}

}  // namespace

Float4 GenerateCoordinates(TexcoordGeneration mode, const Float3& position, const Float3& normal,
                           bool is_local_viewer) {
  switch (mode) {
    case TexcoordGeneration::CameraSpaceNormal:
      return {normal[0], normal[1], normal[2], 1};
    case TexcoordGeneration::CameraSpacePosition:
      return {position[0], position[1], position[2], 1};
    case TexcoordGeneration::CameraSpaceReflectionVector: {
      const Float3 r = Reflection(position, normal, is_local_viewer);
      return {r[0], r[1], r[2], 1};
    }
    case TexcoordGeneration::SphereMap:
      return SphereMap(Reflection(position, normal, is_local_viewer));
    case TexcoordGeneration::PassThru:
      break;
  }
  return {0, 0, 0, 1};
}

Float4 PadCoordinates(const Float4& given, uint32_t count) {
  Float4 v = given;
  for (uint32_t i = count; i < 4; ++i)
    v[i] = i == count ? 1.0F : 0.0F;
  return v;
}

}  // namespace dp2trace::vertex
