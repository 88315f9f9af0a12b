// Texture coordinates of one stage: the set that it names or a generated vector, then its transform.
// Source: lib/raster/rendering-geometry.md 2.8 and 2.9.
#pragma once

#include <cstdint>

#include "device/draw.h"
#include "device/state.h"
#include "raster/vertex/placement.h"

namespace dp2trace::raster {

class StageCoordinates {
 public:
  // The state outlives the object; stage < 8.
  StageCoordinates(const device::State& state, const device::VertexLayout& layout, uint32_t stage);

  // Position and normal in eye space; unused for transformed vertices.
  Float4 Apply(const VertexInput& input, const Float3& position, const Float3& normal) const;
  // As VertexOutputs::texcoord_components has it; 0 for a set that transformed vertices lack.
  uint32_t component_count() const { return is_transformed_ ? component_count_ : kDivisorInW; }
  // WRAPn bits of the set that TEXCOORDINDEX names.
  uint32_t wrap() const { return wrap_; }
  bool needs_normal() const;

  // What it does: D3DTSS_TCI mode, the element that PASSTHRU reads, the matrix or null.
  d3d::TexcoordGeneration generation() const {
    return static_cast<d3d::TexcoordGeneration>(generation_);
  }
  uint32_t element() const { return element_; }
  uint32_t given_component_count() const { return component_count_; }
  const device::Matrix* matrix() const { return matrix_; }
  // Of vertices that are not transformed: components after these are 0, but for w with PROJECTED, which is the last of them.
  bool is_transformed() const { return is_transformed_; }
  uint32_t kept_count() const { return kept_count_; }
  bool is_projected() const { return is_projected_; }
  bool is_local_viewer() const { return is_local_viewer_; }

 private:
  uint32_t generation_ = 0;  // D3DTSS_TCI, high word
  uint32_t element_ = kNoElement;
  uint32_t component_count_ = 0;
  uint32_t wrap_ = 0;
  uint32_t kept_count_ = 0;
  bool is_transformed_ = false, is_projected_ = false;
  const device::Matrix* matrix_ = nullptr;  // null: not transformed
  bool is_local_viewer_ = true;
};

}  // namespace dp2trace::raster
