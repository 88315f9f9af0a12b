#include "raster/draw_plan.h"

#include "raster/shader/linkage.h"

namespace dp2trace::raster {
namespace {

// ps_3_0. Source: lib/raster/rendering-geometry.md 2.7.
constexpr uint32_t kFirstVersionWithoutFog = 0x30;

}  // namespace

ShaderPair ShadersOf(const device::Context& context, const device::Draw& draw) {
  return {.vertex = VertexProgramOf(context, draw), .pixel = PixelProgramOf(context)};
}

std::optional<DrawPlan> MakeDrawPlan(const device::Context& context, const device::Draw& draw,
                                     const ShaderPair& shaders, const VertexOutputs& outputs,
                                     const PlanOptions& options) {
  DrawPlan plan = {.outputs = outputs,
                   .viewport = ViewportMappingOf(context),
                   .raster = {},
                   .output = {},
                   .stages = nullptr,
                   .pixel_shader = nullptr,
                   .surfaces = SurfacesOf(context)};
  plan.output = MakeOutputState(context.state, plan.surfaces, outputs,
                                draw.type >= d3d::PrimitiveType::TriangleList);
  if (plan.output.clip.empty() && !options.keeps_empty) return std::nullopt;
  if (shaders.pixel != nullptr) {
    if (shaders.pixel->version.code() >= kFirstVersionWithoutFog) plan.output.fog = {};
    plan.pixel_shader = std::make_shared<const PixelShaderPlan>(context, shaders.pixel, outputs);
  } else {
    plan.stages = std::make_shared<const TextureStages>(MakeTextureStages(context, outputs));
  }
  plan.is_flat =
      context.state.value(d3d::RenderState::ShadeMode) == d3d::Value(d3d::ShadeMode::Flat);
  plan.raster = MakeRasterState(
      context.state, plan.output, outputs,
      {.clips_transformed_z = options.clips_transformed_z,
       .is_line_list = draw.type == d3d::PrimitiveType::LineList,
       .centroid_mask = shaders.pixel != nullptr ? CentroidSlots(*shaders.pixel) : 0});
  return plan;
}

std::vector<const Sampler*> SamplersOf(const DrawPlan& plan) {
  std::vector<const Sampler*> samplers;
  const auto add = [&](const Sampler* sampler) {
    if (sampler != nullptr) samplers.push_back(sampler);
  };
  if (plan.pixel_shader != nullptr) {
    for (uint32_t number = 0; number < d3d::kPixelSamplerCount; ++number)
      add(plan.pixel_shader->textures.sampler(number));
  } else {
    for (const StagePlan& stage : plan.stages->stages)
      add(stage.sampler.get());
  }
  return samplers;
}

std::unique_ptr<PixelProgram> MakePixelProgram(const DrawPlan& plan) {
  return plan.pixel_shader != nullptr ? MakePixelShader(plan.pixel_shader)
                                      : MakeFixedFunctionStages(plan.stages);
}

}  // namespace dp2trace::raster
