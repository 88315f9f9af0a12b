#include "fast/tile/draw_queue.h"

#include <algorithm>

namespace dp2trace::fast {
namespace {

constexpr uint32_t kNoRun = 0xFFFFFFFF;

// False where the tile with this corner lies outside of an edge.
bool MayTouch(const Triangle& t, int64_t x, int64_t y) {
  for (size_t i = 0; i < 3; ++i) {
    if (RangeOfEdge(t, i, x, y, kTileSize).greatest < 0) return false;
  }
  return true;
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
  chunk_count_ = 0;
  entry_count_ = 0;
  for (std::vector<uint32_t>& bin : bins_)
    bin.clear();
  std::ranges::fill(bin_runs_, kNoRun);
}

void DrawQueue::Rollback(const Mark& mark) {
  for (uint32_t tile = 0; tile < tile_count(); ++tile) {
    std::vector<uint32_t>& bin = bins_[tile];
    const size_t size = bin.size();
    // Chunks ascend. The mark of a run goes with the last triangle behind it.
    while (!bin.empty() && ((bin.back() & kRunBit) != 0 || bin.back() >= mark.chunks))
      bin.pop_back();
    if (bin.size() == size) continue;
    entry_count_ -= size - bin.size();
    bin_runs_[tile] = kNoRun;
  }
  while (runs_.size() > mark.runs)
    runs_.pop_back();
  chunk_count_ = mark.chunks;
}

void DrawQueue::Add(const std::shared_ptr<const QueuedDraw>& draw) {
  if (runs_.empty() || runs_.back().draw != draw) runs_.emplace_back(draw);
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
  const auto run = static_cast<uint32_t>(runs_.size() - 1);
  if (bin_runs_[tile] != run) {
    bins_[tile].push_back(run | kRunBit);
    bin_runs_[tile] = run;
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
