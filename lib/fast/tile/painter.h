// Draws the tiles of a queue: each tile plays its triangles in order. One painter belongs to one thread at a time.
// Source: lib/raster/rendering.md 0.3 (rules 9 and 10), 0.6 and 5.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fast/machine/kernels.h"
#include "fast/tile/draw_queue.h"
#include "fast/tile/raster_kernels.h"
#include "raster/pixel/output.h"
#include "raster/primitive/line_walk.h"
#include "raster/stage_clock.h"

namespace dp2trace::fast {

class Painter {
 public:
  explicit Painter(const Isa& isa);

  void Paint(DrawQueue& queue, uint32_t tile);
  // The clears of a row of tiles; there are no draws.
  void PaintRow(const DrawQueue& queue, uint32_t row);
  raster::StageClock& clock() { return clock_; }

 private:
  static constexpr uint32_t kTileQuads = kTileSize / 2;

  // The part of a clear that lies in `limit`.
  void Clear(const QueuedClear& clear, const PixelBounds& limit);
  void StartRun(DrawQueue::Run& run);
  void EndRun();
  void SetRule();
  // Triangles are set up together, drawn in their order.
  void AddTriangle(const QueuedTriangle& triangle);
  void DrawBatch();
  void DrawSmall(size_t number, Triangle& triangle);
  void DrawSquare(const QueuedTriangle& queued);
  void SetSquare(const SquareRecord& square, const raster::SampleOffset& offset,
                 Triangle& triangle) const;
  void DrawSampledSquare(const SquareRecord& square, Triangle& triangle);
  void WidenBounds(size_t number);
  void SetTriangle(size_t number, Triangle& triangle) const;
  void SetEdges(size_t number, Triangle& triangle) const;
  void SetPlanes(size_t number, Triangle& triangle) const;
  // Where a triangle is made. It stays as long as quads of it wait, once it is kept.
  Triangle& NextTriangle();
  void KeepTriangle(const Triangle& triangle);
  void DrawTriangle(const Triangle& triangle);
  void DrawBlock(const Triangle& triangle, int32_t x, int32_t y, uint64_t mask);
  void DrawLine(const QueuedTriangle& queued);
  // A pixel of the line, if it lies in the tile.
  void AddLinePixel(const raster::LineWalk& walk, const QueuedTriangle& queued, int64_t m,
                    int64_t n, float alpha_scale);
  void LoadLines();
  void ScaleAlpha();
  // The coordinate sets of the block of a point sprite.
  void SetSprite();
  void StoreLineSamples(uint64_t mask);
  // What goes to a target.
  const std::array<Operand, 4>& ColorsOf(uint32_t slot) const {
    return slot == 0 ? first_colors_ : draw_->code->colors[slot];
  }
  // The samples of a block, which share the program's run.
  void SetSamples(size_t number, const Triangle& triangle);
  void DrawSamples(const Triangle& triangle);
  void DrawSampledBlock(const Triangle& triangle, int32_t x, int32_t y);
  // The samples that pass; gives their pixels and counts them.
  uint64_t TestSamples(std::array<uint64_t, raster::kMaxSamples>& masks);
  void ShadeBlock(const Triangle& triangle, int32_t x, int32_t y, uint64_t mask);
  // The quads of a mask; `masks` are those of the samples, of which it is the union.
  void Pack(const Triangle& triangle, int32_t x, int32_t y, uint64_t mask,
            std::span<const uint64_t> masks);
  // Few enough quads have lanes for others to share a pack with them.
  bool CanPack(uint64_t mask) const;
  // `samples` has the bit 4 * sample + pixel for all that is stored. One bit a pixel is enough where all samples of a pixel are.
  void AddQuad(const PackedQuad& quad, uint64_t samples);
  void FlushPack();
  // Before the block with this corner is drawn.
  void FlushPackOf(int32_t x, int32_t y);
  void StorePackedSamples(uint64_t alive);
  PixelComponents Components();
  // The program and what comes before the stores; gives the pixels that are still alive.
  uint64_t RunProgram(uint64_t active, uint64_t mask);
  uint64_t TestStipple(uint64_t mask) const;
  uint64_t TestDepth(uint64_t mask, const DepthBlock& depth, uint32_t sample = 0);
  // Depth of a pack of any kind.
  uint64_t QuantizeQuads(uint64_t mask);
  // The lanes of what is drawn whose triangles face front.
  uint64_t FrontLanes() const;
  void SetShaderDepth(DepthBlock& depth) const;
  void StoreColors(uint64_t mask, uint32_t sample = 0);
  void StoreAny(const QueuedTarget& target, uint64_t mask, uint32_t sample);
  // Calls visit(lane, the pixel's bytes) for the lanes of a mask.
  template <class Visit>
  void ForPixels(const image::Level& level, uint64_t mask, const Visit& visit) const;

