#include "runtime/core/vertex_processing.h"

#include <algorithm>
#include <bit>

#include "base/rounding.h"
#include "vertex/blending.h"
#include "vertex/normal_matrix.h"
#include "vertex/texgen.h"

namespace dp2trace::runtime {
namespace {

using d3d::RenderState;
using d3d::TexcoordGeneration;
using d3d::TextureStageState;
using d3d::TransformState;
using vertex::FirstThree;
using vertex::Matrix;

vertex::Lighting LightingOf(const VertexState& state) {
  return vertex::Lighting(
      {.ambient = vertex::FromColor(state.render_state(RenderState::Ambient)),
       .has_specular = state.render_state(RenderState::SpecularEnable) != 0,
       .is_local_viewer = state.render_state(RenderState::LocalViewer) != 0,
       .uses_vertex_colors = state.render_state(RenderState::ColorVertex) != 0,
       .diffuse_source = state.render_state(RenderState::DiffuseMaterialSource),
       .specular_source = state.render_state(RenderState::SpecularMaterialSource),
       .ambient_source = state.render_state(RenderState::AmbientMaterialSource),
       .emissive_source = state.render_state(RenderState::EmissiveMaterialSource)},
      state.material, state.lights, state.transform(d3d::Value(TransformState::WorldMatrix0)),
      state.transform(d3d::Value(TransformState::View)));
}

vertex::FogEquation FogEquationOf(const VertexState& state) {
  const auto real = [&](RenderState number) {
    return std::bit_cast<float>(state.render_state(number));
  };
  return {.mode = state.render_state(RenderState::FogVertexMode),
          .start = real(RenderState::FogStart),
          .end = real(RenderState::FogEnd),
          .density = real(RenderState::FogDensity)};
}

bool IsGenerated(TexcoordGeneration mode) {
  return mode > TexcoordGeneration::PassThru && mode <= TexcoordGeneration::SphereMap;
}

Float3 TweenNormal(const Float3& a, const Float3& b, float factor) {
  const auto widen = [](const Float3& v) { return Float4{v[0], v[1], v[2], 0}; };
  return FirstThree(vertex::Tween(widen(a), widen(b), factor));
}

}  // namespace

uint32_t PackColor(const Float4& color) {
  const auto channel = [](float value) { return ToUnorm(value, 8); };
  return channel(color[3]) << 24 | channel(color[0]) << 16 | channel(color[1]) << 8 |
         channel(color[2]);
}

void StoreFloats(uint8_t* out, const Float4& value, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    dp2trace::Store(out + size_t{4} * i, value[i]);
}

bool VertexProcessing::IsPossible(uint32_t dest_fvf) {
  return d3d::DecodeFvf(dest_fvf).position == d3d::PositionKind::kXyzRhw;
}

VertexProcessing::VertexProcessing(const VertexState& state, const VertexProcessingOptions& options)
    : state_(&state),
      options_(options),
      layout_(d3d::DecodeFvf(options.dest_fvf)),
      lighting_(LightingOf(state)),
      viewport_(state.viewport, vertex::DepthRange::kAsGiven),
      fog_(FogEquationOf(state)),
      view_(state.transform(d3d::Value(TransformState::View))),
      projection_(state.transform(d3d::Value(TransformState::Projection))) {
  const uint32_t blend = state.render_state(RenderState::VertexBlend);
  const bool has_weights = blend >= 1 && blend <= 3;
  if (has_weights) matrix_count_ = blend + 1;
  is_tweened_ = blend == d3d::Value(d3d::VertexBlend::Tweening);
  tween_factor_ = std::bit_cast<float>(state.render_state(RenderState::TweenFactor));
  is_indexed_ =
      !is_tweened_ && state.render_state(RenderState::IndexedVertexBlendEnable) != 0 && blend != 0;
  for (uint32_t i = 0; i < (is_indexed_ ? vertex::kWorldMatrixCount : matrix_count_); ++i) {
    worlds_.push_back(state.transform(d3d::Value(TransformState::WorldMatrix0) + i));
    normal_matrices_.push_back(
        vertex::NormalMatrix(worlds_.back(), view_, vertex::NormalRule::kProcessVertices));
  }
  normalizes_ = state.render_state(RenderState::NormalizeNormals) != 0;
  // Unspecified: ProcessVertices while fog comes from a table; chosen: no vertex fog, as in a draw.
  has_fog_ = state.render_state(RenderState::FogEnable) != 0 && vertex::IsFogEquation(fog_.mode) &&
             !vertex::IsFogEquation(state.render_state(RenderState::FogTableMode));
  for (uint32_t i = 0; i < stages_.size(); ++i) {
    const uint32_t index = state.stage_state(i, TextureStageState::TexcoordIndex);
    stages_[i].generation = index >> d3d::kTexcoordGenerationShift;
    stages_[i].count =
        vertex::TransformCount(state.stage_state(i, TextureStageState::TextureTransformFlags));
    if (stages_[i].count != 0)
      stages_[i].matrix = state.transform(d3d::Value(TransformState::Texture0) + i);
  }
}

VertexProcessing::Placed VertexProcessing::Place(const SourceVertex& source) const {
  vertex::BlendWeights weights = vertex::CompleteWeights(source.weights, matrix_count_);
  for (uint32_t i = 0; is_indexed_ && i < matrix_count_; ++i)
    weights.matrix[i] = source.matrix_indices[i];
  Placed result;
  Float4 position = source.position;
  Float3 normal = source.normal.value_or(Float3{});
  if (is_tweened_ && source.second_position)
    position = vertex::Tween(position, *source.second_position, tween_factor_);
  if (is_tweened_ && source.second_normal)
    normal = TweenNormal(normal, *source.second_normal, tween_factor_);
  position[3] = 1;  // also where the vertices have a w
  const Float4 world = vertex::BlendPosition(position, weights, worlds_);
  result.eye = vertex::Transform(world, view_);
  result.normal = vertex::BlendNormal(normal, weights, normal_matrices_);
  if (normalizes_) result.normal = vertex::Normalize(result.normal);
  return result;
}

float VertexProcessing::FogFactor(const Float4& eye) const {
  const bool is_range = state_->render_state(RenderState::RangeFogEnable) != 0;
  return vertex::FogFactor(fog_, vertex::VertexFogDistance(FirstThree(eye), is_range),
                           vertex::EqualFogLimits::kFullyFogged);
}

VertexProcessing::Coordinates VertexProcessing::CoordinatesOf(const SourceVertex& vertex,
                                                              const Placed& placed,
                                                              uint32_t stage) const {
  const Stage& settings = stages_[stage];
  const SourceVertex::Coordinates& given = vertex.coordinates[stage];
  const bool is_local_viewer = state_->render_state(RenderState::LocalViewer) != 0;
  Coordinates result{given.value, given.count, true};
  const auto mode = static_cast<TexcoordGeneration>(settings.generation);
  if (IsGenerated(mode)) {
    result = {
        vertex::GenerateCoordinates(mode, FirstThree(placed.eye), placed.normal, is_local_viewer),
        mode == TexcoordGeneration::SphereMap ? 2U : 3U, false};
  }
  if (settings.count == 0 || result.count == 0) return result;
  return {vertex::Transform(vertex::PadCoordinates(result.value, result.count), settings.matrix),
          settings.count, false};
}

void VertexProcessing::WriteColors(const SourceVertex& vertex, const Placed& placed,
                                   uint8_t* out) const {
  vertex::VertexColors colors;
  if (options_.is_lit) {
    colors =
        lighting_.Apply(FirstThree(placed.eye), placed.normal, vertex.diffuse, vertex.specular);
  } else {
    colors.diffuse = vertex.diffuse.value_or(colors.diffuse);
    colors.specular = vertex.specular.value_or(colors.specular);
  }
  if (has_fog_) colors.specular[3] = FogFactor(placed.eye);
  const bool has_colors = options_.is_lit || options_.copies_data;
  if (layout_.diffuse != d3d::FvfLayout::kAbsent && has_colors)
    dp2trace::Store(out + layout_.diffuse, PackColor(colors.diffuse));
  if (layout_.specular != d3d::FvfLayout::kAbsent && (has_colors || has_fog_))
    dp2trace::Store(out + layout_.specular, PackColor(colors.specular));
}

void VertexProcessing::Process(const SourceVertex& vertex, uint8_t* out) const {
  const Placed placed = Place(vertex);
  StoreFloats(out, viewport_.Map(vertex::Transform(placed.eye, projection_)), 4);
  WriteColors(vertex, placed, out);
  if (layout_.point_size != d3d::FvfLayout::kAbsent && vertex.point_size && options_.copies_data) {
    dp2trace::Store(out + layout_.point_size, *vertex.point_size);
  }
  // Unspecified: which set a stage's coordinates become; chosen: the set with the stage's number. Components that are not made stay.
  for (uint32_t set = 0; set < layout_.texture_sets.size(); ++set) {
    const d3d::FvfLayout::TextureSet& place = layout_.texture_sets[set];
    if (place.dimension == 0) continue;
    const Coordinates coordinates = CoordinatesOf(vertex, placed, set);
    if (coordinates.is_copy && !options_.copies_data) continue;
    StoreFloats(out + place.offset, coordinates.value,
                std::min(place.dimension, coordinates.count));
  }
}

}  // namespace dp2trace::runtime
