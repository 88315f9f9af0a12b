#include "raster/primitive/line.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "raster/primitive/planes.h"

namespace dp2trace::raster {
namespace {

constexpr int64_t kHalfPixel = kSubpixels / 2;

int64_t Magnitude(int64_t x) {
  return x < 0 ? -x : x;
}

// The segment along its major axis: m is the coordinate of a column (row when y-major), n the one across.
struct Walk {
  bool is_x_major = true;
  FixedPoint start, end;
  int64_t m0 = 0, n0 = 0, m1 = 0, n1 = 0, dm = 0, dn = 0;

  Walk(const FixedPoint& a, const FixedPoint& b) : start(a), end(b) {
    is_x_major = Magnitude(b.x - a.x) >= Magnitude(b.y - a.y);
    m0 = is_x_major ? a.x : a.y;
    n0 = is_x_major ? a.y : a.x;
    m1 = is_x_major ? b.x : b.y;
    n1 = is_x_major ? b.y : b.x;
    dm = m1 - m0;
    dn = n1 - n0;
  }

  bool is_forward() const { return dm >= 0; }
  int64_t first() const { return FloorDiv(m0 + kHalfPixel, kSubpixels); }
  int64_t last() const { return FloorDiv(m1 + kHalfPixel, kSubpixels); }

  // The pixel across, where the line passes the centre of column m: ceil(n - 1/2), exact. |products| < 2^60.
  int64_t Across(int64_t m) const {
    if (dm == 0) return CeilDiv(n0 - kHalfPixel, kSubpixels);
    const int64_t sign = dm < 0 ? -1 : 1;
    const int64_t numerator = sign * (n0 * dm + (kSubpixels * m - m0) * dn);
    const int64_t divisor = sign * dm;
    return CeilDiv(2 * numerator - kSubpixels * divisor, 2 * kSubpixels * divisor);
  }

  // The line parameter at the centre of a column, clamped.
  float Parameter(int64_t m) const {
    if (dm == 0) return 0.0F;
    return Saturate(static_cast<float>(m * kSubpixels - m0) / static_cast<float>(dm));
  }

  int64_t X(int64_t m, int64_t n) const { return is_x_major ? m : n; }
  int64_t Y(int64_t m, int64_t n) const { return is_x_major ? n : m; }

  // In the diamond of the pixel: its inside, the lower edges and the bottom corner; the right corner too when y-major.
  bool InDiamond(const FixedPoint& q, int64_t m, int64_t n) const {
    const int64_t dx = q.x - kSubpixels * X(m, n);
    const int64_t dy = q.y - kSubpixels * Y(m, n);
    const int64_t distance = Magnitude(dx) + Magnitude(dy);
    if (distance != kHalfPixel) return distance < kHalfPixel;
    return dy > 0 || (!is_x_major && dy == 0 && dx > 0);
  }
};

// Diamond exit: the line enters or starts before the centre and leaves the diamond.
bool IsDrawn(const Walk& walk, int64_t m, int64_t n, bool draws_last) {
  const int64_t centre = kSubpixels * m;
  const bool starts_before = walk.is_forward() ? walk.m0 <= centre : walk.m0 >= centre;
  if (!starts_before && !walk.InDiamond(walk.start, m, n)) return false;
  if (walk.InDiamond(walk.end, m, n)) return draws_last;
  return walk.is_forward() ? walk.m1 >= centre : walk.m1 <= centre;
}

class LineDrawer {
 public:
  LineDrawer(const RasterState& state, const ScreenVertex& a, const ScreenVertex& b,
             const LineStyle& style, const Walk& walk, PixelOutput& output)
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
    if (walk_.dm == 0) return DrawDot();
    const int64_t step = walk_.is_forward() ? 1 : -1;
    const int64_t end = walk_.last() + 2 * step;
    if (!output_.Spend(static_cast<uint64_t>(Magnitude(end - walk_.first()) + 1))) return;
    for (int64_t m = walk_.first() - step; m != end; m += step) {
      const int64_t n = walk_.Across(m);
      if (!IsDrawn(walk_, m, n, style_.draws_last)) continue;
      if (PassesPattern()) DrawPixel(m, n, 1.0F);
    }
  }

  // A rectangle of width 1 around the segment. Source: 1.4, last paragraph. Unspecified: patterns; chosen: solid.
  void DrawAntialiased() {
    if (walk_.dm == 0) return;
    SetRectangle();
    const auto [low, high] = std::minmax({walk_.first(), walk_.last()});
    if (!output_.Spend(static_cast<uint64_t>(high - low + 3))) return;
    for (int64_t m = low - 1; m <= high + 1; ++m) {
      const int64_t n = walk_.Across(m);
      // The rectangle reaches at most 0.71 pixels across, and 0.5 more in a column of pixels.
      for (int64_t side = n - 2; side <= n + 2; ++side) {
        const uint32_t covered = CoverageOf(walk_.X(m, side), walk_.Y(m, side));
        if (covered != 0) DrawPixel(m, side, static_cast<float>(covered) / 16.0F);
      }
    }
  }

