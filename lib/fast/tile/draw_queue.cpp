#include "fast/tile/draw_queue.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstdlib>

namespace dp2trace::fast {
namespace {

constexpr uint32_t kNoRun = 0xFFFFFFFF;

// False where the tile with this corner lies outside of an edge, with half a pixel around it where samples are looked at.
bool MayTouch(const Edges& t, bool is_sampled, int64_t x, int64_t y) {
  for (size_t i = 0; i < 3; ++i) {
    const int64_t reach =
        is_sampled ? (std::abs(int64_t{t.dx[i]}) + std::abs(int64_t{t.dy[i]})) / 2 + 1 : 0;
    if (RangeOfEdge(t, i, x, y, kTileSize).greatest + reach < 0) return false;
  }
  return true;
}

// False where the straight line passes the tile, which is the given one of a row, at some distance.
bool MayTouchLine(const VertexRecord& a, const VertexRecord& b, int32_t x, int32_t y) {
  constexpr int64_t kTile = int64_t{kTileSize} * 256;
  constexpr int64_t kReach = kTile / 2 + int64_t{4} * 256;  // from the middle
  const int64_t dx = int64_t{b.fixed_x} - a.fixed_x;
  const int64_t dy = int64_t{b.fixed_y} - a.fixed_y;
  const int64_t across =
      dx * (y * kTile + kTile / 2 - a.fixed_y) - dy * (x * kTile + kTile / 2 - a.fixed_x);
  return std::abs(across) <= (std::abs(dx) + std::abs(dy)) * kReach;
}

}  // namespace

void DrawQueue::SetExtent(uint32_t width, uint32_t height) {
  columns_ = (width + kTileSize - 1) / kTileSize;
  rows_ = (height + kTileSize - 1) / kTileSize;
  if (bins_.size() < tile_count()) bins_.resize(tile_count());
  bin_runs_.assign(bins_.size(), kNoRun);
}

void DrawQueue::Clear() {
  runs_.clear();
  clears_.clear();
  triangles_.clear();
  corners_.Rollback(0);
  entry_count_ = 0;
  for (std::vector<uint32_t>& bin : bins_)
    bin.clear();
  std::ranges::fill(bin_runs_, kNoRun);
}

void DrawQueue::Rollback(const Mark& mark) {
  for (uint32_t tile = 0; tile < tile_count(); ++tile) {
    std::vector<uint32_t>& bin = bins_[tile];
    const size_t size = bin.size();
    // Triangles ascend. The mark of a run of draws goes with the last triangle after it.
    const auto goes = [&](uint32_t entry) {
      if ((entry & kRunBit) != 0) return runs_[entry & ~kRunBit].clear == nullptr;
      return entry >= mark.triangles;
    };
    while (!bin.empty() && goes(bin.back()))
      bin.pop_back();
    if (bin.size() == size) continue;
    entry_count_ -= size - bin.size();
    bin_runs_[tile] = kNoRun;
  }
  while (runs_.size() > mark.runs)
    runs_.pop_back();
  triangles_.resize(mark.triangles);
  corners_.Rollback(mark.corners);
}

void DrawQueue::Add(const std::shared_ptr<const QueuedDraw>& draw) {
  if (runs_.empty() || runs_.back().draw != draw) runs_.emplace_back(draw);
}

void DrawQueue::Append(uint32_t tile, uint32_t entry) {
  const auto run = static_cast<uint32_t>(runs_.size() - 1);
  if (bin_runs_[tile] != run) {
    bins_[tile].push_back(run | kRunBit);
    bin_runs_[tile] = run;
    ++entry_count_;
  }
  bins_[tile].push_back(entry);
  ++entry_count_;
}

template <class Visit>
void DrawQueue::ForTiles(const PixelBounds& bounds, const Visit& visit) const {
  const int32_t last_x = (bounds.right - 1) / kTileSize;
  const int32_t last_y = (bounds.bottom - 1) / kTileSize;
  for (int32_t y = bounds.top / kTileSize; y <= last_y; ++y) {
    for (int32_t x = bounds.left / kTileSize; x <= last_x; ++x)
      visit(static_cast<uint32_t>(y) * columns_ + static_cast<uint32_t>(x), x, y);
  }
}

void DrawQueue::Add(const QueuedTriangle& triangle, const PixelBounds& bounds) {
  const auto entry = static_cast<uint32_t>(triangles_.size());
  triangles_.push_back(triangle);
  const bool is_in_one = bounds.left / kTileSize == (bounds.right - 1) / kTileSize &&
                         bounds.top / kTileSize == (bounds.bottom - 1) / kTileSize;
  const bool is_square = (triangle.flags & QueuedTriangle::kIsPoint) != 0;
  if (is_in_one || is_square) {
    return ForTiles(bounds, [&](uint32_t tile, int32_t, int32_t) { Append(tile, entry); });
  }
  if ((triangle.flags & QueuedTriangle::kLine) != 0) {
    const VertexRecord& a = corners_.vertex(triangle.corners[0]);
    const VertexRecord& b = corners_.vertex(triangle.corners[1]);
    return ForTiles(bounds, [&](uint32_t tile, int32_t x, int32_t y) {
      if (MayTouchLine(a, b, x, y)) Append(tile, entry);
    });
  }
  const Edges edges = EdgesOf(triangle);
  const bool is_sampled = (triangle.flags & QueuedTriangle::kSampled) != 0;
  ForTiles(bounds, [&](uint32_t tile, int32_t x, int32_t y) {
    if (MayTouch(edges, is_sampled, int64_t{x} * kTileSize, int64_t{y} * kTileSize))
      Append(tile, entry);
  });
}

void DrawQueue::Add(const QueuedClear& clear) {
  const auto run = static_cast<uint32_t>(runs_.size());
  runs_.emplace_back(clears_.emplace_back(clear));
  ForTiles(clear.bounds, [&](uint32_t tile, int32_t, int32_t) {
    bins_[tile].push_back(run | kRunBit);
    bin_runs_[tile] = run;
    ++entry_count_;
  });
}

void DrawQueue::Prefetch(uint32_t entry) const {
  if ((entry & kRunBit) != 0) return;
  const QueuedTriangle& next = triangles_[entry];
  for (const uint32_t corner : next.corners)
    hwy::Prefetch(&corners_.vertex(corner));
}

Edges DrawQueue::EdgesOf(const QueuedTriangle& triangle) const {
  std::array<raster::FixedPoint, 3> points;
  for (size_t i = 0; i < 3; ++i) {
    const VertexRecord& corner = corners_.vertex(triangle.corners[i]);
    points[i] = {corner.fixed_x, corner.fixed_y};
  }
  return fast::EdgesOf(points, raster::Area2(points[0], points[1], points[2]) > 0);
}

}  // namespace dp2trace::fast
