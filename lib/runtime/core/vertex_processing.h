// The runtime's own vertex processing (ProcessVertices): transformation, lighting, fog and texture coordinates of the fixed function,
// written to vertices of a flexible vertex format.
// Source: Microsoft's Direct3D 7 to 9 API reference (ProcessVertices); lib/raster/rendering-geometry.md 1.1 and 2 (tweening: 2.4); lib/raster/rendering-facts.md F30 to F32, G15, L8.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "d3d/light.h"
#include "d3d/states.h"
#include "runtime/core/vertex_reader.h"
#include "vertex/fog.h"
#include "vertex/lighting.h"
#include "vertex/viewport.h"

namespace dp2trace::runtime {

// What the runtime knows of the state, whatever interface set it: values by the numbers of the DDI.
struct VertexState {
  std::function<uint32_t(d3d::RenderState)> render_state;
  std::function<uint32_t(uint32_t, d3d::TextureStageState)> stage_state;
  std::function<vertex::Matrix(uint32_t)> transform;  // by canonical number: world n is 256 + n
  vertex::ViewportArea viewport;
  d3d::Material material;
  std::vector<d3d::Light> lights;  // the enabled ones by ascending index
};

struct VertexProcessingOptions {
  uint32_t dest_fvf = 0;
  bool is_lit = false;
  // Without D3DPV_DONOTCOPYDATA: elements that processing does not change are copied.
  bool copies_data = true;
};

// A D3DCOLOR of red, green, blue, alpha in 0..1, rounded to the nearest.
uint32_t PackColor(const Float4& color);
void StoreFloats(uint8_t* out, const Float4& value, uint32_t count);

class VertexProcessing {
 public:
  // True where vertices of this format can be written.
  static bool IsPossible(uint32_t dest_fvf);
  // The state outlives the object.
  VertexProcessing(const VertexState& state, const VertexProcessingOptions& options);

  uint32_t dest_size() const { return layout_.size; }
  // `out`: dest_size() bytes; elements that are not written keep their content.
  void Process(const SourceVertex& vertex, uint8_t* out) const;

 private:
  struct Stage {
    uint32_t generation = 0;  // D3DTSS_TCI
    uint32_t count = 0;       // components that the matrix makes; 0: not transformed
    vertex::Matrix matrix = vertex::kIdentity;
  };
  struct Placed {
    Float4 eye = {};
    Float3 normal = {};
  };
  struct Coordinates {
    Float4 value = {};
    uint32_t count = 0;
    bool is_copy = true;
  };
  Placed Place(const SourceVertex& source) const;
  float FogFactor(const Float4& eye) const;
  Coordinates CoordinatesOf(const SourceVertex& vertex, const Placed& placed, uint32_t stage) const;
  void WriteColors(const SourceVertex& vertex, const Placed& placed, uint8_t* out) const;

  const VertexState* state_;
  VertexProcessingOptions options_;
  d3d::FvfLayout layout_;
  vertex::Lighting lighting_;
  vertex::ViewportMapping viewport_;
  vertex::FogEquation fog_;
  vertex::Matrix view_, projection_;
  std::vector<vertex::Matrix> worlds_;            // by number
  std::vector<vertex::Matrix3> normal_matrices_;  // the same
  uint32_t matrix_count_ = 1;                     // that a vertex takes
  bool is_indexed_ = false;
  bool normalizes_ = false;
  bool is_tweened_ = false;
  float tween_factor_ = 0;
  bool has_fog_ = false;
  std::array<Stage, d3d::kMaxTextureSets> stages_;
};

}  // namespace dp2trace::runtime
