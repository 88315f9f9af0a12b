// Primitives in screen coordinates, cut at the clip volume where they must be, as tokens for a driver of level 6.
// Source: lib/opcode/dp2.md 3 and 3.1 (edge flags); lib/raster/rendering-geometry.md 1.1.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/core/recorder.h"
#include "runtime/ddraw/software_geometry.h"

namespace dp2trace::runtime::ddraw {

// Edges of D3DTRIANGLE.wFlags.
inline constexpr uint16_t kAllEdges = 0x700;

// What decides where primitives end.
struct ClipVolume {
  vertex::ViewportMapping mapping;
  // Screen coordinates beyond which a driver need not draw; the viewport itself is cut there by pixels.
  float guard_band = 8192;

  // A bit for each plane behind which the place lies; 0 inside.
  uint32_t OutcodeOf(const vertex::Float4& clip) const;
  float Distance(size_t plane, const vertex::Float4& clip) const;
  static constexpr size_t kPlanes = 7;
};

// True where every vertex lies inside.
bool IsInside(const ClipVolume& volume, const ScreenVertices& vertices);

// Collects the primitives of one draw and sends them as lists with indices.
class PrimitiveClipper {
 public:
  // All outlive the object. `is_flat`: new vertices have the colours of the primitive's first one.
  PrimitiveClipper(Recorder& recorder, uint64_t context, const ScreenVertices& vertices,
                   const ClipVolume& volume, bool is_flat);

  // By numbers of vertices; numbers after the last one draw nothing.
  void AddPoint(uint32_t v);
  void AddLine(uint32_t v0, uint32_t v1);
  void AddTriangle(const std::array<uint32_t, 3>& v, uint16_t flags = kAllEdges);
  // Sends what is left.
  void Finish();

 private:
  static constexpr size_t kMaxAttributes = 8 + 4 * d3d::kMaxTextureSets;
  struct Corner {
    vertex::Float4 clip = {};
    std::array<float, kMaxAttributes> attributes = {};  // diffuse, specular, coordinates
    bool starts_edge = true;  // the edge to the next corner is one of the primitive
  };

  // Sends what is there where so many more vertices, or one more primitive, do not fit.
  void MakeRoom(uint32_t vertices);
  uint32_t IndexOf(uint32_t v);
  Corner CornerOf(uint32_t v) const;
  Corner Between(const Corner& inside, const Corner& outside, size_t plane) const;
  uint16_t Append(const Corner& corner);
  uint32_t OutcodeOf(uint32_t v) const;
  void AddClippedTriangle(const std::array<uint32_t, 3>& v, uint32_t planes, uint16_t flags);
  std::vector<Corner> Cut(const std::vector<Corner>& polygon, size_t plane) const;

  Recorder& recorder_;
  uint64_t context_;
  const ScreenVertices& vertices_;
  const ClipVolume& volume_;
  bool is_flat_;
  d3d::FvfLayout layout_;
  std::vector<uint32_t> indices_of_;                  // by vertex: its number in `bytes_`, or kNone
  std::vector<uint8_t> bytes_;                        // of the vertices to send
  std::vector<uint16_t> points_, lines_, triangles_;  // triangles: three numbers and the flags
};

}  // namespace dp2trace::runtime::ddraw
