#include "raster/vertex/texgen.h"

#include <cmath>

#include "raster/vertex/fetch.h"

namespace dp2trace::raster {
namespace {

using d3d::TexcoordGeneration;
using d3d::TextureStageState;

constexpr uint32_t kWrapStateCount = 16;
constexpr uint32_t kWrapMask = 0xF;

Float3 Reflection(const Float3& position, const Float3& normal, bool is_local_viewer) {
  const Float3 e =
      is_local_viewer ? Normalize({-position[0], -position[1], -position[2]}) : Float3{0, 0, -1};
  const float twice = 2.0F * Dot(e, normal);
  return {twice * normal[0] - e[0], twice * normal[1] - e[1], twice * normal[2] - e[2]};
}

Float4 SphereMap(const Float3& r) {
  const float z = r[2] - 1.0F;
  const float m = 2.0F * std::sqrt(r[0] * r[0] + r[1] * r[1] + z * z);
  if (m == 0) return {0.5F, 0.5F, 0, 1};
  return {r[0] / m + 0.5F, r[1] / m + 0.5F, 0, 1};
}

}  // namespace

StageCoordinates::StageCoordinates(const device::State& state, const device::VertexLayout& layout,
                                   uint32_t stage)
    : is_local_viewer_(state.value(d3d::RenderState::LocalViewer) != 0) {
  const uint32_t index = state.stage(stage, TextureStageState::TexcoordIndex);
  const uint32_t set = index & d3d::kTexcoordSetMask;
  if (set < kWrapStateCount) wrap_ = state.render[d3d::WrapState(set)] & kWrapMask;
  if (!layout.is_transformed) generation_ = index >> d3d::kTexcoordGenerationShift;
  // Unspecified: generation modes that do not exist; chosen: PASSTHRU.
  if (generation_ > d3d::Value(TexcoordGeneration::SphereMap)) generation_ = 0;
  if (generation_ != 0) {
    component_count_ = 3;
  } else {
    element_ = ElementIndex(layout, d3d::DeclUsage::Texcoord, set);
    if (element_ != kNoElement) component_count_ = ComponentCount(layout.elements[element_].type);
  }
  const uint32_t count = state.stage(stage, TextureStageState::TextureTransformFlags) &
                         d3d::kTextureTransformCountMask;
  if (!layout.is_transformed && count >= 2 && count <= 4) {
    matrix_ = &state.transforms[d3d::Value(d3d::TransformState::Texture0) + stage];
  }
}

bool StageCoordinates::needs_normal() const {
  return generation_ != 0 && generation_ != d3d::Value(TexcoordGeneration::CameraSpacePosition);
}

Float4 StageCoordinates::Generate(const Float3& position, const Float3& normal) const {
  switch (static_cast<TexcoordGeneration>(generation_)) {
    case TexcoordGeneration::CameraSpaceNormal:
      return {normal[0], normal[1], normal[2], 1};
    case TexcoordGeneration::CameraSpacePosition:
      return {position[0], position[1], position[2], 1};
    case TexcoordGeneration::CameraSpaceReflectionVector: {
      const Float3 r = Reflection(position, normal, is_local_viewer_);
      return {r[0], r[1], r[2], 1};
    }
    case TexcoordGeneration::SphereMap:
      return SphereMap(Reflection(position, normal, is_local_viewer_));
    case TexcoordGeneration::PassThru:
      break;
  }
  return {0, 0, 0, 1};
}

// The input of a transform: 1 behind the last given component, then 0.
Float4 StageCoordinates::Padded(const VertexInput& input) const {
  if (element_ == kNoElement) return {};
  Float4 v = input.values[element_];
  for (uint32_t i = component_count_; i < 4; ++i)
    v[i] = i == component_count_ ? 1.0F : 0.0F;
  return v;
}

Float4 StageCoordinates::Apply(const VertexInput& input, const Float3& position,
                               const Float3& normal) const {
  if (generation_ != 0) {
    const Float4 generated = Generate(position, normal);
    return matrix_ != nullptr ? Transform(generated, *matrix_) : generated;
  }
  if (matrix_ != nullptr) return Transform(Padded(input), *matrix_);
  if (element_ == kNoElement) return {0, 0, 0, 1};
  return input.values[element_];
}

}  // namespace dp2trace::raster
