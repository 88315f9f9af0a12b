#include "raster/vertex/fixed_function.h"

#include <cmath>

#include "raster/vertex/fetch.h"
#include "raster/vertex/point_range.h"
#include "raster/vertex/viewport.h"
#include "vertex/point_size.h"

namespace dp2trace::raster {
namespace {

using d3d::DeclUsage;
using d3d::RenderState;
using d3d::TextureStageState;
using vertex::VertexColors;

// Stages whose coordinates are needed: those before the first COLOROP DISABLE, all of them for a pixel shader.
uint32_t ActiveStageCount(const device::State& state) {
  if (state.pixel_shader != 0) return d3d::kCombinerStageCount;
  uint32_t count = 0;
  while (count < d3d::kCombinerStageCount &&
         state.stage(count, TextureStageState::ColorOp) != d3d::Value(d3d::TextureOp::Disable)) {
    ++count;
  }
  return count;
}

bool StageReadsSpecular(const device::State& state, uint32_t stage) {
  constexpr std::array kArguments = {TextureStageState::ColorArg0, TextureStageState::ColorArg1,
                                     TextureStageState::ColorArg2, TextureStageState::AlphaArg0,
                                     TextureStageState::AlphaArg1, TextureStageState::AlphaArg2};
  for (const TextureStageState argument : kArguments) {
    const uint32_t selector = state.stage(stage, argument) & d3d::kTextureArgSelectMask;
    if (selector == d3d::Value(d3d::TextureArg::Specular)) return true;
  }
  return false;
}

bool UsesSpecular(const device::State& state, uint32_t stage_count) {
  if (state.value(RenderState::SpecularEnable) != 0 || state.pixel_shader != 0) return true;
  for (uint32_t stage = 0; stage < stage_count; ++stage) {
    if (StageReadsSpecular(state, stage)) return true;
  }
  return false;
}

bool NeedsNormals(const std::vector<StageCoordinates>& stages, bool is_lit) {
  for (const StageCoordinates& stage : stages) {
    if (stage.needs_normal()) return true;
  }
  return is_lit;
}

std::vector<StageCoordinates> MakeStages(const device::State& state,
                                         const device::VertexLayout& layout) {
  std::vector<StageCoordinates> stages;
  for (uint32_t stage = 0; stage < ActiveStageCount(state); ++stage)
    stages.emplace_back(state, layout, stage);
  return stages;
}

vertex::Lighting MakeLighting(const device::State& state) {
  std::vector<d3d::Light> enabled;
  for (const auto& [index, light] : state.lights) {
    if (light.is_enabled) enabled.push_back(light);
  }
  return vertex::Lighting({.ambient = FromColor(state.value(RenderState::Ambient)),
                           .has_specular = state.value(RenderState::SpecularEnable) != 0,
                           .is_local_viewer = state.value(RenderState::LocalViewer) != 0,
                           .uses_vertex_colors = state.value(RenderState::ColorVertex) != 0,
                           .diffuse_source = state.value(RenderState::DiffuseMaterialSource),
                           .specular_source = state.value(RenderState::SpecularMaterialSource),
                           .ambient_source = state.value(RenderState::AmbientMaterialSource),
                           .emissive_source = state.value(RenderState::EmissiveMaterialSource)},
                          state.material, enabled,
                          state.transform(d3d::TransformState::WorldMatrix0),
                          state.transform(d3d::TransformState::View));
}

vertex::PointScale PointScaleOf(const device::State& state) {
  return {.a = state.real(RenderState::PointScaleA),
          .b = state.real(RenderState::PointScaleB),
          .c = state.real(RenderState::PointScaleC)};
}

FogFactorSource FactorSourceOf(const VertexFog& fog, bool has_specular) {
  switch (fog.source()) {
    case VertexFog::Source::kElement:
      return FogFactorSource::kElement;
    case VertexFog::Source::kEquation:
      return FogFactorSource::kEquation;
    case VertexFog::Source::kSpecularAlpha:
    case VertexFog::Source::kNone:
      break;
  }
  return has_specular ? FogFactorSource::kSpecularAlpha : FogFactorSource::kNothing;
}

std::optional<Float4> ValueOf(const VertexInput& input, uint32_t element) {
  if (element == kNoElement) return std::nullopt;
  return input.values[element];
}

}  // namespace

FixedFunctionProcessor::FixedFunctionProcessor(const device::Context& context,
                                               const device::Draw& draw)
    : state_(context.state),
      is_transformed_(draw.layout->is_transformed),
      is_lit_(!is_transformed_ && state_.value(RenderState::Lighting) != 0),
      scales_points_(!is_transformed_ && state_.value(RenderState::PointScaleEnable) != 0),
      stages_(MakeStages(state_, *draw.layout)),
      placement_(state_, *draw.layout, NeedsNormals(stages_, is_lit_)),
      lighting_(MakeLighting(state_)),
      fog_(state_, *draw.layout),
      position_(ElementIndex(*draw.layout, DeclUsage::PositionT)),
      diffuse_(ElementIndex(*draw.layout, DeclUsage::Color)),
      specular_(ElementIndex(*draw.layout, DeclUsage::Color, 1)),
      point_size_(ElementIndex(*draw.layout, DeclUsage::PSize)),
      viewport_height_(static_cast<float>(ViewportOf(context).height)) {
  if (position_ == kNoElement) position_ = ElementIndex(*draw.layout, DeclUsage::Position);
  PrepareOutputs();
}

void FixedFunctionProcessor::PrepareOutputs() {
  const auto stage_count = static_cast<uint32_t>(stages_.size());
  outputs_.varying_mask = 1U << kDiffuseSlot;
  if (UsesSpecular(state_, stage_count)) outputs_.varying_mask |= 1U << kSpecularSlot;
  for (uint32_t stage = 0; stage < stage_count; ++stage) {
    outputs_.varying_mask |= 1U << (kTexcoordSlot + stage);
    outputs_.wrap[stage] = stages_[stage].wrap();
    outputs_.texcoord_components[stage] = stages_[stage].component_count();
  }
  outputs_.is_transformed = is_transformed_;
  outputs_.has_point_size = point_size_ != kNoElement;
  outputs_.table_fog_uses_w = TableFogUsesW(state_, !is_transformed_);
  outputs_.fog_factor = FactorSourceOf(fog_, specular_ != kNoElement || is_lit_);
}

Vertex FixedFunctionProcessor::ProcessTransformed(const VertexInput& input) const {
  Vertex result;
  result.position = position_ == kNoElement ? Float4{0, 0, 0, 1} : input.values[position_];
  const Float4 eye = {};
  WriteColors(UnlitColors(input), input, eye, result);
  WriteCoordinates(input, {}, {}, result);
  result.point_size = ClampPointSize(state_, GivenPointSize(input));
  return result;
}

Vertex FixedFunctionProcessor::ProcessUntransformed(const VertexInput& input) const {
  Vertex result;
  const PlacedVertex placed = placement_.Apply(input);
  const Float3 eye = FirstThree(placed.eye);
  WritePlaneDistances(placed.world, result);
  const VertexColors colors =
      is_lit_
          ? lighting_.Apply(eye, placed.normal, ValueOf(input, diffuse_), ValueOf(input, specular_))
          : UnlitColors(input);
  if (is_lit_) result.steps += static_cast<uint32_t>(lighting_.lights().size());
  WriteColors(colors, input, placed.eye, result);
  WriteCoordinates(input, eye, placed.normal, result);
  float size = GivenPointSize(input);
  if (scales_points_) {
    size = vertex::ScalePointSize(PointScaleOf(state_), size, viewport_height_,
                                  std::sqrt(Dot(eye, eye)));
  }
  result.point_size = ClampPointSize(state_, size);
  result.position = Transform(placed.eye, state_.transform(d3d::TransformState::Projection));
  return result;
}

// Unspecified: 2.5 ties the specular colour of unlit vertices to SPECULARENABLE; chosen: passed on always, since the state only
// decides about the addition and a stage argument or pixel shader reads the vertex colour.
VertexColors FixedFunctionProcessor::UnlitColors(const VertexInput& input) const {
  const VertexColors missing;
  return {.diffuse = Saturate(ValueOf(input, diffuse_).value_or(missing.diffuse)),
          .specular = Saturate(ValueOf(input, specular_).value_or(missing.specular))};
}

void FixedFunctionProcessor::WriteColors(const VertexColors& colors, const VertexInput& input,
                                         const Float4& eye, Vertex& out) const {
  out.varyings[kDiffuseSlot] = colors.diffuse;
  out.varyings[kSpecularSlot] = colors.specular;
  out.fog = fog_.Factor(input, eye, colors.specular[3]);
}

void FixedFunctionProcessor::WriteCoordinates(const VertexInput& input, const Float3& eye,
                                              const Float3& normal, Vertex& out) const {
  for (size_t stage = 0; stage < stages_.size(); ++stage) {
    out.varyings[kTexcoordSlot + stage] = stages_[stage].Apply(input, eye, normal);
  }
}

// World space; w counts as 1.
void FixedFunctionProcessor::WritePlaneDistances(const Float4& world, Vertex& out) const {
  const uint32_t enabled = state_.value(RenderState::ClipPlaneEnable);
  const Float4 point = {world[0], world[1], world[2], 1};
  for (uint32_t i = 0; i < kUserPlaneCount; ++i) {
    if ((enabled >> i & 1U) != 0)
      out.plane_distances[i] = Dot4(state_.clip_planes[i].data(), point.data());
  }
}

float FixedFunctionProcessor::GivenPointSize(const VertexInput& input) const {
  return point_size_ == kNoElement ? PointSizeOf(state_) : input.values[point_size_][0];
}

std::unique_ptr<VertexProcessor> MakeFixedFunctionProcessor(const device::Context& context,
                                                            const device::Draw& draw) {
  return std::make_unique<FixedFunctionProcessor>(context, draw);
}

}  // namespace dp2trace::raster
