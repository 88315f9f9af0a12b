#include "raster/vertex/placement.h"

#include <algorithm>
#include <array>

#include "raster/vertex/fetch.h"
#include "vertex/normal_matrix.h"

namespace dp2trace::raster {
namespace {

using d3d::DeclUsage;
using d3d::RenderState;
using d3d::VertexBlend;

using vertex::kWorldMatrixCount;

constexpr Float4 kMissing = {0, 0, 0, 1};

bool IsColor(const device::VertexLayout& layout, uint32_t element) {
  return element != kNoElement &&
         layout.elements[element].type == d3d::Value(d3d::DeclType::D3dColor);
}

bool HasFourComponents(const device::VertexLayout& layout, uint32_t element) {
  return element != kNoElement && ComponentCount(layout.elements[element].type) == 4;
}

}  // namespace

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
      position_has_w_(HasFourComponents(layout, position_)),
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
        vertex::NormalMatrix(Worlds()[i], state_->transform(d3d::TransformState::View)));
  }
}

std::span<const device::Matrix> VertexPlacement::Worlds() const {
  constexpr size_t kFirst = d3d::Value(d3d::TransformState::WorldMatrix0);
  return std::span(state_->transforms).subspan<kFirst, kWorldMatrixCount>();
}

// Index 0 is the lowest byte of the element: x of UBYTE4, blue of D3DCOLOR.
uint32_t VertexPlacement::MatrixIndex(const Float4& indices, uint32_t i) const {
  constexpr std::array<size_t, 4> kColorOrder = {2, 1, 0, 3};
  const double index =
      indices_are_color_ ? double{indices[kColorOrder[i]]} * 255.0 + 0.5 : double{indices[i]};
  return static_cast<uint32_t>(std::clamp<int64_t>(FloorToInt(index), 0, kWorldMatrixCount - 1));
}

vertex::BlendWeights VertexPlacement::WeightsOf(const VertexInput& input) const {
  const Float4 given = weights_ == kNoElement ? Float4{} : input.values[weights_];
  vertex::BlendWeights result = vertex::CompleteWeights(given, matrix_count_);
  for (uint32_t i = 0; is_indexed_ && i < matrix_count_; ++i)
    result.matrix[i] = MatrixIndex(input.values[indices_], i);
  return result;
}

// w counts as 1, also where the vertices have one.
Float4 VertexPlacement::ModelPosition(const VertexInput& input) const {
  Float4 position = position_ == kNoElement ? kMissing : input.values[position_];
  if (is_tweened_ && position2_ != kNoElement) {
    position =
        vertex::Tween(position, input.values[position2_], state_->real(RenderState::TweenFactor));
  }
  position[3] = 1;
  return position;
}

Float3 VertexPlacement::ModelNormal(const VertexInput& input) const {
  if (!is_tweened_ || normal2_ == kNoElement) return FirstThree(input.values[normal_]);
  return FirstThree(vertex::Tween(input.values[normal_], input.values[normal2_],
                                  state_->real(RenderState::TweenFactor)));
}

PlacedVertex VertexPlacement::Apply(const VertexInput& input) const {
  const vertex::BlendWeights weights = WeightsOf(input);
  PlacedVertex result;
  result.world = vertex::BlendPosition(ModelPosition(input), weights, Worlds());
  result.eye = Transform(result.world, state_->transform(d3d::TransformState::View));
  if (!normal_matrices_.empty()) {
    result.normal = vertex::BlendNormal(ModelNormal(input), weights, normal_matrices_);
    if (normalizes_) result.normal = Normalize(result.normal);
  }
  return result;
}

}  // namespace dp2trace::raster
