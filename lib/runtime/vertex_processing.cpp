#include "runtime/vertex_processing.h"

#include <algorithm>
#include <bit>

#include "base/transcendental.h"
#include "image/rounding.h"

namespace dp2trace::runtime {
namespace {

using d3d::FogMode;
using d3d::RenderState;
using d3d::TexcoordGeneration;
using d3d::TextureStageState;
using d3d::TransformState;
using Matrix64 = std::array<double, 16>;

constexpr uint32_t kWorldMatrixCount = 256;

Matrix64 Multiply64(const Float4x4& a, const Float4x4& b) {
  Matrix64 product = {};
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 4; ++j) {
      for (size_t k = 0; k < 4; ++k)
        product[4 * i + j] = product[4 * i + j] + double{a[4 * i + k]} * double{b[4 * k + j]};
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

// A D3DCOLOR of red, green, blue, alpha in 0..1, rounded to the nearest.
uint32_t ColorTo(const Float4& color) {
  const auto channel = [](float value) { return image::ToUnorm(value, 8); };
  return channel(color[3]) << 24 | channel(color[0]) << 16 | channel(color[1]) << 8 |
         channel(color[2]);
}

Float3 Reflection(const Float3& position, const Float3& normal, bool is_local_viewer) {
  const Float3 e = is_local_viewer ? Normalize(Negate(position)) : Float3{0, 0, -1};
  const float twice = 2.0F * Dot(e, normal);
  return {twice * normal[0] - e[0], twice * normal[1] - e[1], twice * normal[2] - e[2]};
}

Float4 SphereMap(const Float3& r) {
  const float z = r[2] - 1.0F;
  const float m = 2.0F * std::sqrt(r[0] * r[0] + r[1] * r[1] + z * z);
  if (m == 0) return {0.5F, 0.5F, 0, 1};
  return {r[0] / m + 0.5F, r[1] / m + 0.5F, 0, 1};
}

bool IsEquation(uint32_t mode) {
  return mode >= d3d::Value(FogMode::Exp) && mode <= d3d::Value(FogMode::Linear);
}

void StoreFloats(uint8_t* out, const Float4& value, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    dp2trace::Store(out + size_t{4} * i, value[i]);
}

}  // namespace

Float4x4 NormalMatrix(const Float4x4& world, const Float4x4& view) {
  const Matrix64 m = Multiply64(world, view);
  double determinant = 0;
  for (size_t j = 0; j < 4; ++j)
    determinant = determinant + m[j] * Cofactor(m, 0, j);
  Float4x4 result = {};
  if (determinant == 0) return result;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j)
      result[4 * i + j] = static_cast<float>(Cofactor(m, i, j) / determinant);
  }
  return result;
}

bool VertexProcessing::IsPossible(const VertexState& state, uint32_t dest_fvf) {
  return d3d::DecodeFvf(dest_fvf).position == d3d::PositionKind::kXyzRhw &&
         state.render_state(RenderState::VertexBlend) != d3d::Value(d3d::VertexBlend::Tweening);
}

VertexProcessing::VertexProcessing(const VertexState& state, const VertexProcessingOptions& options)
    : state_(&state),
      options_(options),
      layout_(d3d::DecodeFvf(options.dest_fvf)),
      lighting_(state),
      view_(state.transform(d3d::Value(TransformState::View))),
      projection_(state.transform(d3d::Value(TransformState::Projection))) {
  const uint32_t blend = state.render_state(RenderState::VertexBlend);
  const bool has_weights = blend >= 1 && blend <= 3;
  if (has_weights) matrix_count_ = blend + 1;
  is_indexed_ = state.render_state(RenderState::IndexedVertexBlendEnable) != 0 && blend != 0;
  for (uint32_t i = 0; i < (is_indexed_ ? kWorldMatrixCount : matrix_count_); ++i) {
    worlds_.push_back(state.transform(d3d::Value(TransformState::WorldMatrix0) + i));
    normal_matrices_.push_back(NormalMatrix(worlds_.back(), view_));
  }
  normalizes_ = state.render_state(RenderState::NormalizeNormals) != 0;
  // Unspecified: ProcessVertices while fog comes from a table; chosen: no vertex fog, as in a draw.
  has_fog_ = state.render_state(RenderState::FogEnable) != 0 &&
             IsEquation(state.render_state(RenderState::FogVertexMode)) &&
             !IsEquation(state.render_state(RenderState::FogTableMode));
  for (uint32_t i = 0; i < stages_.size(); ++i) {
    const uint32_t index = state.stage_state(i, TextureStageState::TexcoordIndex);
    const uint32_t count = state.stage_state(i, TextureStageState::TextureTransformFlags) &
                           d3d::kTextureTransformCountMask;
    stages_[i].generation = index >> d3d::kTexcoordGenerationShift;
    if (count >= 2 && count <= 4) stages_[i].count = count;
    if (stages_[i].count != 0)
      stages_[i].matrix = state.transform(d3d::Value(TransformState::Texture0) + i);
  }
}

