// The end of the pipeline: quads that a primitive covers are shaded, tested and stored.
// Source: lib/raster/rendering.md 0.6.
#pragma once

#include <array>
#include <cstdint>

#include "base/work_budget.h"
#include "raster/pixel/output_state.h"
#include "raster/pixel/quad.h"

namespace dp2trace::raster {

inline constexpr uint32_t kMaxSamples = 8;

// A quad as a primitive makes it.
struct FragmentQuad {
  Quad quad;
  // Per lane, for covered lanes only:
  std::array<float, kLaneCount> fog = {};          // the number that FogPlan::source names
  std::array<float, kLaneCount> alpha_scale = {};  // coverage of antialiased lines, else 1
  // Bit s: sample s is covered; bit 0 without multisampling.
  std::array<uint32_t, kLaneCount> samples = {};
  std::array<std::array<uint32_t, kMaxSamples>, kLaneCount> depth = {};  // quantised, by sample
};

class Probe;
struct ProbedFragment;

class PixelOutput {
 public:
  // State, program, surfaces, budget and probe outlive the output. Without a budget there is no limit.
  PixelOutput(const OutputState& state, const PixelProgram& program, WorkBudget* work = nullptr,
              Probe* probe = nullptr)
      : state_(&state), program_(&program), work_(work), probe_(probe) {}

  // Draws nothing once the budget is spent.
  void Draw(const FragmentQuad& fragment);

  // Work of a primitive before its quads are drawn. False: the budget is spent, the primitive ends.
  bool Spend(uint64_t steps) { return work_ == nullptr || work_->Spend(steps); }

  // Pixels so far with a sample that passed all tests: the unit of occlusion queries.
  // Unspecified: pixels or samples on multisampled targets; chosen: pixels, as everywhere else.
  uint64_t passed_pixels() const { return passed_pixels_; }
  // Around the quads so far, which may reach over the edges of the surfaces.
  const PixelRect& touched() const { return touched_; }

 private:
  // Each of these reports to `probed`, if set, what it does to the fragment.
  void DrawLane(const FragmentQuad& fragment, uint32_t lane, ProbedFragment* probed);
  bool PassesColorTests(uint32_t x, uint32_t y, float alpha, ProbedFragment* probed) const;
  uint32_t TestSamples(const FragmentQuad& fragment, uint32_t lane, uint32_t x, uint32_t y,
                       ProbedFragment* probed) const;
  Float4 Fogged(const FragmentQuad& fragment, uint32_t lane, const Float4& color,
                ProbedFragment* probed) const;
  void Write(uint32_t x, uint32_t y, uint32_t lane, uint32_t samples, ProbedFragment* probed);
  // The probed fragment of a quad that covers the watched pixel, else null.
  ProbedFragment* Watched(const FragmentQuad& fragment) const;

  const OutputState* state_;
  const PixelProgram* program_;
  WorkBudget* work_;
  Probe* probe_;
  QuadColors colors_ = {};
  uint64_t passed_pixels_ = 0;
  PixelRect touched_;
};

}  // namespace dp2trace::raster
