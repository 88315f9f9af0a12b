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
  const uint32_t count = state.stage(stage, TextureStageState::TextureTransformFlags) &
                         d3d::kTextureTransformCountMask;
  if (!layout.is_transformed && vertex::IsTransformCount(count)) {
    matrix_ = &state.transforms[d3d::Value(d3d::TransformState::Texture0) + stage];
  }
}

bool StageCoordinates::needs_normal() const {
  return generation_ != 0 && generation_ != d3d::Value(TexcoordGeneration::CameraSpacePosition);
}

Float4 StageCoordinates::Apply(const VertexInput& input, const Float3& position,
                               const Float3& normal) const {
  if (generation_ != 0) {
    const Float4 generated = vertex::GenerateCoordinates(
        static_cast<TexcoordGeneration>(generation_), position, normal, is_local_viewer_);
    return matrix_ != nullptr ? Transform(generated, *matrix_) : generated;
  }
  if (element_ == kNoElement)
    return matrix_ != nullptr ? Transform(Float4{}, *matrix_) : Float4{0, 0, 0, 1};
  const Float4& given = input.values[element_];
  return matrix_ != nullptr ? Transform(vertex::PadCoordinates(given, component_count_), *matrix_)
                            : given;
}

}  // namespace dp2trace::raster
