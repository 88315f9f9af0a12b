#include "raster/primitive/point.h"

#include <optional>

#include "raster/primitive/planes.h"

namespace dp2trace::raster {
namespace {

// In 1/256 pixel; right and bottom are exclusive.
struct Square {
  int64_t left = 0, top = 0, right = 0, bottom = 0;
  bool Covers(int64_t x, int64_t y) const {
    return x >= left && x < right && y >= top && y < bottom;
  }
};

class PointDrawer {
 public:
  PointDrawer(const RasterState& state, const ScreenVertex& vertex, const Square& square,
              PixelOutput& output)
      : state_(state), vertex_(vertex), square_(square), output_(output) {
    fragment_.alpha_scale.fill(1.0F);
    for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
      for (uint32_t slot = 0; slot < kVaryingCount; ++slot) {
        fragment_.quad.varyings[slot][lane] = vertex.varyings[slot];
      }
      ClampColors(state.outputs, fragment_.quad, lane);
    }
    SetFog();
  }

  void Draw(double bias, bool is_front, bool is_sprite) {
    const std::optional<uint32_t> depth =
        DepthOf(state_.depth, double{vertex_.z}, double{vertex_.rhw}, bias);
    if (!depth) return;
    for (auto& lane : fragment_.depth)
      lane.fill(*depth);
    fragment_.quad.is_front = is_front;
    // Half a pixel more on each side for the samples.
    const PixelRect bounds = Intersect(
        state_.clip,
        {FloorDiv(square_.left, kSubpixels) - 1, FloorDiv(square_.top, kSubpixels) - 1,
         FloorDiv(square_.right, kSubpixels) + 2, FloorDiv(square_.bottom, kSubpixels) + 2});
    for (int64_t y = bounds.top & ~int64_t{1}; y < bounds.bottom; y += 2) {
      if (!output_.Spend(1)) return;
      for (int64_t x = bounds.left & ~int64_t{1}; x < bounds.right; x += 2) {
        DrawQuad(static_cast<int32_t>(x), static_cast<int32_t>(y), is_sprite);
      }
    }
  }

 private:
  void SetFog() {
    switch (state_.fog) {
      case FogSource::kNone:
        return;
      case FogSource::kFactor:
        return fragment_.fog.fill(vertex_.fog);
      case FogSource::kZ:
        return fragment_.fog.fill(vertex_.z);
      case FogSource::kW:
        return fragment_.fog.fill(1.0F / vertex_.rhw);
    }
  }

  void DrawQuad(int32_t x, int32_t y, bool is_sprite) {
    Quad& quad = fragment_.quad;
    quad.x = x;
    quad.y = y;
    quad.covered = 0;
    for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
      const int32_t px = x + static_cast<int32_t>(lane & 1U);
      const int32_t py = y + static_cast<int32_t>(lane >> 1U);
      if (is_sprite) SetSprite(lane, px, py);
      fragment_.samples[lane] = state_.clip.Contains(px, py) ? SamplesOf(px, py) : 0;
      if (fragment_.samples[lane] != 0) quad.covered |= 1U << lane;
    }
    if (quad.covered != 0) output_.Draw(fragment_);
  }

  uint32_t SamplesOf(int64_t x, int64_t y) const {
    if (!state_.is_per_sample) {
      return square_.Covers(x * kSubpixels, y * kSubpixels) ? state_.all_samples() : 0;
    }
    const auto& offsets = SampleOffsets(state_.sample_count);
    uint32_t covered = 0;
    for (uint32_t sample = 0; sample < state_.sample_count; ++sample) {
      if (square_.Covers(x * kSubpixels + offsets[sample].x * 16,
                         y * kSubpixels + offsets[sample].y * 16)) {
        covered |= 1U << sample;
      }
    }
    return covered;
  }

  // Every coordinate set becomes the place in the square.
  void SetSprite(uint32_t lane, int32_t x, int32_t y) {
    const float size = vertex_.point_size;
    const float u = (static_cast<float>(x) - (vertex_.x - size * 0.5F)) / size;
    const float v = (static_cast<float>(y) - (vertex_.y - size * 0.5F)) / size;
    for (uint32_t stage = 0; stage < d3d::kCombinerStageCount; ++stage) {
      fragment_.quad.varyings[kTexcoordSlot + stage][lane] = {u, v, 0.0F, 1.0F};
    }
  }

  const RasterState& state_;
  const ScreenVertex& vertex_;
  Square square_;
  PixelOutput& output_;
  FragmentQuad fragment_;
};

int64_t ToFixed(float x) {
  return RoundToInt(double{x} * 256.0);
}

}  // namespace

void DrawPoint(const RasterState& state, const ScreenVertex& vertex, PixelOutput& output) {
  const float size = vertex.point_size;
  if (!(size > 0.0F) || !Snap(vertex)) return;
  const float half = size * 0.5F;
  const Square square = {ToFixed(vertex.x - half), ToFixed(vertex.y - half),
                         ToFixed(vertex.x + half), ToFixed(vertex.y + half)};
  PointDrawer(state, vertex, square, output)
      .Draw(state.depth.z_bias, true, state.has_point_sprites);
}

void DrawCorner(const RasterState& state, const ScreenVertex& vertex, double bias, bool is_front,
                PixelOutput& output) {
  const std::optional<FixedPoint> p = Snap(vertex);
  if (!p) return;
  constexpr int64_t kHalf = kSubpixels / 2;
  const Square square = {p->x - kHalf, p->y - kHalf, p->x + kHalf, p->y + kHalf};
  PointDrawer(state, vertex, square, output).Draw(bias, is_front, false);
}

}  // namespace dp2trace::raster