const Float4x4& VertexProcessing::World(const SourceVertex& vertex, uint32_t i) const {
  return worlds_[is_indexed_ ? vertex.matrix_indices[i] : i];
}

VertexProcessing::Placed VertexProcessing::Place(const SourceVertex& vertex) const {
  Placed result;
  Float4 world = {};
  float rest = 1;
  const Float3 model_normal = vertex.normal.value_or(Float3{});
  for (uint32_t i = 0; i < matrix_count_; ++i) {
    const float weight = i + 1 == matrix_count_ ? rest : vertex.weights[i];
    rest = rest - weight;
    const Float4 part = Transform(vertex.position, World(vertex, i));
    const Float3 normal = TransformDirection(
        model_normal, normal_matrices_[is_indexed_ ? vertex.matrix_indices[i] : i]);
    for (size_t c = 0; c < 4; ++c)
      world[c] = world[c] + weight * part[c];
    for (size_t c = 0; c < 3; ++c)
      result.normal[c] = result.normal[c] + weight * normal[c];
  }
  if (normalizes_) result.normal = Normalize(result.normal);
  result.eye = Transform(world, view_);
  return result;
}

Float4 VertexProcessing::Screen(const Float4& eye) const {
  const Float4 clip = Transform(eye, projection_);
  const std::array<uint32_t, 6>& viewport = state_->viewport;
  const float rhw = 1.0F / clip[3];
  const float half_width = static_cast<float>(viewport[2]) * 0.5F;
  const float half_height = static_cast<float>(viewport[3]) * 0.5F;
  const float near = std::bit_cast<float>(viewport[4]);
  const float far = std::bit_cast<float>(viewport[5]);
  return {static_cast<float>(viewport[0]) + (1 + clip[0] * rhw) * half_width,
          static_cast<float>(viewport[1]) + (1 - clip[1] * rhw) * half_height,
          near + clip[2] * rhw * (far - near), rhw};
}

float VertexProcessing::FogFactor(const Float4& eye) const {
  constexpr double kMinusLog2E = -1.4426950408889634;
  const auto real = [&](RenderState state) {
    return std::bit_cast<float>(state_->render_state(state));
  };
  const bool is_range = state_->render_state(RenderState::RangeFogEnable) != 0;
  const float distance =
      is_range ? std::sqrt(Dot(FirstThree(eye), FirstThree(eye))) : std::fabs(eye[2]);
  const uint32_t mode = state_->render_state(RenderState::FogVertexMode);
  if (mode == d3d::Value(FogMode::Linear)) {
    const float start = real(RenderState::FogStart), end = real(RenderState::FogEnd);
    return start == end ? 0.0F : image::Saturate((end - distance) / (end - start));
  }
  const float a = real(RenderState::FogDensity) * distance;
  const float exponent = mode == d3d::Value(FogMode::Exp2) ? a * a : a;
  return image::Saturate(Exp2D(double{exponent} * kMinusLog2E));
}

VertexProcessing::Coordinates VertexProcessing::CoordinatesOf(const SourceVertex& vertex,
                                                              const Placed& placed,
                                                              uint32_t stage) const {
  const Stage& settings = stages_[stage];
  const SourceVertex::Coordinates& given = vertex.coordinates[stage];
  const bool is_local_viewer = state_->render_state(RenderState::LocalViewer) != 0;
  const Float3 position = FirstThree(placed.eye);
  const auto vector = [](const Float3& v) { return Coordinates{{v[0], v[1], v[2], 1}, 3, false}; };
  Coordinates result{given.value, given.count, true};
  switch (static_cast<TexcoordGeneration>(settings.generation)) {
    case TexcoordGeneration::PassThru:
      break;
    case TexcoordGeneration::CameraSpaceNormal:
      result = vector(placed.normal);
      break;
    case TexcoordGeneration::CameraSpacePosition:
      result = vector(position);
      break;
    case TexcoordGeneration::CameraSpaceReflectionVector:
      result = vector(Reflection(position, placed.normal, is_local_viewer));
      break;
    case TexcoordGeneration::SphereMap:
      result = {SphereMap(Reflection(position, placed.normal, is_local_viewer)), 2, false};
      break;
  }
  if (settings.count == 0 || result.count == 0) return result;
  // 1 behind the last component that is there, then 0.
  for (uint32_t i = result.count; i < 4; ++i)
    result.value[i] = i == result.count ? 1.0F : 0.0F;
  return {Transform(result.value, settings.matrix), settings.count, false};
}

void VertexProcessing::WriteColors(const SourceVertex& vertex, const Placed& placed,
                                   uint8_t* out) const {
  LitColors colors;
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
    dp2trace::Store(out + layout_.diffuse, ColorTo(colors.diffuse));
  if (layout_.specular != d3d::FvfLayout::kAbsent && (has_colors || has_fog_))
    dp2trace::Store(out + layout_.specular, ColorTo(colors.specular));
}

void VertexProcessing::Process(const SourceVertex& vertex, uint8_t* out) const {
  const Placed placed = Place(vertex);
  StoreFloats(out, Screen(placed.eye), 4);
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
