// Blocks and quads of targets with several samples. Source: lib/raster/rendering-geometry.md 1.10.
#include <algorithm>
#include <array>

#include "fast/tile/painter.h"
#include "fast/tile/quads.h"

namespace dp2trace::fast {

using raster::Stage;

void Painter::SetSamples(size_t n, const Triangle& t) {
  const auto& offsets = raster::SampleOffsets(draw_->is_per_sample ? draw_->samples : 1);
  const uint32_t count = draw_->is_per_sample ? draw_->samples : 1;
  for (uint32_t sample = 0; sample < count; ++sample) {
    // Seen from a sample, the corners lie where they are from its pixel, less its offset.
    std::array<raster::FixedPoint, 3> points;
    for (size_t i = 0; i < 3; ++i)
      points[i] = {batch_.x[i][n] - 16 * offsets[sample].x,
                   batch_.y[i][n] - 16 * offsets[sample].y};
    sampled_[sample] = t;
    static_cast<Edges&>(sampled_[sample]) = EdgesOf(points, t.is_front != 0);
  }
}

void Painter::DrawSamples(const Triangle& t) {
  const int32_t left = std::max(t.left, tile_x_) & ~(kBlockSize - 1);
  const int32_t top = std::max(t.top, tile_y_) & ~(kBlockSize - 1);
  const int32_t right = std::min(t.right, tile_x_ + kTileSize);
  const int32_t bottom = std::min(t.bottom, tile_y_ + kTileSize);
  for (int32_t y = top; y < bottom; y += kBlockSize) {
    for (int32_t x = left; x < right; x += kBlockSize)
      DrawSampledBlock(t, x, y);
  }
}

void Painter::DrawSampledBlock(const Triangle& t, int32_t x, int32_t y) {
  const auto& offsets = raster::SampleOffsets(draw_->is_per_sample ? draw_->samples : 1);
  const uint32_t own = draw_->is_per_sample ? draw_->samples : 1;
  std::array<uint64_t, raster::kMaxSamples> masks = {};
  uint64_t any = 0;
  for (uint32_t sample = 0; sample < own; ++sample) {
    uint64_t mask = RectangleMask(sampled_[sample], x, y);
    mask &= kernels_->cover(sampled_[sample], x, y);
    if (draw_->quantizes && mask != 0) {
      mask = kernels_->quantize_any(draw_->depth, t, x, y, offsets[sample], mask,
                                    sample_depth_[sample]);
    }
    any |= masks[sample] = mask;
  }
  if (any == 0) return;
  for (uint32_t sample = own; sample < draw_->samples; ++sample) {
    masks[sample] = masks[0];
    sample_depth_[sample] = sample_depth_[0];
  }
  is_pack_ = false;
  block_x_ = x;
  block_y_ = y;
  is_front_ = t.is_front != 0;
  if (draw_->is_early) any = TestSamples(masks);
  if (any == 0) return;
  if (draw_->is_early && CanPack(any))
    return Pack(t, x, y, any, std::span(masks).first(draw_->samples));
  FlushPackOf(x, y);
  is_pack_ = false;
  clock_.Enter(Stage::kShade);
  kernels_->load_block(Components(), t, x, y);
  if (sprite_ != nullptr) SetSprite();
  const uint64_t alive = RunProgram(LanesOfQuads(QuadBits(any)), any);
  clock_.Enter(Stage::kCover);
  if (alive == 0) return;
  for (uint64_t& mask : masks)
    mask &= alive;
  if (!draw_->is_early && TestSamples(masks) == 0) return;
  for (uint32_t sample = 0; sample < draw_->samples; ++sample) {
    if (masks[sample] != 0) StoreColors(masks[sample], sample);
  }
}

uint64_t Painter::TestSamples(std::array<uint64_t, raster::kMaxSamples>& masks) {
  const uint32_t wanted = draw_->plan.output.sample_mask;
  uint64_t any = 0;
  for (uint32_t sample = 0; sample < draw_->samples; ++sample) {
    uint64_t& mask = masks[sample];
    if ((wanted >> sample & 1U) == 0) mask = 0;
    if (mask == 0) continue;
    if (draw_->code->depth) SetShaderDepth(sample_depth_[sample]);
    any |= mask = TestDepth(mask, sample_depth_[sample], sample);
  }
  passed_ += CountOf(any);
  return any;
}

void Painter::DrawSampledSquare(const SquareRecord& square, Triangle& t) {
  const uint32_t count = draw_->is_per_sample ? draw_->samples : 1;
  const auto& offsets = raster::SampleOffsets(count);
  PixelBounds around = {.left = t.left, .top = t.top, .right = t.right, .bottom = t.bottom};
  for (uint32_t sample = 0; sample < count; ++sample) {
    Triangle& seen = sampled_[sample];
    seen = t;
    SetSquare(square, offsets[sample], seen);
    around = {.left = std::min(around.left, seen.left),
              .top = std::min(around.top, seen.top),
              .right = std::max(around.right, seen.right),
              .bottom = std::max(around.bottom, seen.bottom)};
  }
  t.left = around.left;
  t.top = around.top;
  t.right = around.right;
  t.bottom = around.bottom;
  DrawSamples(t);
}

void Painter::StorePackedSamples(uint64_t alive) {
  for (uint32_t sample = 0; sample < draw_->samples; ++sample) {
    uint64_t mask = 0;
    for (uint32_t i = 0; i < quad_count_; ++i) {
      const auto covered = static_cast<uint32_t>(quad_samples_[i] >> (4 * sample) & 15U);
      mask |= SpreadQuad(covered, FirstLane(i));
    }
    mask &= alive;
    if (mask != 0) StoreColors(mask, sample);
  }
}

// A line covers all samples of a pixel.
void Painter::StoreLineSamples(uint64_t mask) {
  std::array<uint64_t, raster::kMaxSamples> masks = {};
  for (uint32_t sample = 0; sample < draw_->samples; ++sample) {
    masks[sample] = mask;
    sample_depth_[sample] = pack_depth_;
  }
  TestSamples(masks);
  for (uint32_t sample = 0; sample < draw_->samples; ++sample) {
    if (masks[sample] != 0) StoreColors(masks[sample], sample);
  }
}

}  // namespace dp2trace::fast
