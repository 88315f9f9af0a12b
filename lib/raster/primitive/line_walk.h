// Which pixels a line draws, and what its attributes are there. Source: lib/raster/rendering-geometry.md 1.3 and 1.4.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "raster/primitive/fixed_point.h"

namespace dp2trace::raster {

// The segment along its major axis: m is the coordinate of a column (row when y-major), n the one across.
struct LineWalk {
  bool is_x_major = true;
  FixedPoint start, end;
  int64_t m0 = 0, n0 = 0, m1 = 0, n1 = 0, dm = 0, dn = 0;

  LineWalk(const FixedPoint& a, const FixedPoint& b) : start(a), end(b) {
    is_x_major = std::abs(b.x - a.x) >= std::abs(b.y - a.y);
    m0 = is_x_major ? a.x : a.y;
    n0 = is_x_major ? a.y : a.x;
    m1 = is_x_major ? b.x : b.y;
    n1 = is_x_major ? b.y : b.x;
    dm = m1 - m0;
    dn = n1 - n0;
  }

  bool is_forward() const { return dm >= 0; }
  int64_t first() const { return FloorDiv(m0 + kSubpixels / 2, kSubpixels); }
  int64_t last() const { return FloorDiv(m1 + kSubpixels / 2, kSubpixels); }

  // The pixel across, where the line passes the centre of column m: ceil(n - 1/2), exact. |products| < 2^60.
  int64_t Across(int64_t m) const {
    if (dm == 0) return CeilDiv(n0 - kSubpixels / 2, kSubpixels);
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
    const int64_t distance = std::abs(dx) + std::abs(dy);
    if (distance != kSubpixels / 2) return distance < kSubpixels / 2;
    return dy > 0 || (!is_x_major && dy == 0 && dx > 0);
  }

  // Diamond exit: the line enters or starts before the centre and leaves the diamond. A line without length has no exit.
  bool Draws(int64_t m, int64_t n, bool draws_last) const {
    if (dm == 0) return draws_last && InDiamond(end, m, n);
    const int64_t centre = kSubpixels * m;
    const bool starts_before = is_forward() ? m0 <= centre : m0 >= centre;
    if (!starts_before && !InDiamond(start, m, n)) return false;
    if (InDiamond(end, m, n)) return draws_last;
    return is_forward() ? m1 >= centre : m1 <= centre;
  }

  // Calls function(m, n) for the pixels that are drawn, from the start on; only columns of [low, high] where the limits are given.
  template <class Function>
  void ForEach(bool draws_last, const Function& function, int64_t low = INT64_MIN,
               int64_t high = INT64_MAX) const {
    const int64_t reach = dm == 0 ? 0 : 1;
    const int64_t least = std::max(std::min(first(), last()) - reach, low);
    const int64_t greatest = std::min(std::max(first(), last()) + reach, high);
    for (int64_t i = least; i <= greatest; ++i) {
      const int64_t m = is_forward() ? i : greatest - (i - least);
      const int64_t n = Across(m);
      if (Draws(m, n, draws_last)) function(m, n);
    }
  }
};

// Of an antialiased line: a rectangle of width 1 around the segment, whose length is not 0.
class LineRectangle {
 public:
  explicit LineRectangle(const LineWalk& walk) {
    const auto dx = static_cast<double>(walk.end.x - walk.start.x);
    const auto dy = static_cast<double>(walk.end.y - walk.start.y);
    const double length = std::sqrt(dx * dx + dy * dy);
    const int64_t side_x = RoundToInt(-dy / length * 128.0);
    const int64_t side_y = RoundToInt(dx / length * 128.0);
    const FixedPoint corners[4] = {{walk.start.x - side_x, walk.start.y - side_y},
                                   {walk.end.x - side_x, walk.end.y - side_y},
                                   {walk.end.x + side_x, walk.end.y + side_y},
                                   {walk.start.x + side_x, walk.start.y + side_y}};
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

 private:
  std::array<Edge, 4> edges_;
};

// At parameter t from a to b.
template <class T>
T MixAlong(T a, T b, T t) {
  using Bytes = std::array<uint8_t, sizeof(T)>;
  return std::bit_cast<Bytes>(a) == std::bit_cast<Bytes>(b) ? a : a + t * (b - a);
}

// The three cases of 1.3 along the line; `w` is 1 / rhw at t.
inline float LineAttribute(float a, float b, float rhw_a, float rhw_b, float t, float w,
                           bool is_perspective) {
  if (!is_perspective) return MixAlong(a, b, t);
  if (std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b)) return a;
  return MixAlong(a * rhw_a, b * rhw_b, t) * w;
}

}  // namespace dp2trace::raster
