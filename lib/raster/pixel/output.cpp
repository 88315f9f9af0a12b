#include "raster/pixel/output.h"

#include <algorithm>

#include "image/depth.h"
#include "raster/probe/probe.h"

namespace dp2trace::raster {
namespace {

// What the program has made of the lane, and whether it drops it.
void KeepShaded(const QuadColors& shaded, uint32_t lane, ProbedFragment& probed) {
  for (size_t target = 0; target < probed.colors.size(); ++target)
    probed.colors[target] = shaded.colors[target][lane];
  probed.written_targets = shaded.written_targets;
  if ((shaded.killed >> lane & 1U) == 0) return;
  const bool is_keyed = std::ranges::any_of(probed.shading.samples, &ProbedSample::is_killed);
  probed.fate = is_keyed ? Fate::kColorKey : Fate::kTexKill;
}

// The first test that a sample fails, where none passes.
Fate FateOf(const std::vector<ProbedDepthStencil>& tests) {
  if (tests.empty()) return Fate::kSampleMask;
  return tests.front().stencil_passes ? Fate::kDepthTest : Fate::kStencilTest;
}

}  // namespace

ProbedFragment* PixelOutput::Watched(const FragmentQuad& fragment) const {
  const uint32_t lane = probe_->LaneOf(fragment);
  if (lane == kLaneCount) return nullptr;
  if (probe_->is_coverage_only()) {
    probe_->AddCover(fragment);
    return nullptr;
  }
  return probe_->AddFragment(fragment, lane);
}

void PixelOutput::Draw(const FragmentQuad& fragment) {
  if (fragment.quad.covered == 0 || !Spend(kQuadSteps)) return;
  ProbedFragment* const probed = probe_ != nullptr ? Watched(fragment) : nullptr;
  if (probe_ != nullptr && probe_->is_coverage_only()) return;
  const int64_t x = fragment.quad.x;
  const int64_t y = fragment.quad.y;
  touched_ = Around(touched_, {x, y, x + 2, y + 2});
  colors_ = QuadColors{};
  if (probed != nullptr) colors_.probe = &probed->shading;
  program_->Shade(fragment.quad, colors_);
  if (probed != nullptr) KeepShaded(colors_, probed->shading.lane, *probed);
  if (!Spend(colors_.steps)) return;
  const uint32_t alive = fragment.quad.covered & ~colors_.killed;
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    const bool is_probed = probed != nullptr && probed->shading.lane == lane;
    if ((alive >> lane & 1U) != 0) DrawLane(fragment, lane, is_probed ? probed : nullptr);
  }
}

// Source: lib/raster/rendering-output.md 5.3. Observed: a pixel shader's colour above 1 is fogged as it is and clamped when it is stored (a recorded parallax mapping
// scene, bright walls in light fog); lib/raster/rendering-output.md 5.2 clamps it before. Texture stages never exceed 1.
Float4 PixelOutput::Fogged(const FragmentQuad& fragment, uint32_t lane, const Float4& color,
                           ProbedFragment* probed) const {
  if (state_->fog.source == FogSource::kNone) return color;
  const float value = FogValue(state_->fog, fragment.fog[lane]);
  const float factor = FogFactor(state_->fog, value);
  const Float4 fogged = ApplyFog(state_->fog, factor, color);
  if (probed != nullptr) probed->fog = {state_->fog, value, factor, color, fogged};
  return fogged;
}

uint32_t PixelOutput::TestSamples(const FragmentQuad& fragment, uint32_t lane, uint32_t x,
                                  uint32_t y, ProbedFragment* probed) const {
  const DepthStencilPlan& plan = state_->depth_stencil;
  uint32_t covered = fragment.samples[lane] & state_->sample_mask;
  if (state_->covers_by_alpha)
    covered &= SamplesOfAlpha(colors_.colors[0][lane][3], state_->sample_count);
  uint32_t passed = 0;
  for (uint32_t sample = 0; sample < state_->sample_count; ++sample) {
    if ((covered >> sample & 1U) == 0) continue;
    uint32_t depth = fragment.depth[lane][sample];
    if (colors_.writes_depth && plan.format != nullptr) {
      depth = image::QuantizeDepth(*plan.format, double{colors_.depth[lane]});
    }
    ProbedDepthStencil* const test =
        probed != nullptr ? &probed->depth_stencil.emplace_back() : nullptr;
    if (TestDepthStencil(plan, fragment.quad.is_front, x, y, sample, depth, test))
      passed |= 1U << sample;
  }
  if (probed != nullptr && passed == 0) probed->fate = FateOf(probed->depth_stencil);
  return passed;
}

bool PixelOutput::PassesColorTests(uint32_t x, uint32_t y, float alpha,
                                   ProbedFragment* probed) const {
  const bool passes_alpha = PassesAlphaTest(state_->alpha_test, alpha);
  const bool passes = passes_alpha && PassesStipple(state_->stipple, x, y, alpha);
  if (probed == nullptr) return passes;
  probed->alpha_test = {state_->alpha_test.is_enabled, state_->alpha_test.function,
                        state_->alpha_test.reference, TestedAlpha(alpha), passes_alpha};
  if (!passes) probed->fate = passes_alpha ? Fate::kStipple : Fate::kAlphaTest;
  return passes;
}

void PixelOutput::Write(uint32_t x, uint32_t y, uint32_t lane, uint32_t samples,
                        ProbedFragment* probed) {
  for (const TargetWriter& target : state_->targets) {
    if ((colors_.written_targets >> target.slot() & 1U) == 0) continue;
    const Float4& color = colors_.colors[target.slot()][lane];
    for (uint32_t sample = 0; sample < state_->sample_count; ++sample) {
      if ((samples >> sample & 1U) == 0) continue;
      target.Write(x, y, sample, color, colors_.colors[1][lane],
                   probed != nullptr ? &probed->writes.emplace_back() : nullptr);
    }
  }
}

void PixelOutput::DrawLane(const FragmentQuad& fragment, uint32_t lane, ProbedFragment* probed) {
  const auto x = static_cast<uint32_t>(fragment.quad.x) + (lane & 1U);
  const auto y = static_cast<uint32_t>(fragment.quad.y) + (lane >> 1U);
  Float4& first = colors_.colors[0][lane];
  first[3] = first[3] * fragment.alpha_scale[lane];
  if (!PassesColorTests(x, y, first[3], probed)) return;
  const uint32_t passed = TestSamples(fragment, lane, x, y, probed);
  if (passed == 0) return;
  ++passed_pixels_;
  first = Fogged(fragment, lane, first, probed);
  if (colors_.limits_colors) first = Saturate(first);
  Write(x, y, lane, passed, probed);
  const auto has_channels = [](const ProbedWrite& write) { return write.write_mask != 0; };
  if (probed != nullptr && !probed->writes.empty() &&
      std::ranges::none_of(probed->writes, has_channels))
    probed->fate = Fate::kWriteMask;
}

}  // namespace dp2trace::raster
