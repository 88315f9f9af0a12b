// Clipping: against depth, user and w planes in clip space, and against the guard band in screen space.
// Source: lib/raster/rendering-geometry.md 1.2 (guard band) and 1.7.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "raster/vertex/vertex.h"

namespace dp2trace::raster {

inline constexpr float kLeastW = 0x1p-20F;
inline constexpr float kGuardBand = 32767;

// 3 vertices, and one more for each of 2 depth, 6 user, 1 w and 4 guard band planes.
inline constexpr uint32_t kMaxPolygonVertices = 16;

// Bit i of `edges`: the edge from vertex i to the next is one of the original triangle and is drawn in wireframe.
template <class V>
struct ClipPolygon {
  std::array<V, kMaxPolygonVertices> vertices;
  uint32_t count = 0;
  uint32_t edges = 0;
};

// What is left of a convex polygon (count 0: nothing). Slots outside the mask are not interpolated.
// Vertices that are NaN are outside. Edges made by clipping carry no flag.
void ClipToVolume(ClipPolygon<Vertex>& polygon, uint32_t varying_mask);
// False where nothing is left.
bool ClipLineToVolume(Vertex& a, Vertex& b, uint32_t varying_mask);
bool IsInVolume(const Vertex& point);

// Planes of the view volume and of CLIPPLANEENABLE: bit p is plane p.
enum class VolumePlane : uint8_t { kLeft, kRight, kBottom, kTop, kNear, kFar, kUser0 };
inline constexpr uint32_t kVolumePlanes = 6 + kUserPlaneCount;
// "left", "clip_plane_0", ...
std::string Name(VolumePlane plane);
// "left plane", "clip plane 0", ...
std::string Words(VolumePlane plane);
// Those that the vertex lies behind, in clip space. NaN lies behind all.
uint32_t PlanesInFrontOf(const Vertex& vertex);

// The same for target coordinates: afterwards all are within the guard band, and none is NaN.
void ClipToGuardBand(ClipPolygon<ScreenVertex>& polygon, uint32_t varying_mask);
bool ClipLineToGuardBand(ScreenVertex& a, ScreenVertex& b, uint32_t varying_mask);
bool IsInGuardBand(const ScreenVertex& point);

}  // namespace dp2trace::raster
