// Positions and normals from model to eye space: blending, tweening, normal matrices.
// Source: rendering specification, 2.3 and 2.4.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "device/draw.h"
#include "device/state.h"
#include "raster/math.h"
#include "raster/vertex/processor.h"

namespace dp2trace::raster {

using Float3 = std::array<float, 3>;
using Matrix3 = std::array<float, 9>;  // row-major

constexpr float Dot(const Float3& a, const Float3& b) {
  return Dot3(a.data(), b.data());
}
// v * (1 / sqrt(v . v)); zero stays zero.
Float3 Normalize(const Float3& v);

// v * m, each component summed left to right.
Float4 Transform(const Float4& v, const device::Matrix& m);
// The same with the upper left 3x3 block.
Float3 TransformDirection(const Float3& v, const device::Matrix& m);
Float3 Transform(const Float3& v, const Matrix3& m);

// Upper left 3x3 of the transposed inverse of world * view (4x4, binary64); of world * view itself where that is singular.
Matrix3 NormalMatrix(const device::Matrix& world, const device::Matrix& view);

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

 private:
  struct Weights {
    std::array<float, 4> weight = {};
    std::array<uint32_t, 4> matrix = {};  // index of the world matrix
  };
  Weights WeightsOf(const VertexInput& input) const;
  uint32_t MatrixIndex(const Float4& indices, uint32_t i) const;
  void PrepareNormalMatrices();
  Float4 ModelPosition(const VertexInput& input) const;
  Float3 ModelNormal(const VertexInput& input) const;
  Float4 BlendPosition(const Float4& position, const Weights& weights) const;
  Float3 BlendNormal(const Float3& normal, const Weights& weights) const;
  const device::Matrix& World(uint32_t index) const;

  const device::State* state_;
  uint32_t position_, position2_, normal_, normal2_, weights_, indices_;
  bool indices_are_color_ = false;
  bool is_tweened_ = false;
  bool is_indexed_ = false;
  bool normalizes_ = false;
  uint32_t matrix_count_ = 1;             // per vertex
  std::vector<Matrix3> normal_matrices_;  // by world matrix; empty where normals are not needed
};

}  // namespace dp2trace::raster
