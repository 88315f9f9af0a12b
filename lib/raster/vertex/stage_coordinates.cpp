#include "raster/vertex/stage_coordinates.h"

#include "raster/vertex/fetch.h"
#include "vertex/texgen.h"

namespace dp2trace::raster {
namespace {

using d3d::TexcoordGeneration;
using d3d::TextureStageState;

constexpr uint32_t kWrapStateCount = 16;
constexpr uint32_t kWrapMask = 0xF;

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
  is_transformed_ = layout.is_transformed;
  if (is_transformed_) return;
  const uint32_t flags = state.stage(stage, TextureStageState::TextureTransformFlags);
  is_projected_ = (flags & d3d::kTextureTransformProjected) != 0;
  kept_count_ = component_count_;
  if (const uint32_t count = vertex::TransformCount(flags); count != 0) {
    kept_count_ = count;
    matrix_ = &state.transforms[d3d::Value(d3d::TransformState::Texture0) + stage];
  }
}

bool StageCoordinates::needs_normal() const {
  return generation_ != 0 && generation_ != d3d::Value(TexcoordGeneration::CameraSpacePosition);
}

Float4 StageCoordinates::Apply(const VertexInput& input, const Float3& position,
                               const Float3& normal) const {
  if (is_transformed_) return element_ == kNoElement ? Float4{0, 0, 0, 1} : input.values[element_];
  Float4 value = {};
  if (generation_ != 0) {
    value = vertex::GenerateCoordinates(static_cast<TexcoordGeneration>(generation_), position,
                                        normal, is_local_viewer_);
  } else if (element_ != kNoElement) {
    value = vertex::PadCoordinates(input.values[element_], component_count_);
  }
  if (matrix_ != nullptr) value = Transform(value, *matrix_);
  for (uint32_t i = kept_count_; i < 4; ++i)
    value[i] = 0;
  if (is_projected_ && kept_count_ != 0) value[3] = value[kept_count_ - 1];
  return value;
}

}  // namespace dp2trace::raster
