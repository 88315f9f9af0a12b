#include "raster/vertex/transform.h"

#include <algorithm>
#include <cmath>

namespace dp2trace::raster {
namespace {

using d3d::DeclUsage;
using d3d::RenderState;
using d3d::VertexBlend;

constexpr uint32_t kWorldMatrixCount = 256;
constexpr Float4 kMissing = {0, 0, 0, 1};

using Matrix64 = std::array<double, 16>;

Matrix64 Multiply(const device::Matrix& a, const device::Matrix& b) {
  Matrix64 product;
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 4; ++j) {
      double sum = double{a[4 * i]} * double{b[j]};
      for (size_t k = 1; k < 4; ++k)
        sum = sum + double{a[4 * i + k]} * double{b[4 * k + j]};
      product[4 * i + j] = sum;
    }
  }
  return product;
}

// Determinant of the 3x3 matrix without this row and column, with its sign.
double Cofactor(const Matrix64& m, size_t row, size_t column) {
  std::array<double, 9> s = {};
  size_t n = 0;
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 4; ++j) {
      if (i != row && j != column) s[n++] = m[4 * i + j];
    }
  }
  const double determinant = s[0] * (s[4] * s[8] - s[5] * s[7]) -
                             s[1] * (s[3] * s[8] - s[5] * s[6]) +
                             s[2] * (s[3] * s[7] - s[4] * s[6]);
  return (row + column) % 2 == 0 ? determinant : -determinant;
}

Float3 FirstThree(const Float4& v) {
  return {v[0], v[1], v[2]};
}

Float4 Tween(const Float4& a, const Float4& b, float t) {
  Float4 result;
  for (size_t i = 0; i < 4; ++i)
    result[i] = a[i] + t * (b[i] - a[i]);
  return result;
}

bool IsColor(const device::VertexLayout& layout, uint32_t element) {
  return element != kNoElement &&
         layout.elements[element].type == d3d::Value(d3d::DeclType::D3dColor);
}

}  // namespace

Float3 Normalize(const Float3& v) {
  const float square = Dot(v, v);
  if (square == 0) return {};
  const float scale = 1.0F / std::sqrt(square);
  return {v[0] * scale, v[1] * scale, v[2] * scale};
}

Float4 Transform(const Float4& v, const device::Matrix& m) {
  Float4 result;
  for (size_t j = 0; j < 4; ++j) {
    result[j] = v[0] * m[j] + v[1] * m[4 + j] + v[2] * m[8 + j] + v[3] * m[12 + j];
  }
  return result;
}

Float3 TransformDirection(const Float3& v, const device::Matrix& m) {
  Float3 result;
  for (size_t j = 0; j < 3; ++j)
    result[j] = v[0] * m[j] + v[1] * m[4 + j] + v[2] * m[8 + j];
  return result;
}

Float3 Transform(const Float3& v, const Matrix3& m) {
  Float3 result;
  for (size_t j = 0; j < 3; ++j)
    result[j] = v[0] * m[j] + v[1] * m[3 + j] + v[2] * m[6 + j];
  return result;
}

Matrix3 NormalMatrix(const device::Matrix& world, const device::Matrix& view) {
  // Unspecified: precision of the product; chosen: binary64 like the inverse.
  const Matrix64 m = Multiply(world, view);
  double determinant = m[0] * Cofactor(m, 0, 0);
  for (size_t j = 1; j < 4; ++j)
    determinant = determinant + m[j] * Cofactor(m, 0, j);
  Matrix3 result;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      // Element (i, j) of the transposed inverse is cofactor (i, j) / determinant.
      result[3 * i + j] =
          static_cast<float>(determinant == 0 ? m[4 * i + j] : Cofactor(m, i, j) / determinant);
    }
  }
  return result;
}

uint32_t ElementIndex(const device::VertexLayout& layout, DeclUsage usage, uint32_t usage_index) {
  const device::VertexElement* element = layout.Find(usage, usage_index);
  if (element == nullptr) return kNoElement;
  return static_cast<uint32_t>(std::min<ptrdiff_t>(element - layout.elements.data(), kNoElement));
}

