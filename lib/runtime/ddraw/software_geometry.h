// What a runtime before Direct3D 7 did to vertices itself: transformation, lighting and fog. A driver of level 6 gets the result, in
// screen coordinates.
// Source: lib/opcode/dp2.md 1.5; lib/raster/rendering-geometry.md 2; Microsoft's DirectX 6 API reference.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "d3d/fvf.h"
#include "d3d/light.h"
#include "runtime/core/vertex_reader.h"
#include "vertex/fog.h"
#include "vertex/lighting.h"
#include "vertex/normal_matrix.h"
#include "vertex/viewport.h"

namespace dp2trace::runtime::ddraw {

struct GeometryState {
  vertex::Matrix world = vertex::kIdentity, view = vertex::kIdentity;
  vertex::Matrix projection = vertex::kIdentity;  // to the clip volume -w to w, 0 to w
  vertex::ViewportArea viewport;
  bool is_lit = false;
  bool normalizes_normals = true;
  vertex::LightingState lighting = {.model = vertex::LightingModel::kDirect3d6};
  d3d::Material material;
  std::vector<d3d::Light> lights;
  std::optional<vertex::FogEquation>
      fog;  // of vertex fog: written to the alpha of the specular colour
  bool has_range_fog = false;
};

// The format of the vertices that come out of those of `fvf`: with both colours, and all texture coordinates.
uint32_t ScreenFvf(uint32_t fvf);

// Vertices as a driver takes them.
struct ScreenVertices {
  uint32_t fvf = 0;
  uint32_t size = 0;  // bytes of one
  std::vector<uint8_t> bytes;
  // Where each lies in clip space; empty for vertices that were in screen coordinates from the start.
  std::vector<vertex::Float4> clip;

  uint32_t count() const { return size == 0 ? 0 : static_cast<uint32_t>(bytes.size() / size); }
};

class SoftwareGeometry {
 public:
  explicit SoftwareGeometry(const GeometryState& state);

  // `out` gets a vertex of the format ScreenFvf() of the source. Returns its clip coordinates.
  vertex::Float4 Process(const SourceVertex& source, const d3d::FvfLayout& layout,
                         uint8_t* out) const;
  // The first `count` vertices of `bytes`, as far as they are there. None where they have no position to transform.
  std::optional<ScreenVertices> Process(uint32_t fvf, uint32_t count, Bytes bytes) const;

 private:
  const GeometryState state_;
  vertex::Matrix3 normal_matrix_;
  vertex::Lighting lighting_;
  vertex::ViewportMapping mapping_;
};

}  // namespace dp2trace::runtime::ddraw
