// Lines and point sprites of a tile: pixels one by one, packed and shaded together. Source: lib/raster/rendering-geometry.md 1.3 and 1.4.
#include <algorithm>
#include <bit>

#include "fast/tile/painter.h"
#include "fast/tile/quads.h"

namespace dp2trace::fast {

void Painter::DrawLine(const QueuedTriangle& queued) {
  const VertexRecord& a = corners_->vertex(queued.corners[0]);
  const VertexRecord& b = corners_->vertex(queued.corners[1]);
  const LineRecord& line = corners_->line(queued.corners[2]);
  const raster::LineWalk walk({a.fixed_x, a.fixed_y}, {b.fixed_x, b.fixed_y});
  const PixelBounds& limit = batch_rule_.bounds;
  const int64_t low = walk.is_x_major ? limit.left : limit.top;
  const int64_t high = (walk.is_x_major ? limit.right : limit.bottom) - 1;
  const bool draws_last = (line.flags & LineRecord::kDrawsLast) != 0;
  if ((line.flags & LineRecord::kPatterned) != 0) {
    const raster::RasterState& state = draw_->plan.raster;
    uint32_t number = line.pattern_pixel;
    walk.ForEach(draws_last, [&](int64_t m, int64_t n) {
      const uint32_t bit = number++ / state.line_repeat & 15U;
      if ((state.line_pattern >> bit & 1U) != 0) AddLinePixel(walk, queued, m, n, 1.0F);
    });
  } else if ((line.flags & LineRecord::kAntialiased) == 0) {
    const auto add = [&](int64_t m, int64_t n) { AddLinePixel(walk, queued, m, n, 1.0F); };
    walk.ForEach(draws_last, add, low, high);
  } else if (walk.dm != 0) {
    const raster::LineRectangle rectangle(walk);
    const auto [first, last] = std::minmax({walk.first(), walk.last()});
    for (int64_t m = std::max(first - 1, low); m <= std::min(last + 1, high); ++m) {
      const int64_t n = walk.Across(m);
      for (int64_t side = n - 2; side <= n + 2; ++side) {
        const uint32_t covered = rectangle.CoverageOf(walk.X(m, side), walk.Y(m, side));
        if (covered != 0) AddLinePixel(walk, queued, m, side, static_cast<float>(covered) / 16.0F);
      }
    }
  }
}

void Painter::AddLinePixel(const raster::LineWalk& walk, const QueuedTriangle& queued, int64_t m,
                           int64_t n, float alpha_scale) {
  const int64_t wide_x = walk.X(m, n);
  const int64_t wide_y = walk.Y(m, n);
  const PixelBounds& limit = batch_rule_.bounds;
  const bool is_inside =
      wide_x >= limit.left && wide_x < limit.right && wide_y >= limit.top && wide_y < limit.bottom;
  if (!is_inside) return;
  const VertexRecord& a = corners_->vertex(queued.corners[0]);
  const VertexRecord& b = corners_->vertex(queued.corners[1]);
  const LineRecord& line = corners_->line(queued.corners[2]);
  std::optional<uint32_t> depth = 0;
  if (draw_->quantizes) {
    const auto t = double{walk.Parameter(m)};
    const double z = raster::MixAlong(double{a.z}, double{b.z}, t);
    const double rhw = raster::MixAlong(double{a.components()[0]}, double{b.components()[0]}, t);
    depth = raster::DepthOf(draw_->plan.raster.depth, z, rhw, line.bias);
    if (!depth) return;
  }
  const auto x = static_cast<int32_t>(wide_x);
  const auto y = static_cast<int32_t>(wide_y);
  const uint32_t in_quad = static_cast<uint32_t>(x & 1) | static_cast<uint32_t>(y & 1) << 1U;
  AddQuad({.x = x & ~1,
           .y = y & ~1,
           .covered = 1U << in_quad,
           .is_front = (queued.flags & QueuedTriangle::kBack) == 0,
           .triangle = nullptr},
          1U << in_quad);
  const uint32_t number = quad_count_ - 1;
  pack_depth_.depth[FirstLane(number) + (in_quad & 1U) + 8 * (in_quad >> 1U)] = *depth;
  const int64_t column = m & ~int64_t{1};
  lines_[number] = {.a = a.components(),
                    .b = b.components(),
                    .t = {walk.Parameter(column), walk.Parameter(column + 1)},
                    .is_x_major = walk.is_x_major,
                    .alpha_scale = alpha_scale};
}

// Lanes take the parameter of their own column, whether they are covered or not.
void Painter::LoadLines() {
  const auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  for (uint32_t i = 0; i < quad_count_; ++i) {
    const LineQuad& line = lines_[i];
    const bool is_affine = bits(line.a[0]) == bits(line.b[0]);
    const size_t first = FirstLane(i);
    for (size_t k = 0; k < 2; ++k) {
      const size_t lane = first + (line.is_x_major ? k : 8 * k);
      const size_t other = lane + (line.is_x_major ? 8 : 1);
      const float t = line.t[k];
      const float w = 1.0F / raster::MixAlong(line.a[0], line.b[0], t);
      reciprocal_.lanes[lane] = reciprocal_.lanes[other] = w;
      for (size_t c = 1; c <= draw_->components.size(); ++c) {
        const PixelInput& input = draw_->components[c - 1];
        const bool is_perspective = !is_affine && (draw_->perspective >> c & 1U) != 0;
        float value =
            raster::LineAttribute(line.a[c], line.b[c], line.a[0], line.b[0], t, w, is_perspective);
        if (input.is_clamped) value = raster::Saturate(value);
        Block& to = registers_[input.to];
        to.lanes[lane] = to.lanes[other] = value;
      }
    }
  }
}

// Coverage of antialiased lines, before the tests.
void Painter::ScaleAlpha() {
  const uint32_t to = draw_->code->program.register_count;
  Block& scaled = registers_[to];
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const size_t quad = lane / 16 * 4 + lane % 8 / 2;
    const float scale = quad < quad_count_ ? lines_[quad].alpha_scale : 1.0F;
    scaled.lanes[lane] = LaneOf(draw_->code->colors[0][3], frame_, lane) * scale;
  }
  first_colors_[3] = Operand::Register(to);
}

void Painter::SetSprite() {
  const float left = sprite_->x - sprite_->size * 0.5F;
  const float top = sprite_->y - sprite_->size * 0.5F;
  for (const PixelInput& input : draw_->components) {
    const bool is_coordinate = input.slot >= raster::kTexcoordSlot &&
                               input.slot < raster::kTexcoordSlot + d3d::kCombinerStageCount;
    if (!is_coordinate) continue;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const LanePixel pixel = PixelOf(lane);
      const std::array<float, 4> values = {(static_cast<float>(pixel.x) - left) / sprite_->size,
                                           (static_cast<float>(pixel.y) - top) / sprite_->size,
                                           0.0F, 1.0F};
      registers_[input.to].lanes[lane] = values[input.component];
    }
  }
}

}  // namespace dp2trace::fast