 private:
  void DrawDot() {
    const int64_t m = walk_.first();
    const int64_t n = walk_.Across(m);
    if (!style_.draws_last || !walk_.InDiamond(walk_.end, m, n)) return;
    if (PassesPattern()) DrawPixel(m, n, 1.0F);
  }

  bool PassesPattern() {
    if (style_.pattern_pixel == nullptr) return true;
    const uint32_t pixel = (*style_.pattern_pixel)++;
    return (state_.line_pattern >> (pixel / state_.line_repeat & 15U) & 1U) != 0;
  }

  void SetRectangle() {
    const auto dx = static_cast<double>(walk_.end.x - walk_.start.x);
    const auto dy = static_cast<double>(walk_.end.y - walk_.start.y);
    const double length = std::sqrt(dx * dx + dy * dy);
    const int64_t side_x = RoundToInt(-dy / length * 128.0);
    const int64_t side_y = RoundToInt(dx / length * 128.0);
    const FixedPoint corners[4] = {{walk_.start.x - side_x, walk_.start.y - side_y},
                                   {walk_.end.x - side_x, walk_.end.y - side_y},
                                   {walk_.end.x + side_x, walk_.end.y + side_y},
                                   {walk_.start.x + side_x, walk_.start.y + side_y}};
    for (size_t i = 0; i < 4; ++i) {
      edges_[i] = Edge(corners[i], corners[(i + 1) % 4]);
    }
  }

  // Of 16 samples at ((2i - 3) / 8, (2j - 3) / 8) from the centre.
  uint32_t CoverageOf(int64_t x, int64_t y) const {
    uint32_t count = 0;
    for (int64_t j = 0; j < 4; ++j) {
      for (int64_t i = 0; i < 4; ++i) {
        const int64_t sample_x = x * kSubpixels + (2 * i - 3) * 32;
        const int64_t sample_y = y * kSubpixels + (2 * j - 3) * 32;
        const bool is_inside = std::ranges::all_of(
            edges_, [&](const Edge& edge) { return edge.Covers(sample_x, sample_y); });
        count += is_inside ? 1 : 0;
      }
    }
    return count;
  }

  // Helper lanes take the parameter of their own column, so that derivatives along the line are those of the attributes.
  void DrawPixel(int64_t m, int64_t n, float alpha_scale) {
    const int64_t x = walk_.X(m, n);
    const int64_t y = walk_.Y(m, n);
    if (!state_.clip.Contains(x, y)) return;
    const float t = walk_.Parameter(m);
    const auto z = Mix(double{a_.z}, double{b_.z}, double{t});
    const auto rhw = Mix(double{a_.rhw}, double{b_.rhw}, double{t});
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

  template <class T>
  static T Mix(T a, T b, T t) {
    return std::bit_cast<std::array<uint8_t, sizeof(T)>>(a) ==
                   std::bit_cast<std::array<uint8_t, sizeof(T)>>(b)
               ? a
               : a + t * (b - a);
  }

  // The three cases of 1.3 along the line.
  float Attribute(float a, float b, float t, float w, bool is_perspective) const {
    if (std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b)) return a;
    if (is_affine_ || !is_perspective) return a + t * (b - a);
    return Mix(a * a_.rhw, b * b_.rhw, t) * w;
  }

  void SetVaryings(uint32_t lane, float t) {
    const VertexOutputs& outputs = state_.outputs;
    const float w = 1.0F / Mix(a_.rhw, b_.rhw, t);
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
  const Walk& walk_;
  PixelOutput& output_;
  bool is_affine_;
  std::array<Edge, 4> edges_;
  FragmentQuad fragment_;
};

}  // namespace

void DrawLine(const RasterState& state, const ScreenVertex& a, const ScreenVertex& b,
              const LineStyle& style, PixelOutput& output) {
  const std::optional<FixedPoint> start = Snap(a);
  const std::optional<FixedPoint> end = Snap(b);
  if (!start || !end) return;
  const Walk walk(*start, *end);
  LineDrawer drawer(state, a, b, style, walk, output);
  if (style.is_antialiased) {
    drawer.DrawAntialiased();
  } else {
    drawer.Draw();
  }
}

}  // namespace dp2trace::raster
