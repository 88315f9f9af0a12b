#include "raster/pixel/depth_stencil.h"

#include <algorithm>

#include "image/depth.h"
#include "raster/pixel/compare.h"
#include "raster/probe/fragment.h"

namespace dp2trace::raster {
namespace {

using d3d::RenderState;

StencilFace FrontFace(const device::State& state) {
  return {state.value(RenderState::StencilFunc), state.value(RenderState::StencilFail),
          state.value(RenderState::StencilZFail), state.value(RenderState::StencilPass)};
}

StencilFace BackFace(const device::State& state) {
  if (state.value(RenderState::TwoSidedStencilMode) == 0) return FrontFace(state);
  return {state.value(RenderState::CcwStencilFunc), state.value(RenderState::CcwStencilFail),
          state.value(RenderState::CcwStencilZFail), state.value(RenderState::CcwStencilPass)};
}

void SetStencil(const device::State& state, DepthStencilPlan& plan) {
  const uint32_t bits = image::StencilBits(*plan.format);
  plan.tests_stencil = bits != 0 && state.value(RenderState::StencilEnable) != 0;
  if (!plan.tests_stencil) return;
  plan.largest = (1U << bits) - 1;  // at most 8 bits
  plan.reference = state.value(RenderState::StencilRef) & plan.largest;
  plan.read_mask = state.value(RenderState::StencilMask) & plan.largest;
  plan.write_mask = state.value(RenderState::StencilWriteMask) & plan.largest;
  plan.front = FrontFace(state);
  plan.back = BackFace(state);
}

}  // namespace

DepthStencilPlan MakeDepthStencilPlan(const device::State& state, const device::SurfaceRef& depth) {
  DepthStencilPlan plan;
  if (!depth || !depth.surface().HasLevel(depth.face, depth.level)) return plan;
  if (!depth.surface().info().is_depth()) return plan;
  plan.level = depth.bits();
  plan.format = &depth.surface().info();
  plan.sample_count = depth.surface().description().samples;
  plan.tests_depth = state.value(RenderState::ZEnable) != 0 && image::DepthBits(*plan.format) != 0;
  plan.writes_depth = plan.tests_depth && state.value(RenderState::ZWriteEnable) != 0;
  plan.depth_function = state.value(RenderState::ZFunc);
  SetStencil(state, plan);
  return plan;
}

uint32_t ApplyStencilOp(uint32_t operation, uint32_t stored, uint32_t reference, uint32_t largest) {
  using d3d::StencilOp;
  switch (static_cast<StencilOp>(operation)) {
    case StencilOp::Keep:
      break;
    case StencilOp::Zero:
      return 0;
    case StencilOp::Replace:
      return reference;
    case StencilOp::IncrSat:
      return std::min(stored + 1, largest);
    case StencilOp::DecrSat:
      return stored == 0 ? 0 : stored - 1;
    case StencilOp::Invert:
      return ~stored & largest;
    case StencilOp::Incr:
      return (stored + 1) & largest;
    case StencilOp::Decr:
      return (stored - 1) & largest;
  }
  return stored;  // Unspecified: an operation without meaning; chosen: KEEP
}

bool TestDepthStencil(const DepthStencilPlan& plan, bool is_front, uint32_t x, uint32_t y,
                      uint32_t sample, uint32_t depth, ProbedDepthStencil* probe) {
  if (!plan.is_used()) return true;
  uint8_t* pixel = plan.level.block(x, y, std::min(sample, plan.sample_count - 1));
  image::DepthStencil value = image::LoadDepthStencil(*plan.format, pixel);
  const StencilFace& face = is_front ? plan.front : plan.back;
  const bool stencil_passes =
      !plan.tests_stencil ||
      Compare(face.function, plan.reference & plan.read_mask, value.stencil & plan.read_mask);
  const bool depth_passes = !plan.tests_depth || Compare(plan.depth_function, depth, value.depth);
  const bool passes = stencil_passes && depth_passes;
  if (probe != nullptr) {
    *probe = {.sample = sample,
              .tests_stencil = plan.tests_stencil,
              .tests_depth = plan.tests_depth,
              .writes_depth = plan.writes_depth,
              .stencil_function = face.function,
              .stencil_reference = plan.reference & plan.read_mask,
              .stencil_stored = value.stencil & plan.read_mask,
              .stencil_before = value.stencil,
              .stencil_after = value.stencil,
              .stencil_operation = 0,
              .stencil_passes = stencil_passes,
              .depth_function = plan.depth_function,
              .depth = depth,
              .depth_stored = value.depth,
              .depth_passes = depth_passes};
  }
  if (plan.tests_stencil) {
    const uint32_t operation =
        !stencil_passes ? face.fail : (depth_passes ? face.pass : face.depth_fail);
    const uint32_t result = ApplyStencilOp(operation, value.stencil, plan.reference, plan.largest);
    value.stencil = (value.stencil & ~plan.write_mask) | (result & plan.write_mask);
    if (probe != nullptr) {
      probe->stencil_operation = operation;
      probe->stencil_after = value.stencil;
    }
  }
  const bool writes_depth = passes && plan.writes_depth;
  if (writes_depth) value.depth = depth;
  if (writes_depth || plan.tests_stencil) {
    image::StoreDepthStencil(*plan.format, value, true, true, pixel);
  }
  return passes;
}

}  // namespace dp2trace::raster
