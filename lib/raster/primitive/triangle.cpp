#include "raster/primitive/triangle.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace dp2trace::raster {
namespace {

constexpr int64_t kHalfPixel = kSubpixels / 2;

class TriangleDrawer {
 public:
  TriangleDrawer(const RasterState& state, const TriangleVertices& vertices,
                 const std::array<FixedPoint, 3>& points, PixelOutput& output)
      : state_(&state),
        geometry_(points),
        attributes_(state, vertices, geometry_),
        depth_(state.depth, vertices, geometry_),
        output_(&output) {
    std::array<FixedPoint, 3> p = points;
    fragment_.quad.is_front = Area2(p[0], p[1], p[2]) > 0;
    if (!fragment_.quad.is_front) std::swap(p[1], p[2]);
    edges_ = {Edge(p[0], p[1]), Edge(p[1], p[2]), Edge(p[2], p[0])};
    fragment_.alpha_scale.fill(1.0F);
    SetBounds(points);
  }

  void Draw() {
    if (bounds_.empty()) return;
    const auto left = static_cast<int32_t>(bounds_.left);
    const auto top = static_cast<int32_t>(bounds_.top);
    const auto blocks = static_cast<uint64_t>((bounds_.right - left) / kBlockSize + 1);
    for (int32_t y = top & ~(kBlockSize - 1); y < bounds_.bottom; y += kBlockSize) {
      if (!output_->Spend(blocks)) return;
      for (int32_t x = left & ~(kBlockSize - 1); x < bounds_.right; x += kBlockSize) {
        if (BlockMayBeCovered(x, y)) DrawBlock(x, y);
      }
    }
  }

 private:
  // Pixels whose centre or samples may lie inside, in the clip rectangle.
  void SetBounds(const std::array<FixedPoint, 3>& p) {
    const auto [min_x, max_x] = std::minmax({p[0].x, p[1].x, p[2].x});
    const auto [min_y, max_y] = std::minmax({p[0].y, p[1].y, p[2].y});
    bounds_ = Intersect(
        state_->clip,
        {FloorDiv(min_x - kHalfPixel, kSubpixels), FloorDiv(min_y - kHalfPixel, kSubpixels),
         CeilDiv(max_x + kHalfPixel, kSubpixels) + 1, CeilDiv(max_y + kHalfPixel, kSubpixels) + 1});
  }

  bool BlockMayBeCovered(int32_t x, int32_t y) const {
    const int64_t left = x * kSubpixels - kHalfPixel;
    const int64_t top = y * kSubpixels - kHalfPixel;
    const int64_t extent = kBlockSize * kSubpixels;
    return std::ranges::all_of(edges_, [&](const Edge& edge) {
      return edge.MayCover(left, top, left + extent, top + extent);
    });
  }

  void DrawBlock(int32_t x, int32_t y) {
    attributes_.MoveTo(x, y);
    depth_.MoveTo(x, y);
    block_x_ = x;
    block_y_ = y;
    for (int32_t dy = 0; dy < kBlockSize; dy += 2) {
      for (int32_t dx = 0; dx < kBlockSize; dx += 2) {
        DrawQuad(dx, dy);
      }
    }
  }

  // (dx, dy) is the offset of the quad in the block.
  void DrawQuad(int32_t dx, int32_t dy) {
    fragment_.quad.x = block_x_ + dx;
    fragment_.quad.y = block_y_ + dy;
    fragment_.quad.covered = 0;
    for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
      const int32_t x = dx + static_cast<int32_t>(lane & 1U);
      const int32_t y = dy + static_cast<int32_t>(lane >> 1U);
      if (!bounds_.Contains(block_x_ + x, block_y_ + y)) continue;
      fragment_.samples[lane] = CoverLane(lane, x, y);
      if (fragment_.samples[lane] != 0) fragment_.quad.covered |= 1U << lane;
    }
    if (fragment_.quad.covered == 0) return;
    attributes_.Evaluate(dx, dy, fragment_);
    if (state_->centroid_mask != 0) MoveToCentroids(dx, dy);
    output_->Draw(fragment_);
  }

  // Centroid inputs of pixels whose centre is outside are those of the first covered sample. Source: lib/raster/rendering-geometry.md 1.10.
  // Unspecified: helper pixels, and inputs that share a slot with a centroid one; chosen: at the centre, and as centroid ones.
  void MoveToCentroids(int32_t dx, int32_t dy) {
    const auto& offsets = SampleOffsets(state_->sample_count);
    for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
      const int32_t x = dx + static_cast<int32_t>(lane & 1U);
      const int32_t y = dy + static_cast<int32_t>(lane >> 1U);
      const bool is_drawn = (fragment_.quad.covered >> lane & 1U) != 0;
      if (!is_drawn || Covers((block_x_ + x) * kSubpixels, (block_y_ + y) * kSubpixels)) continue;
      const SampleOffset& offset =
          offsets[static_cast<size_t>(std::countr_zero(fragment_.samples[lane]))];
      attributes_.EvaluateSlots(
          state_->centroid_mask, lane, static_cast<float>(x) + static_cast<float>(offset.x) / 16.0F,
          static_cast<float>(y) + static_cast<float>(offset.y) / 16.0F, fragment_);
    }
  }

  // The samples of the pixel that are covered and not clipped by z; sets their depth.
  uint32_t CoverLane(uint32_t lane, int32_t x, int32_t y) {
    const auto& offsets = SampleOffsets(state_->is_per_sample ? state_->sample_count : 1);
    const uint32_t count = state_->is_per_sample ? state_->sample_count : 1;
    uint32_t covered = 0;
    for (uint32_t sample = 0; sample < count; ++sample) {
      const SampleOffset& offset = offsets[sample];
      if (!Covers((block_x_ + x) * kSubpixels + offset.x * (kSubpixels / 16),
                  (block_y_ + y) * kSubpixels + offset.y * (kSubpixels / 16))) {
        continue;
      }
      if (state_->depth.format != nullptr) {
        const std::optional<uint32_t> depth = depth_.At(x + offset.x / 16.0, y + offset.y / 16.0);
        if (!depth) continue;
        fragment_.depth[lane][sample] = *depth;
      }
      covered |= 1U << sample;
    }
    if (state_->is_per_sample || covered == 0) return covered;
    fragment_.depth[lane].fill(fragment_.depth[lane][0]);  // the centre stands for every sample
    return state_->all_samples();
  }

  bool Covers(int64_t x, int64_t y) const {
    return std::ranges::all_of(edges_, [&](const Edge& edge) { return edge.Covers(x, y); });
  }

  const RasterState* state_;
  TriangleGeometry geometry_;
  AttributePlanes attributes_;
  DepthPlane depth_;
  PixelOutput* output_;
  std::array<Edge, 3> edges_;
  PixelRect bounds_;
  int32_t block_x_ = 0, block_y_ = 0;
  FragmentQuad fragment_;
};

}  // namespace

void DrawTriangle(const RasterState& state, const TriangleVertices& vertices,
                  const std::array<FixedPoint, 3>& points, PixelOutput& output) {
  TriangleDrawer(state, vertices, points, output).Draw();
}

}  // namespace dp2trace::raster