VertexPlacement::VertexPlacement(const device::State& state, const device::VertexLayout& layout,
                                 bool needs_normals)
    : state_(&state),
      position_(ElementIndex(layout, DeclUsage::Position)),
      position2_(ElementIndex(layout, DeclUsage::Position, 1)),
      normal_(ElementIndex(layout, DeclUsage::Normal)),
      normal2_(ElementIndex(layout, DeclUsage::Normal, 1)),
      weights_(ElementIndex(layout, DeclUsage::BlendWeight)),
      indices_(ElementIndex(layout, DeclUsage::BlendIndices)),
      indices_are_color_(IsColor(layout, indices_)),
      normalizes_(state.value(RenderState::NormalizeNormals) != 0) {
  const uint32_t blend = state.value(RenderState::VertexBlend);
  is_tweened_ = blend == d3d::Value(VertexBlend::Tweening);
  const bool has_weights = blend >= 1 && blend <= 3;
  if (has_weights) matrix_count_ = blend + 1;
  // Unspecified: INDEXEDVERTEXBLENDENABLE without VERTEXBLEND; chosen: no blending, matrix 0.
  is_indexed_ = state.value(RenderState::IndexedVertexBlendEnable) != 0 && indices_ != kNoElement &&
                (has_weights || blend == d3d::Value(VertexBlend::Weights0));
  if (needs_normals && normal_ != kNoElement) PrepareNormalMatrices();
}

void VertexPlacement::PrepareNormalMatrices() {
  const uint32_t count = is_indexed_ ? kWorldMatrixCount : matrix_count_;
  for (uint32_t i = 0; i < count; ++i) {
    normal_matrices_.push_back(
        NormalMatrix(World(i), state_->transform(d3d::TransformState::View)));
  }
}

const device::Matrix& VertexPlacement::World(uint32_t index) const {
  return state_->transforms[d3d::Value(d3d::TransformState::WorldMatrix0) + index];
}

// Index 0 is the lowest byte of the element: x of UBYTE4, blue of D3DCOLOR.
uint32_t VertexPlacement::MatrixIndex(const Float4& indices, uint32_t i) const {
  constexpr std::array<size_t, 4> kColorOrder = {2, 1, 0, 3};
  const double index =
      indices_are_color_ ? double{indices[kColorOrder[i]]} * 255.0 + 0.5 : double{indices[i]};
  return static_cast<uint32_t>(std::clamp<int64_t>(FloorToInt(index), 0, kWorldMatrixCount - 1));
}

VertexPlacement::Weights VertexPlacement::WeightsOf(const VertexInput& input) const {
  Weights result;
  float sum = 0;
  for (uint32_t i = 0; i < matrix_count_; ++i) {
    const bool is_last = i + 1 == matrix_count_;
    const float given = weights_ == kNoElement || is_last ? 0.0F : input.values[weights_][i];
    result.weight[i] = is_last ? 1.0F - sum : given;
    result.matrix[i] = is_indexed_ ? MatrixIndex(input.values[indices_], i) : i;
    sum = sum + given;
  }
  return result;
}

Float4 VertexPlacement::ModelPosition(const VertexInput& input) const {
  const Float4 position = position_ == kNoElement ? kMissing : input.values[position_];
  if (!is_tweened_ || position2_ == kNoElement) return position;
  return Tween(position, input.values[position2_], state_->real(RenderState::TweenFactor));
}

Float3 VertexPlacement::ModelNormal(const VertexInput& input) const {
  if (!is_tweened_ || normal2_ == kNoElement) return FirstThree(input.values[normal_]);
  return FirstThree(
      Tween(input.values[normal_], input.values[normal2_], state_->real(RenderState::TweenFactor)));
}

Float4 VertexPlacement::BlendPosition(const Float4& position, const Weights& weights) const {
  if (matrix_count_ == 1) return Transform(position, World(weights.matrix[0]));
  Float4 sum = {};
  for (uint32_t i = 0; i < matrix_count_; ++i) {
    const Float4 part = Transform(position, World(weights.matrix[i]));
    for (size_t c = 0; c < 4; ++c) {
      sum[c] = i == 0 ? weights.weight[i] * part[c] : sum[c] + weights.weight[i] * part[c];
    }
  }
  return sum;
}

Float3 VertexPlacement::BlendNormal(const Float3& normal, const Weights& weights) const {
  if (matrix_count_ == 1) return Transform(normal, normal_matrices_[weights.matrix[0]]);
  Float3 sum = {};
  for (uint32_t i = 0; i < matrix_count_; ++i) {
    const Float3 part = Transform(normal, normal_matrices_[weights.matrix[i]]);
    for (size_t c = 0; c < 3; ++c) {
      sum[c] = i == 0 ? weights.weight[i] * part[c] : sum[c] + weights.weight[i] * part[c];
    }
  }
  return sum;
}

PlacedVertex VertexPlacement::Apply(const VertexInput& input) const {
  const Weights weights = WeightsOf(input);
  PlacedVertex result;
  result.world = BlendPosition(ModelPosition(input), weights);
  result.eye = Transform(result.world, state_->transform(d3d::TransformState::View));
  if (!normal_matrices_.empty()) {
    result.normal = BlendNormal(ModelNormal(input), weights);
    if (normalizes_) result.normal = Normalize(result.normal);
  }
  return result;
}

}  // namespace dp2trace::raster
