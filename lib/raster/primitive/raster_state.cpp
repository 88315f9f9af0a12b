#include "raster/primitive/raster_state.h"

#include <algorithm>

#include "image/depth.h"

namespace dp2trace::raster {
namespace {

using d3d::RenderState;

bool IsFloatDepth(const d3d::FormatInfo& info) {
  const d3d::Channel* channel = info.FindChannel('Z');
  return channel != nullptr && channel->type == d3d::ChannelType::kFloat;
}

// Unspecified: the unit of a float buffer; chosen: as if its bits were an integer's, so at least 2^-16.
double ZBiasUnit(uint32_t bits) {
  constexpr double kSmallest = 1.0 / 65536.0;
  if (bits == 0) return kSmallest;
  return Max(kSmallest, 1.0 / static_cast<double>((uint64_t{1} << bits) - 1));
}

DepthRule MakeDepthRule(const device::State& state, const DepthStencilPlan& plan,
                        bool clips_transformed_z) {
  DepthRule rule;
  if (!plan.tests_depth) return rule;
  const uint32_t bits = image::DepthBits(*plan.format);
  rule.format = plan.format;
  rule.is_float = IsFloatDepth(*plan.format);
  if (!rule.is_float) rule.scale = static_cast<double>((uint64_t{1} << bits) - 1);
  rule.uses_w = state.value(RenderState::ZEnable) == d3d::Value(d3d::ZBufferType::UseW);
  rule.w_near = double{state.w_near};
  rule.w_far = double{state.w_far};
  rule.clips_z = clips_transformed_z;
  rule.depth_bias = double{state.real(RenderState::DepthBias)};
  rule.slope_bias = double{state.real(RenderState::SlopeScaleDepthBias)};
  const uint32_t steps = std::min(state.value(RenderState::ZBias), 16U);
  rule.z_bias = -(static_cast<double>(steps) * ZBiasUnit(bits));
  return rule;
}

void SetLines(const device::State& state, const RasterOptions& options, RasterState& raster) {
  raster.draws_last_pixel = state.value(RenderState::LastPixel) != 0;
  raster.line_repeat = state.value(RenderState::LinePattern) & 0xFFFFU;
  raster.line_pattern = state.value(RenderState::LinePattern) >> 16;
  const bool is_wanted = state.value(RenderState::AntialiasedLineEnable) != 0 ||
                         (options.is_line_list && state.value(RenderState::EdgeAntiAlias) != 0);
  raster.has_antialiased_lines =
      is_wanted && raster.sample_count == 1 && raster.fill_mode == d3d::FillMode::Solid;
}

}  // namespace

RasterState MakeRasterState(const device::State& state, const OutputState& output,
                            const VertexOutputs& outputs, const RasterOptions& options) {
  RasterState raster;
  raster.clip = output.clip;
  raster.outputs = outputs;
  raster.fog = output.fog.source;
  raster.depth = MakeDepthRule(state, output.depth_stencil,
                               outputs.is_transformed && options.clips_transformed_z);
  raster.sample_count = output.sample_count;
  raster.is_per_sample =
      output.sample_count > 1 && state.value(RenderState::MultisampleAntialias) != 0;
  if (raster.is_per_sample) raster.centroid_mask = options.centroid_mask;
  const uint32_t fill = state.value(RenderState::FillMode);
  if (fill == d3d::Value(d3d::FillMode::Point)) raster.fill_mode = d3d::FillMode::Point;
  if (fill == d3d::Value(d3d::FillMode::Wireframe)) raster.fill_mode = d3d::FillMode::Wireframe;
  const uint32_t cull = state.value(RenderState::CullMode);
  raster.culls_clockwise = cull == d3d::Value(d3d::CullMode::Cw);
  raster.culls_counter_clockwise = cull == d3d::Value(d3d::CullMode::Ccw);
  raster.has_point_sprites = state.value(RenderState::PointSpriteEnable) != 0;
  SetLines(state, options, raster);
  return raster;
}

std::optional<uint32_t> DepthOf(const DepthRule& rule, double z, double rhw, double bias) {
  if (rule.format == nullptr) return 0;
  if (rule.clips_z && !(z >= 0.0 && z <= 1.0)) return std::nullopt;
  const double value = rule.uses_w ? (1.0 / rhw - rule.w_near) / (rule.w_far - rule.w_near) : z;
  return image::QuantizeDepth(*rule.format, value + bias);
}

}  // namespace dp2trace::raster
