#include "raster/vertex/clip.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

namespace dp2trace::raster {
namespace {

// In this order: near, far, user planes, w.
constexpr uint32_t kVolumePlaneCount = 3 + kUserPlaneCount;
constexpr uint32_t kGuardPlaneCount = 4;

float VolumeDistance(const Vertex& v, uint32_t plane) {
  if (plane == 0) return v.position[2];
  if (plane == 1) return v.position[3] - v.position[2];
  if (plane < 2 + kUserPlaneCount) return v.plane_distances[plane - 2];
  return v.position[3] - kLeastW;
}

float GuardDistance(const ScreenVertex& v, uint32_t plane) {
  switch (plane) {
    case 0:
      return v.x + kGuardBand;
    case 1:
      return kGuardBand - v.x;
    case 2:
      return v.y + kGuardBand;
    default:
      return kGuardBand - v.y;
  }
}

float Lerp(float inside, float outside, float t) {
  return inside + t * (outside - inside);
}

template <size_t kSize>
std::array<float, kSize> Lerp(const std::array<float, kSize>& inside,
                              const std::array<float, kSize>& outside, float t) {
  std::array<float, kSize> result = {};
  for (size_t i = 0; i < kSize; ++i)
    result[i] = Lerp(inside[i], outside[i], t);
  return result;
}

Vertex Intersect(const Vertex& inside, const Vertex& outside, float t, uint32_t mask) {
  Vertex result = inside;
  result.position = Lerp(inside.position, outside.position, t);
  for (uint32_t s = 0; s < kVaryingCount; ++s) {
    if ((mask >> s & 1U) != 0)
      result.varyings[s] = Lerp(inside.varyings[s], outside.varyings[s], t);
  }
  result.fog = Lerp(inside.fog, outside.fog, t);
  result.point_size = Lerp(inside.point_size, outside.point_size, t);
  result.plane_distances = Lerp(inside.plane_distances, outside.plane_distances, t);
  return result;
}

// Interpolates attributes along a screen edge: linear where both ends have one rhw, else with perspective.
struct ScreenEdge {
  float inside_rhw, outside_rhw, t, rhw;
  bool is_affine;

