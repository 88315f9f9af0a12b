// Draws that wait for their tiles: plans, triangles, and which tile sees which triangle, in order.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "fast/pixel/pixel_code.h"
#include "fast/tile/any_store.h"
#include "fast/tile/corners.h"
#include "fast/tile/raster_kernels.h"
#include "fast/tile/triangle.h"
#include "image/level.h"
#include "raster/draw_plan.h"

namespace dp2trace::fast {

inline constexpr int32_t kTileSize = 64;
inline constexpr int32_t kBlockSize = 8;

// A number that a triangle carries: a varying's component, or what fog is made of.
// Component 0: fog factor or z; 1: 1 / rhw, no component of the triangle.
inline constexpr uint8_t kFogSlot = raster::kVaryingCount;

// A colour target of a draw. `store` is for plain ones (`is_fast`), `any` for all others.
struct QueuedTarget {
  bool is_fast = false;
  ColorStore store;
  AnyStore any;
  const raster::TargetWriter* writer = nullptr;  // of the plan
};

// How draws are drawn; the same for all draws of the same state.
struct QueuedDraw {
  raster::DrawPlan plan;
  std::shared_ptr<const PixelCode> code;
  std::vector<PixelInput> components;  // those of the triangles, from component 1 on
  uint32_t padded = 0;                 // components of a triangle, rhw and padding included
  uint64_t perspective = 0;            // bit i: component i is multiplied by rhw where it varies
  uint64_t flat = 0;                   // bit i: component i is a colour
  DepthTest depth;
  bool quantizes = false;      // depth is tested
  bool tests_stencil = false;  // after the faces' rules: back, front
  std::array<StencilTest, 2> stencil;
  uint32_t samples = 1;        // of the targets
  bool is_per_sample = false;  // each has its own coverage and depth
  bool is_early = false;       // nothing after the depth test can drop a pixel
  bool needs_rhw = false;      // fog by w
  std::vector<QueuedTarget> targets;
  uint64_t texture_count = 0;  // textures that a pixel samples

  explicit QueuedDraw(raster::DrawPlan&& made) : plan(std::move(made)) {}
  // Triangles in 8x8 pixels are tested and packed by quads, without a look at blocks.
  bool takes_quads() const { return depth.is_plain && !tests_stencil && samples == 1; }
};

// A rectangle that is filled, in all its slices.
struct QueuedClear {
  image::Level level;
  uint32_t slices = 1;
  PixelBounds bounds;  // inside of the level, not empty
  FillPattern pattern;
};

class DrawQueue {
 public:
  // Draws in a row of the same state, or a clear.
  struct Run {
    std::shared_ptr<const QueuedDraw> draw;  // null: the clear
    const QueuedClear* clear = nullptr;
    std::atomic<uint64_t> passed = 0;  // pixels

    explicit Run(std::shared_ptr<const QueuedDraw> of) : draw(std::move(of)) {}
    explicit Run(const QueuedClear& of) : clear(&of) {}
  };
  // A place in the queue: what is added afterwards can be taken back.
  struct Mark {
    size_t runs = 0;
    size_t triangles = 0;
    size_t corners = 0;
  };

  bool empty() const { return runs_.empty(); }
  // Only clears, each of which is seen by many tiles: better played by rows of tiles, whose bytes are next to each other.
  bool is_for_rows() const { return triangles_.empty() && runs_.size() * rows_ <= entry_count_; }
  // Of the targets, in pixels. Only while the queue is empty.
  void SetExtent(uint32_t width, uint32_t height);
  void Clear();
  // Clears that come after it cannot be taken back.
  Mark mark() const { return {runs_.size(), triangles_.size(), corners_.used()}; }
  void Rollback(const Mark& mark);

  // Joins the last run where that is of the same draw.
  void Add(const std::shared_ptr<const QueuedDraw>& draw);
  CornerArena& corners() { return corners_; }
  const CornerArena& corners() const { return corners_; }
  // A triangle of the last draw, to the tiles that it may touch.
  void Add(const QueuedTriangle& triangle, const PixelBounds& bounds);
  // To the tiles that it touches.
  void Add(const QueuedClear& clear);

  uint64_t size_bytes() const {
    return corners_.used() * CornerArena::kUnit + triangles_.size() * sizeof(QueuedTriangle) +
           runs_.size() * sizeof(Run) + clears_.size() * sizeof(QueuedClear) + 4 * entry_count_;
  }
  // Of all bins.
  uint64_t entry_count() const { return entry_count_; }
  uint32_t tile_count() const { return columns_ * rows_; }
  uint32_t columns() const { return columns_; }
  uint32_t rows() const { return rows_; }
  const std::vector<uint32_t>& bin(uint32_t tile) const { return bins_[tile]; }
  const std::deque<Run>& runs() const { return runs_; }
  Run& run(uint32_t number) { return runs_[number]; }
  const QueuedTriangle& triangle(uint32_t entry) const { return triangles_[entry]; }
  // Somebody will look at what the entry names.
  void Prefetch(uint32_t entry) const;

  // Entries of bins: a triangle, or with this bit the number of the run of those that follow.
  static constexpr uint32_t kRunBit = 0x80000000;

 private:
  void Append(uint32_t tile, uint32_t entry);
  // Calls visit(tile, x, y) for the tiles of the rectangle; x and y count tiles.
  template <class Visit>
  void ForTiles(const PixelBounds& bounds, const Visit& visit) const;
  Edges EdgesOf(const QueuedTriangle& triangle) const;

  std::deque<Run> runs_;
  std::deque<QueuedClear> clears_;
  CornerArena corners_;
  std::vector<QueuedTriangle> triangles_;
  uint32_t columns_ = 0, rows_ = 0;
  uint64_t entry_count_ = 0;
  std::vector<std::vector<uint32_t>> bins_;
  std::vector<uint32_t> bin_runs_;  // by tile: the run of its last entry
};

}  // namespace dp2trace::fast
