// Positions and normals from model to eye space: what the state and the vertex say about blending and tweening.
// Source: lib/raster/rendering-geometry.md 2.3 and 2.4.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/draw.h"
#include "device/state.h"
#include "raster/math.h"
#include "raster/vertex/processor.h"
#include "vertex/blending.h"

namespace dp2trace::raster {

// Position of an element in VertexInput::values.
inline constexpr uint32_t kNoElement = 64;
uint32_t ElementIndex(const device::VertexLayout& layout, d3d::DeclUsage usage,
                      uint32_t usage_index = 0);

struct PlacedVertex {
  Float4 world = {};
  Float4 eye = {};
  Float3 normal = {};  // eye space; 0 without normals
};

// What VERTEXBLEND and its relatives make of position and normal of an untransformed vertex.
class VertexPlacement {
 public:
  // The state outlives the object. Without `needs_normals` the normals are 0.
  VertexPlacement(const device::State& state, const device::VertexLayout& layout,
                  bool needs_normals);

  PlacedVertex Apply(const VertexInput& input) const;

  // One world matrix, no tweening, no w that must become 1: position * matrix 0 * view.
  bool is_simple() const {
    return matrix_count_ == 1 && !is_tweened_ && !is_indexed_ && !position_has_w_;
  }
  bool normalizes() const { return normalizes_; }
  uint32_t normal_element() const { return normal_; }
  // Of the world matrices in use; empty where normals are not needed or not there.
  const std::vector<Matrix3>& normal_matrices() const { return normal_matrices_; }

 private:
  vertex::BlendWeights WeightsOf(const VertexInput& input) const;
  uint32_t MatrixIndex(const Float4& indices, uint32_t i) const;
  void PrepareNormalMatrices();
  Float4 ModelPosition(const VertexInput& input) const;
  Float3 ModelNormal(const VertexInput& input) const;
  std::span<const device::Matrix> Worlds() const;

  const device::State* state_;
  uint32_t position_, position2_, normal_, normal2_, weights_, indices_;
  bool position_has_w_;
  bool indices_are_color_ = false;
  bool is_tweened_ = false;
  bool is_indexed_ = false;
  bool normalizes_ = false;
  uint32_t matrix_count_ = 1;             // per vertex
  std::vector<Matrix3> normal_matrices_;  // by world matrix; empty where normals are not needed
};

}  // namespace dp2trace::raster