  ScreenEdge(const ScreenVertex& inside, const ScreenVertex& outside, float at)
      : inside_rhw(inside.rhw),
        outside_rhw(outside.rhw),
        t(at),
        rhw(Lerp(inside.rhw, outside.rhw, at)),
        is_affine(std::bit_cast<uint32_t>(inside.rhw) == std::bit_cast<uint32_t>(outside.rhw)) {
    if (rhw == 0) rhw = 1;
  }
  float Attribute(float inside, float outside) const {
    if (is_affine) return Lerp(inside, outside, t);
    return Lerp(inside * inside_rhw, outside * outside_rhw, t) / rhw;
  }
};

// Unspecified: the text names the linear rule of 1.7, which bends textures where the ends differ in w; chosen: perspective, so that
// the picture is the same as without the guard band. Positions, depth and rhw are linear in screen space.
ScreenVertex Intersect(const ScreenVertex& inside, const ScreenVertex& outside, float t,
                       uint32_t mask) {
  const ScreenEdge edge(inside, outside, t);
  ScreenVertex result = inside;
  result.x = Lerp(inside.x, outside.x, t);
  result.y = Lerp(inside.y, outside.y, t);
  result.z = Lerp(inside.z, outside.z, t);
  result.rhw = edge.rhw;
  for (uint32_t s = 0; s < kVaryingCount; ++s) {
    if ((mask >> s & 1U) == 0) continue;
    for (size_t i = 0; i < 4; ++i) {
      result.varyings[s][i] = edge.Attribute(inside.varyings[s][i], outside.varyings[s][i]);
    }
  }
  result.fog = edge.Attribute(inside.fog, outside.fog);
  return result;
}

template <class V>
void Append(ClipPolygon<V>& polygon, const V& vertex, bool has_edge) {
  if (polygon.count == kMaxPolygonVertices) return;
  polygon.vertices[polygon.count] = vertex;
  polygon.edges |= (has_edge ? 1U : 0U) << polygon.count;
  ++polygon.count;
}

// One step of Sutherland-Hodgman. Unspecified: which vertex comes first; chosen: the first one that is inside on a walk from vertex 0
// or the intersection before it.
template <class V, class Distance>
void ClipByPlane(ClipPolygon<V>& polygon, uint32_t mask, const Distance& distance) {
  std::array<float, kMaxPolygonVertices> d = {};
  bool is_clipped = false;
  for (uint32_t i = 0; i < polygon.count; ++i) {
    d[i] = distance(polygon.vertices[i]);
    is_clipped = is_clipped || !(d[i] >= 0);
  }
  if (!is_clipped) return;
  ClipPolygon<V> result;
  for (uint32_t i = 0; i < polygon.count; ++i) {
    const uint32_t next = i + 1 == polygon.count ? 0 : i + 1;
    const bool has_edge = (polygon.edges >> i & 1U) != 0;
    const bool is_inside = d[i] >= 0;
    const bool is_next_inside = d[next] >= 0;
    const V& a = polygon.vertices[i];
    const V& b = polygon.vertices[next];
    if (is_inside) Append(result, a, has_edge);
    if (is_inside && !is_next_inside)
      Append(result, Intersect(a, b, d[i] / (d[i] - d[next]), mask), false);
    if (!is_inside && is_next_inside)
      Append(result, Intersect(b, a, d[next] / (d[next] - d[i]), mask), has_edge);
  }
  polygon = result;
}

template <class V>
bool ClipLineByPlane(V& a, V& b, float da, float db, uint32_t mask) {
  const bool is_a_inside = da >= 0;
  const bool is_b_inside = db >= 0;
  if (!is_a_inside && !is_b_inside) return false;
  if (!is_b_inside) b = Intersect(a, b, da / (da - db), mask);
  if (!is_a_inside) a = Intersect(b, a, db / (db - da), mask);
  return true;
}

// Rounding may leave an intersection slightly outside; false for NaN.
bool PutIntoGuardBand(ScreenVertex& v) {
  if (std::isnan(v.x) || std::isnan(v.y)) return false;
  v.x = Max(Min(v.x, kGuardBand), -kGuardBand);
  v.y = Max(Min(v.y, kGuardBand), -kGuardBand);
  return true;
}

}  // namespace

void ClipToVolume(ClipPolygon<Vertex>& polygon, uint32_t varying_mask) {
  for (uint32_t plane = 0; plane < kVolumePlaneCount && polygon.count != 0; ++plane) {
    ClipByPlane(polygon, varying_mask,
                [plane](const Vertex& v) { return VolumeDistance(v, plane); });
  }
}

bool ClipLineToVolume(Vertex& a, Vertex& b, uint32_t varying_mask) {
  for (uint32_t plane = 0; plane < kVolumePlaneCount; ++plane) {
    if (!ClipLineByPlane(a, b, VolumeDistance(a, plane), VolumeDistance(b, plane), varying_mask))
      return false;
  }
  return true;
}

bool IsInVolume(const Vertex& point) {
  for (uint32_t plane = 0; plane < kVolumePlaneCount; ++plane) {
    if (!(VolumeDistance(point, plane) >= 0)) return false;
  }
  return true;
}

std::string Name(VolumePlane plane) {
  constexpr std::array<std::string_view, 6> kNames = {"left", "right", "bottom",
                                                      "top",  "near",  "far"};
  const auto number = static_cast<uint32_t>(plane);
  if (plane < VolumePlane::kUser0) return std::string(kNames[number]);
  return "clip_plane_" + std::to_string(number - kNames.size());
}

std::string Words(VolumePlane plane) {
  std::string words = Name(plane);
  std::ranges::replace(words, '_', ' ');
  return plane < VolumePlane::kUser0 ? words + " plane" : words;
}

uint32_t PlanesInFrontOf(const Vertex& vertex) {
  const auto& [x, y, z, w] = vertex.position;
  std::array<float, kVolumePlanes> distances = {w + x, w - x, w + y, w - y, z, w - z};
  std::ranges::copy(vertex.plane_distances, distances.begin() + 6);
  uint32_t planes = 0;
  for (uint32_t plane = 0; plane < kVolumePlanes; ++plane)
    planes |= (distances[plane] >= 0 ? 0U : 1U) << plane;
  return planes;
}

void ClipToGuardBand(ClipPolygon<ScreenVertex>& polygon, uint32_t varying_mask) {
  for (uint32_t plane = 0; plane < kGuardPlaneCount && polygon.count != 0; ++plane) {
    ClipByPlane(polygon, varying_mask,
                [plane](const ScreenVertex& v) { return GuardDistance(v, plane); });
  }
  // Unspecified: coordinates that are not numbers; chosen: such a primitive is not drawn.
  for (uint32_t i = 0; i < polygon.count; ++i) {
    if (!PutIntoGuardBand(polygon.vertices[i])) polygon.count = 0;
  }
}

bool ClipLineToGuardBand(ScreenVertex& a, ScreenVertex& b, uint32_t varying_mask) {
  for (uint32_t plane = 0; plane < kGuardPlaneCount; ++plane) {
    if (!ClipLineByPlane(a, b, GuardDistance(a, plane), GuardDistance(b, plane), varying_mask))
      return false;
  }
  return PutIntoGuardBand(a) && PutIntoGuardBand(b);
}

bool IsInGuardBand(const ScreenVertex& point) {
  for (uint32_t plane = 0; plane < kGuardPlaneCount; ++plane) {
    if (!(GuardDistance(point, plane) >= 0)) return false;
  }
  return true;
}

}  // namespace dp2trace::raster
