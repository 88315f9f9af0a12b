// What a drawing token asks for, with its data found: which primitives, and where the bytes of their vertices lie.
// The renderer gets nothing else but this and the context. Views live until the call returns.
// Source: lib/opcode/dp2.md 3 to 5 and 17.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "d3d/enums.h"
#include "d3d/geometry.h"
#include "device/state.h"

namespace dp2trace::device {

// Place and type of one attribute. FVF codes and level 8 declarations are translated into these.
struct VertexElement {
  uint16_t stream = 0;
  uint16_t offset = 0;  // bytes
  uint8_t type = 0;     // D3DDECLTYPE
  uint8_t method = 0;   // D3DDECLMETHOD
  uint8_t usage = 0;    // D3DDECLUSAGE; POSITIONT for transformed vertices
  uint8_t usage_index = 0;
  uint8_t shader_register = 0xFF;  // level 8 declarations: the input register v#; else 0xFF
  bool operator==(const VertexElement&) const = default;
};

struct VertexLayout {
  std::vector<VertexElement> elements;
  bool is_transformed = false;  // XYZRHW or POSITIONT
  std::optional<uint32_t>
      fvf;  // where the layout is that of an FVF (its FOG bit and texture dimensions matter to fog and texgen)

  // The element with this usage, or null.
  const VertexElement* Find(d3d::DeclUsage usage, uint32_t usage_index = 0) const;
  bool operator==(const VertexLayout&) const = default;
};

// The layout that an FVF code describes, all in stream 0. `level` below 8: PSIZE is padding (RESERVED1).
VertexLayout LayoutOfFvf(uint32_t fvf, uint32_t level);

// The bytes of a stream from the place of vertex 0 on; reads past the end give 0.
struct VertexStream {
  Bytes bytes;
  // Bytes from the start of `bytes` to vertex 0 (vertex numbers may be negative before the base is added).
  uint64_t origin = 0;
  uint32_t stride = 0;
  uint32_t divider = 1;  // SETSTREAMSOURCEFREQ as it is

  // `size` bytes of a vertex, from `offset` in it on; empty where the stream does not have all of them. The number of the vertex and the size are below 2^32.
  Bytes At(uint64_t vertex, uint64_t offset, uint64_t size) const {
    const uint64_t at = origin + vertex * stride + offset;
    const bool is_inside = at <= bytes.size() && size <= bytes.size() - at;
    return is_inside ? bytes.subspan(at, size) : Bytes();
  }
};

// How the k-th index of the token is found.
struct IndexSource {
  Bytes bytes;          // empty: vertex k is index k
  uint64_t origin = 0;  // bytes to index 0
  uint32_t size = 0;    // bytes of an index: 2 or 4; 0: not indexed
  // Indices in one record where the records have other fields (wFlags), else 0.
  uint32_t per_record = 0;
  uint32_t record_size = 0;  // bytes of such a record
};

// Which edges of a triangle wireframe draws, in the order of the triangle's vertices: 0-1, 1-2, 2-0.
inline constexpr uint8_t kEdge01 = 1, kEdge12 = 2, kEdge20 = 4, kAllEdges = 7;

enum class EdgeSource : uint8_t {
  kAll,
  kRecordFlags,  // INDEXEDTRIANGLELIST: wFlags after the three indices of a record
  kFanMask,      // fan_edges; interior edges are never drawn
};

struct Draw {
  d3d::PrimitiveType type = d3d::PrimitiveType::TriangleList;
  uint32_t primitive_count = 0;
  const VertexLayout* layout = nullptr;
  std::array<VertexStream, kStreamCount> streams;
  IndexSource indices;
  int64_t base_vertex = 0;  // added to every index
  EdgeSource edges = EdgeSource::kAll;
  uint32_t fan_edges = 0xFFFFFFFF;  // dwEdgeFlags
  uint32_t instance_count = 1;
  // Smallest and largest index that a stream draw reads, where it is indexed.
  uint32_t first_index = 0, last_index = 0;
  uint64_t event = 0;
  uint64_t offset = 0;  // of the token, from the start of the command buffer
  uint32_t record = 0;  // of the token, which asks for this draw; 0 where the token as a whole does
};

// The index (before base_vertex) of the k-th vertex of the token; 0 past the end of the index bytes.
uint32_t IndexAt(const Draw& draw, uint64_t k);

// Vertices of one point, line or triangle, as positions k in the token, in the order that winding and flat shading want
// (lib/raster/rendering-geometry.md 1.6).
struct Assembled {
  std::array<uint64_t, 3> k = {};
  uint8_t edges = kAllEdges;
};
// Primitive `i` of the draw, i < primitive_count.
Assembled Assemble(const Draw& draw, uint32_t i);
// Vertices that `count` primitives of the type consume. Source: lib/opcode/dp2.md 5.2.
uint64_t VertexCount(d3d::PrimitiveType type, uint64_t count);

struct PatchInfo {
  bool is_triangle = false;
  // StartVertexOffsetWidth / Height; for triangles start_width is StartVertexOffset.
  uint32_t start_width = 0, start_height = 0;
  uint32_t width = 0, height = 0;  // for triangles width is NumVertices
  uint32_t stride = 0;             // vertices
  uint32_t basis = 0, degree = 0;
  bool operator==(const PatchInfo&) const = default;
};

// A rectangle or triangle patch: control points are vertices of `points`, numbered as PatchInfo says.
struct PatchDraw {
  PatchInfo info;
  std::array<float, 4> segments = {};  // counts per edge; triangles use three
  Draw points;                         // layout and streams; type and counts are unused
};

struct ClearDraw {
  uint32_t flags = 0;  // D3DCLEAR_* and COMPUTERECTS
  uint32_t color = 0;
  float depth = 0;
  uint32_t stencil = 0;
  std::vector<d3d::Rect> rects;  // as in the token; empty with count 0
  uint64_t event = 0;
  uint64_t offset = 0;
};

// Receives what a token draws, in order.
class DrawSink {
 public:
  virtual ~DrawSink() = default;
  virtual void OnDraw(const Draw& draw) = 0;
  virtual void OnPatch(const PatchDraw& patch) = 0;
  virtual void OnClear(const ClearDraw& clear) = 0;
  // Of all that was drawn so far, in steps of a trace (device/trace_work.h). Renderers may count differently, each the same on every machine.
  virtual uint64_t steps() const { return 0; }
  // What the trace may still cost. A draw that needs more ends early, and counts as more.
  virtual void SetStepsLeft(uint64_t /*steps*/) {}
};

}  // namespace dp2trace::device
