// Screen positions in 24.8 fixed point, and the sample positions. Source: lib/raster/rendering-geometry.md 1.2 and 1.10.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "raster/math.h"
#include "raster/vertex/vertex.h"

namespace dp2trace::raster {

inline constexpr int64_t kSubpixels = 256;  // of a pixel, along each axis
// Clipping keeps coordinates in [-32767, 32767] pixels. |X| <= 2^23: edge functions of such points stay below 2^50.
inline constexpr int64_t kFixedLimit = int64_t{1} << 23;

struct FixedPoint {
  int64_t x = 0, y = 0;
  bool operator==(const FixedPoint&) const = default;
};

// Nothing where a coordinate is not a number or outside the limit. Unspecified: such a position; chosen: its primitive is not drawn.
inline std::optional<FixedPoint> Snap(const ScreenVertex& vertex) {
  if (vertex.x != vertex.x || vertex.y != vertex.y) return std::nullopt;
  const FixedPoint p = {RoundToInt(double{vertex.x} * 256.0), RoundToInt(double{vertex.y} * 256.0)};
  const auto is_inside = [](int64_t c) { return c >= -kFixedLimit && c <= kFixedLimit; };
  if (!is_inside(p.x) || !is_inside(p.y)) return std::nullopt;
  return p;
}

// Twice the signed area; positive: clockwise on screen.
constexpr int64_t Area2(const FixedPoint& a, const FixedPoint& b, const FixedPoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

// Rounded towards minus and plus infinity; the divisor is positive.
constexpr int64_t FloorDiv(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}
constexpr int64_t CeilDiv(int64_t a, int64_t b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

// One directed edge A -> B of a clockwise polygon; inside is to its right.
class Edge {
 public:
  constexpr Edge() = default;
  constexpr Edge(const FixedPoint& a, const FixedPoint& b)
      : a_(a), dx_(b.x - a.x), dy_(b.y - a.y), is_top_left_((dy_ == 0 && dx_ > 0) || dy_ < 0) {}
  constexpr int64_t At(int64_t x, int64_t y) const { return dx_ * (y - a_.y) - dy_ * (x - a_.x); }
  // The top-left rule.
  constexpr bool Covers(int64_t x, int64_t y) const {
    const int64_t e = At(x, y);
    return e > 0 || (e == 0 && is_top_left_);
  }
  // False where no point of the rectangle (inclusive) can be covered.
  constexpr bool MayCover(int64_t left, int64_t top, int64_t right, int64_t bottom) const {
    return Covers(dy_ > 0 ? left : right, dx_ > 0 ? bottom : top);
  }

 private:
  FixedPoint a_;
  int64_t dx_ = 0, dy_ = 0;
  bool is_top_left_ = false;
};

// From the pixel centre, in 1/16 pixel.
struct SampleOffset {
  int32_t x = 0, y = 0;
};
inline constexpr std::array<SampleOffset, 8> kOneSample = {};
inline constexpr std::array<SampleOffset, 8> kTwoSamples = {{{4, 4}, {-4, -4}}};
inline constexpr std::array<SampleOffset, 8> kFourSamples = {{{-2, -6}, {6, -2}, {-6, 2}, {2, 6}}};
inline constexpr std::array<SampleOffset, 8> kEightSamples = {
    {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}}};
constexpr const std::array<SampleOffset, 8>& SampleOffsets(uint32_t count) {
  if (count <= 1) return kOneSample;
  if (count == 2) return kTwoSamples;
  return count <= 4 ? kFourSamples : kEightSamples;
}

}  // namespace dp2trace::raster