  // Target pixel of a lane of what is being drawn, and whether its triangle faces front.
  struct LanePixel {
    uint32_t x = 0, y = 0;
    bool is_front = true;
  };
  LanePixel PixelOf(size_t lane) const;
  // The block's bytes of a surface, or a copy where it is a pack or reaches over the edge. Copies of what is not read are 0.
  BlockBytes Open(const image::Level& level, uint64_t mask, bool reads,
                  std::array<uint8_t, 256>& copy) const;
  void Close(const image::Level& level, uint64_t mask, const std::array<uint8_t, 256>& copy,
             const BlockBytes& opened) const;

  const KernelTable* operations_;
  const RasterKernels* kernels_;
  DrawQueue::Run* run_ = nullptr;
  const QueuedDraw* draw_ = nullptr;  // of the run
  int32_t tile_x_ = 0, tile_y_ = 0;
  std::vector<Block> registers_;
  std::vector<const SamplerPlan*> samplers_;
  Frame frame_;
  uint64_t passed_ = 0;
  raster::StageClock clock_;

  // The block or pack that is drawn.
  bool is_pack_ = false;
  int32_t block_x_ = 0, block_y_ = 0;
  bool is_front_ = true;
  Block reciprocal_;  // 1 / rhw
  DepthBlock depth_;

  struct alignas(64) Chunk {
    std::byte bytes[64];
  };
  std::array<PackedQuad, kPackSize> quads_;
  std::array<uint64_t, kPackSize> quad_samples_ = {};  // see AddQuad
  uint32_t quad_count_ = 0;
  uint64_t packed_blocks_ = 0;  // of the tile, bit 8 * row + column
  std::array<uint64_t, kTileQuads* kTileQuads> packed_samples_ = {};  // by quad of the tile
  DepthBlock pack_depth_;

  // Where a pack is of lines: for each quad, what its two columns (rows, of a line that is y-major) are interpolated from.
  struct LineQuad {
    const float* a = nullptr;
    const float* b = nullptr;
    float t[2] = {};
    bool is_x_major = true;
    float alpha_scale = 1;
  };
  bool pack_is_lines_ = false;
  std::array<LineQuad, kPackSize> lines_;
  std::array<Operand, 4> first_colors_ = {};  // of target 0
  const SquareRecord* sprite_ = nullptr;      // that is drawn

  // Of a triangle on several samples: its edges as each sample sees them, and the depth of a block.
  std::array<Triangle, raster::kMaxSamples> sampled_ = {};
  std::array<DepthBlock, raster::kMaxSamples> sample_depth_;

  const CornerArena* corners_ = nullptr;
  TriangleBatch batch_;
  std::array<const QueuedTriangle*, TriangleBatch::kSize> batched_ = {};
  uint32_t batch_count_ = 0;
  BatchRule batch_rule_;
  SurfaceBytes depth_surface_;
  // A pack holds quads of at most kPackSize triangles.
  static constexpr size_t kTrianglesKept = kPackSize + 1;
  std::vector<Chunk> triangles_;
  size_t next_triangle_ = 0;
};

}  // namespace dp2trace::fast
