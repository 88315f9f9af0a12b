#include "raster/pixel/output.h"

#include "image/depth.h"

namespace dp2trace::raster {

void PixelOutput::Draw(const FragmentQuad& fragment) {
  if (fragment.quad.covered == 0 || !Spend(1)) return;
  colors_ = QuadColors{};
  program_->Shade(fragment.quad, colors_);
  if (!Spend(colors_.steps)) return;
  const uint32_t alive = fragment.quad.covered & ~colors_.killed;
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    if ((alive >> lane & 1U) != 0) DrawLane(fragment, lane);
  }
}

// Source: 5.3. Observed: a pixel shader's colour above 1 is fogged as it is and clamped when it is stored (a recorded parallax mapping
// scene, bright walls in light fog); the specification clamps it before. Texture stages never exceed 1.
Float4 PixelOutput::Fogged(const FragmentQuad& fragment, uint32_t lane, const Float4& color) const {
  if (state_->fog.source == FogSource::kNone) return color;
  return ApplyFog(state_->fog, FogFactor(state_->fog, fragment.fog[lane]), color);
}

uint32_t PixelOutput::TestSamples(const FragmentQuad& fragment, uint32_t lane, uint32_t x,
                                  uint32_t y) const {
  const DepthStencilPlan& plan = state_->depth_stencil;
  const uint32_t covered = fragment.samples[lane] & state_->sample_mask;
  uint32_t passed = 0;
  for (uint32_t sample = 0; sample < state_->sample_count; ++sample) {
    if ((covered >> sample & 1U) == 0) continue;
    uint32_t depth = fragment.depth[lane][sample];
    if (colors_.writes_depth && plan.format != nullptr) {
      depth = image::QuantizeDepth(*plan.format, double{colors_.depth[lane]});
    }
    if (TestDepthStencil(plan, fragment.quad.is_front, x, y, sample, depth)) passed |= 1U << sample;
  }
  return passed;
}

void PixelOutput::DrawLane(const FragmentQuad& fragment, uint32_t lane) {
  const auto x = static_cast<uint32_t>(fragment.quad.x) + (lane & 1U);
  const auto y = static_cast<uint32_t>(fragment.quad.y) + (lane >> 1U);
  Float4& first = colors_.colors[0][lane];
  first[3] = first[3] * fragment.alpha_scale[lane];
  if (!PassesAlphaTest(state_->alpha_test, first[3])) return;
  if (!PassesStipple(state_->stipple, x, y, first[3])) return;
  const uint32_t passed = TestSamples(fragment, lane, x, y);
  if (passed == 0) return;
  ++passed_pixels_;
  first = Fogged(fragment, lane, first);
  if (colors_.limits_colors) first = Saturate(first);
  for (const TargetWriter& target : state_->targets) {
    if ((colors_.written_targets >> target.slot() & 1U) == 0) continue;
    const Float4& color = colors_.colors[target.slot()][lane];
    for (uint32_t sample = 0; sample < state_->sample_count; ++sample) {
      if ((passed >> sample & 1U) == 0) continue;
      target.Write(x, y, sample, color, colors_.colors[1][lane]);
    }
  }
}

}  // namespace dp2trace::raster
