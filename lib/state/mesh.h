// The vertices and primitives of a draw: as they are fetched, after vertex processing, and in pixels of the target.
// Source: lib/opcode/dp2.md 3 to 6; lib/raster/rendering-geometry.md 1.1, 1.6 and 2.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/context.h"
#include "device/draw.h"
#include "raster/math.h"

namespace dp2trace::state {

struct MeshVertex {
  int64_t number = 0;  // the base vertex added
  uint32_t instance = 0;
  // Where a shader cannot be executed there are neither.
  std::optional<raster::Float4> clip;  // clip space; none for transformed vertices
  std::optional<raster::Float4>
      screen;  // target x and y (integers are pixel centres), depth, 1 / w; none where w is not positive
};

struct MeshPrimitive {
  std::array<uint32_t, 3> corners = {};  // places in Mesh::vertices, in the order of winding
};

struct Mesh {
  uint64_t draw = 0;             // its number
  uint32_t record = 0;           // of the token, from 0
  uint64_t first_primitive = 1;  // M of the first primitive, "N.M": it counts from 1 over the token
  d3d::PrimitiveType type{};
  uint32_t primitive_count = 0;  // of one instance
  uint32_t instance_count = 1;
  uint32_t index_size = 0;  // bytes; 0: not indexed
  int64_t base_vertex = 0;
  bool is_patch = false;  // the vertices are those of the tessellated patch
  bool is_cut = false;    // MeshLimits
  uint64_t steps = 0;     // of vertex processing that it took
  device::VertexLayout layout;
  std::vector<MeshVertex> vertices;    // by instance, then by number
  std::vector<raster::Float4> values;  // of each vertex the elements of the layout
  std::vector<MeshPrimitive> primitives;

  const raster::Float4& value(size_t vertex, size_t element) const {
    return values[vertex * layout.elements.size() + element];
  }
};

// What a mesh may cost: what is beyond is left out, and is_cut.
struct MeshLimits {
  uint32_t primitives = 1U << 20;
  // Of vertex processing (WorkBudget); later vertices have no coordinates.
  uint64_t steps = uint64_t{1} << 28;
};
// Corners of a primitive: 1 to 3.
uint32_t CornerCount(d3d::PrimitiveType type);

// The draw is one that the device hands out for this context, which lives. `number`: of the token.
Mesh MakeMesh(const device::Context& context, const device::Draw& draw, uint64_t number,
              const MeshLimits& limits = {});
// Of the triangles that the patch becomes.
Mesh MakeMesh(const device::Context& context, const device::PatchDraw& patch, uint32_t max_segments,
              uint64_t number, const MeshLimits& limits = {});

// As lines of text: what is drawn, the layout, a table of vertices, a table of primitives named "N.M".
std::string MeshText(const Mesh& mesh);
// Members of an object without braces: "type", "vertices", "primitives", ...
std::string MeshJson(const Mesh& mesh);
// Wavefront OBJ of several draws: an object for each. Positions are those of the vertices, screen coordinates where they are transformed
// already; with normals and the first texture coordinates where there are such.
std::string MeshObj(const std::vector<Mesh>& meshes);

}  // namespace dp2trace::state
