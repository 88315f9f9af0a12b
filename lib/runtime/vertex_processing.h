// The runtime's own vertex processing (ProcessVertices): transformation, lighting, fog and texture coordinates of the fixed function,
// written to vertices of a flexible vertex format.
// Source: Direct3D 7 to 9 API reference facts (ProcessVertices); rendering specification, 1.1 and 2; rendering facts, F30 to F32, G15, L8.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/vertex_lighting.h"
#include "runtime/vertex_reader.h"

namespace dp2trace::runtime {

struct VertexProcessingOptions {
  uint32_t dest_fvf = 0;
  bool is_lit = false;
  // Without D3DPV_DONOTCOPYDATA: elements that processing does not change are copied.
  bool copies_data = true;
};

class VertexProcessing {
 public:
  // True where vertices of this format can be written, and the state asks for nothing that is not done here (tweening).
  static bool IsPossible(const VertexState& state, uint32_t dest_fvf);
  // The state outlives the object.
  VertexProcessing(const VertexState& state, const VertexProcessingOptions& options);

  uint32_t dest_size() const { return layout_.size; }
  // `out`: dest_size() bytes; elements that are not written keep their content.
  void Process(const SourceVertex& vertex, uint8_t* out) const;

 private:
  struct Stage {
    uint32_t generation = 0;  // D3DTSS_TCI
    uint32_t count = 0;       // components that the matrix makes; 0: not transformed
    Float4x4 matrix = kIdentityMatrix;
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
  Placed Place(const SourceVertex& vertex) const;
  const Float4x4& World(const SourceVertex& vertex, uint32_t i) const;
  Float4 Screen(const Float4& eye) const;
  float FogFactor(const Float4& eye) const;
  Coordinates CoordinatesOf(const SourceVertex& vertex, const Placed& placed, uint32_t stage) const;
  void WriteColors(const SourceVertex& vertex, const Placed& placed, uint8_t* out) const;

  const VertexState* state_;
  VertexProcessingOptions options_;
  d3d::FvfLayout layout_;
  VertexLighting lighting_;
  Float4x4 view_, projection_;
  std::vector<Float4x4> worlds_, normal_matrices_;  // by number
  uint32_t matrix_count_ = 1;                       // that a vertex takes
  bool is_indexed_ = false;
  bool normalizes_ = false;
  bool has_fog_ = false;
  std::array<Stage, d3d::kMaxTextureSets> stages_;
};

}  // namespace dp2trace::runtime
