#include "raster/primitive/line.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

#include "raster/primitive/line_walk.h"
#include "raster/primitive/planes.h"

namespace dp2trace::raster {
namespace {

class LineDrawer {
 public:
  LineDrawer(const RasterState& state, const ScreenVertex& a, const ScreenVertex& b,
             const LineStyle& style, const LineWalk& walk, PixelOutput& output)
      : state_(state),
        a_(a),
        b_(b),
        style_(style),
        walk_(walk),
        output_(output),
        is_affine_(std::bit_cast<uint32_t>(a.rhw) == std::bit_cast<uint32_t>(b.rhw)) {
    fragment_.quad.is_front = style.is_front;
  }

  void Draw() {
    if (!output_.Spend(static_cast<uint64_t>(std::abs(walk_.last() - walk_.first()) + 3))) return;
    walk_.ForEach(style_.draws_last, [&](int64_t m, int64_t n) {
      if (PassesPattern()) DrawPixel(m, n, 1.0F);
    });
  }

  // A rectangle of width 1 around the segment. Source: lib/raster/rendering-geometry.md 1.4, last paragraph. Unspecified: patterns; chosen: solid.
  void DrawAntialiased() {
    if (walk_.dm == 0) return;
    const LineRectangle rectangle(walk_);
    const auto [low, high] = std::minmax({walk_.first(), walk_.last()});
    if (!output_.Spend(static_cast<uint64_t>(high - low + 3))) return;
    for (int64_t m = low - 1; m <= high + 1; ++m) {
      const int64_t n = walk_.Across(m);
      // The rectangle reaches at most 0.71 pixels across, and 0.5 more in a column of pixels.
      for (int64_t side = n - 2; side <= n + 2; ++side) {
        const uint32_t covered = rectangle.CoverageOf(walk_.X(m, side), walk_.Y(m, side));
        if (covered != 0) DrawPixel(m, side, static_cast<float>(covered) / 16.0F);
      }
    }
  }

 private:
  bool PassesPattern() {
    if (style_.pattern_pixel == nullptr) return true;
    const uint32_t pixel = (*style_.pattern_pixel)++;
    return (state_.line_pattern >> (pixel / state_.line_repeat & 15U) & 1U) != 0;
  }

  // Helper lanes take the parameter of their own column, so that derivatives along the line are those of the attributes.
  void DrawPixel(int64_t m, int64_t n, float alpha_scale) {
    const int64_t x = walk_.X(m, n);
    const int64_t y = walk_.Y(m, n);
    if (!state_.clip.Contains(x, y)) return;
    const float t = walk_.Parameter(m);
    const auto z = MixAlong(double{a_.z}, double{b_.z}, double{t});
    const auto rhw = MixAlong(double{a_.rhw}, double{b_.rhw}, double{t});
    const std::optional<uint32_t> depth = DepthOf(state_.depth, z, rhw, style_.bias);
    if (!depth) return;
    Quad& quad = fragment_.quad;
    quad.x = static_cast<int32_t>(x & ~int64_t{1});
    quad.y = static_cast<int32_t>(y & ~int64_t{1});
    const uint32_t lane = static_cast<uint32_t>(x & 1) | static_cast<uint32_t>(y & 1) << 1U;
    quad.covered = 1U << lane;
    for (uint32_t i = 0; i < kLaneCount; ++i) {
      const int64_t column =
          walk_.is_x_major ? int64_t{quad.x} + (i & 1U) : int64_t{quad.y} + (i >> 1U);
      SetVaryings(i, walk_.Parameter(column));
    }
    fragment_.alpha_scale[lane] = alpha_scale;
    fragment_.samples[lane] = state_.all_samples();
    fragment_.depth[lane].fill(*depth);
    output_.Draw(fragment_);
  }

  float Attribute(float a, float b, float t, float w, bool is_perspective) const {
    return LineAttribute(a, b, a_.rhw, b_.rhw, t, w, is_perspective && !is_affine_);
  }

  void SetVaryings(uint32_t lane, float t) {
    const VertexOutputs& outputs = state_.outputs;
    const float w = 1.0F / MixAlong(a_.rhw, b_.rhw, t);
    for (uint32_t slot = 0; slot < kVaryingCount; ++slot) {
      if ((outputs.varying_mask >> slot & 1U) == 0) continue;
      const bool is_perspective = (outputs.perspective_mask >> slot & 1U) != 0;
      for (size_t i = 0; i < 4; ++i) {
        fragment_.quad.varyings[slot][lane][i] =
            Attribute(a_.varyings[slot][i], b_.varyings[slot][i], t, w, is_perspective);
      }
    }
    switch (state_.fog) {
      case FogSource::kNone:
        break;
      case FogSource::kFactor:
        fragment_.fog[lane] = Attribute(a_.fog, b_.fog, t, w, true);
        break;
      case FogSource::kZ:
        fragment_.fog[lane] = Attribute(a_.z, b_.z, t, w, false);
        break;
      case FogSource::kW:
        fragment_.fog[lane] = w;
        break;
    }
    ClampColors(outputs, fragment_.quad, lane);
  }

  const RasterState& state_;
  const ScreenVertex& a_;
  const ScreenVertex& b_;
  const LineStyle& style_;
  const LineWalk& walk_;
  PixelOutput& output_;
  bool is_affine_;
  FragmentQuad fragment_;
};

}  // namespace

void DrawLine(const RasterState& state, const ScreenVertex& a, const ScreenVertex& b,
              const LineStyle& style, PixelOutput& output) {
  const std::optional<FixedPoint> start = Snap(a);
  const std::optional<FixedPoint> end = Snap(b);
  if (!start || !end) return;
  const LineWalk walk(*start, *end);
  LineDrawer drawer(state, a, b, style, walk, output);
  if (style.is_antialiased) {
    drawer.DrawAntialiased();
  } else {
    drawer.Draw();
  }
}

}  // namespace dp2trace::raster
