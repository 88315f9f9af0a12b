#include "fast/tile/draw_queue.h"

#include <algorithm>

namespace dp2trace::fast {
namespace {

constexpr uint32_t kNoDraw = 0xFFFFFFFF;

// False where the tile with this corner lies outside of an edge.
bool MayTouch(const Triangle& t, int64_t x, int64_t y) {
  constexpr int64_t kLast = kTileSize - 1;
  for (size_t i = 0; i < 3; ++i) {
    const int64_t e = t.corner[i] - t.dy[i] * x + t.dx[i] * y;
    const int64_t across = std::max<int64_t>(-kLast * t.dy[i], 0);
    const int64_t down = std::max<int64_t>(kLast * t.dx[i], 0);
    if (e + across + down < 0) return false;
  }
  return true;
}

}  // namespace

void DrawQueue::SetExtent(uint32_t width, uint32_t height) {
  columns_ = (width + kTileSize - 1) / kTileSize;
  rows_ = (height + kTileSize - 1) / kTileSize;
  if (bins_.size() < tile_count()) bins_.resize(tile_count());
  bin_draws_.assign(bins_.size(), kNoDraw);
}

void DrawQueue::Clear() {
  draws_.clear();
  chunk_count_ = 0;
  entry_count_ = 0;
  for (std::vector<uint32_t>& bin : bins_)
    bin.clear();
  std::ranges::fill(bin_draws_, kNoDraw);
}

void DrawQueue::Rollback(const Mark& mark) {
  const auto first = static_cast<uint32_t>(mark.draws) | kDrawBit;
  for (uint32_t tile = 0; tile < tile_count(); ++tile) {
    std::vector<uint32_t>& bin = bins_[tile];
    if (bin_draws_[tile] == kNoDraw || bin_draws_[tile] < mark.draws) continue;
    const auto start = std::ranges::find_if(
        bin, [&](uint32_t entry) { return (entry & kDrawBit) != 0 && entry >= first; });
    bin.erase(start, bin.end());
    bin_draws_[tile] = kNoDraw;
  }
  draws_.resize(mark.draws);
  chunk_count_ = mark.chunks;
}

QueuedDraw& DrawQueue::Add(std::unique_ptr<QueuedDraw> draw) {
  draws_.push_back(std::move(draw));
  return *draws_.back();
}

Triangle& DrawQueue::AllocateTriangle(uint32_t padded) {
  const auto count = static_cast<uint32_t>(TriangleSize(padded) / kChunkSize);
  uint32_t first = chunk_count_;
  if (first / kBlockChunks != (first + count - 1) / kBlockChunks)
    first = (first / kBlockChunks + 1) * kBlockChunks;
  if (first / kBlockChunks == blocks_.size())
    blocks_.push_back(std::make_unique_for_overwrite<Chunk[]>(kBlockChunks));
  chunk_count_ = first + count;
  last_ = first;
  return *reinterpret_cast<Triangle*>(&blocks_[first / kBlockChunks][first % kBlockChunks]);
}

void DrawQueue::Append(uint32_t tile, uint32_t entry) {
  const auto draw = static_cast<uint32_t>(draws_.size() - 1);
  if (bin_draws_[tile] != draw) {
    bins_[tile].push_back(draw | kDrawBit);
    bin_draws_[tile] = draw;
    ++entry_count_;
  }
  bins_[tile].push_back(entry);
  ++entry_count_;
}

void DrawQueue::Bin(const Triangle& triangle) {
  const int32_t first_x = triangle.left / kTileSize;
  const int32_t last_x = (triangle.right - 1) / kTileSize;
  const int32_t first_y = triangle.top / kTileSize;
  const int32_t last_y = (triangle.bottom - 1) / kTileSize;
  const bool is_one = first_x == last_x && first_y == last_y;
  for (int32_t y = first_y; y <= last_y; ++y) {
    for (int32_t x = first_x; x <= last_x; ++x) {
      if (!is_one && !MayTouch(triangle, int64_t{x} * kTileSize, int64_t{y} * kTileSize)) continue;
      Append(static_cast<uint32_t>(y) * columns_ + static_cast<uint32_t>(x), last_);
    }
  }
}

}  // namespace dp2trace::fast
