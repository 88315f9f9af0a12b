// Corners of queued triangles, and the triangles that share them: what waits for a tile is small, planes are made by who paints it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace dp2trace::fast {

// A vertex after vertex processing. Followed in memory by the components of the draw (QueuedDraw::padded, of which 0 is rhw), then by
// the distances to the user planes where the draw has any.
struct alignas(16) VertexRecord {
  float position[4];  // clip space, or as transformed vertices give it
  float x, y, z;      // target pixels and depth, where not `needs_clip`
  int32_t fixed_x, fixed_y;
  // Bit p: outside of clip plane p, in the order of 1.7. Nothing for transformed vertices.
  uint32_t outside;
  uint32_t needs_clip;  // outside of a plane or of the guard band, or not a number
  uint32_t padding;     // keeps the alignment

  float* components() { return reinterpret_cast<float*>(this + 1); }
  const float* components() const { return reinterpret_cast<const float*>(this + 1); }
};

// Pixels; right and bottom are exclusive.
struct PixelBounds {
  int32_t left = 0, top = 0, right = 0, bottom = 0;
};

// Around all that was added.
class TouchedPixels {
 public:
  void Add(const PixelBounds& bounds) {
    left_ = std::min(left_, bounds.left);
    top_ = std::min(top_, bounds.top);
    right_ = std::max(right_, bounds.right);
    bottom_ = std::max(bottom_, bounds.bottom);
  }
  // Empty where left is not below right.
  PixelBounds bounds() const { return {left_, top_, right_, bottom_}; }

 private:
  int32_t left_ = INT32_MAX, top_ = INT32_MAX, right_ = 0, bottom_ = 0;
};

// In 1/256 pixel: samples lie nearer to the centre.
inline constexpr int32_t kHalfPixel = 128;

// Of corners in 1/256 pixel: the pixels whose centre, or a place up to `reach` beside it, may be inside.
inline PixelBounds BoundsOfCorners(int32_t min_x, int32_t min_y, int32_t max_x, int32_t max_y,
                                   int32_t reach, const PixelBounds& limit) {
  return {.left = std::max((min_x - reach + 255) >> 8, limit.left),
          .top = std::max((min_y - reach + 255) >> 8, limit.top),
          .right = std::min(((max_x + reach) >> 8) + 1, limit.right),
          .bottom = std::min(((max_y + reach) >> 8) + 1, limit.bottom)};
}

// A point: the same everywhere between these, in 1/256 pixel.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): there are millions
struct SquareRecord {
  int32_t left, top, right, bottom;
  double z0{};
  double bias{};
  float x{}, y{}, size{};  // of the point
  float padding{};         // keeps the alignment
};

// A line beside its corners: what the rasterizer's style says.
struct LineRecord {
  static constexpr uint32_t kDrawsLast = 1, kAntialiased = 2, kPatterned = 4;
  double bias;
  uint32_t pattern_pixel;  // number of its first pixel in the line pattern
  uint32_t flags;
};

struct QueuedTriangle {
  static constexpr uint32_t kFlat = 1;  // flat components are those of the first corner
  // A point. corners: its VertexRecord (the components), its SquareRecord.
  static constexpr uint32_t kIsPoint = 2;
  static constexpr uint32_t kLine = 8;     // corners: two VertexRecords, a LineRecord
  static constexpr uint32_t kBack = 16;    // a line or square of a polygon that faces back
  static constexpr uint32_t kSprite = 32;  // a square whose coordinate sets are the place in it
  static constexpr uint32_t kSampled = 4;  // its samples are covered one by one
  uint32_t corners[3];                     // units of the arena
  uint32_t flags;
};

// Memory in units of 16 bytes that stay where they are.
class CornerArena {
 public:
  static constexpr size_t kUnit = 16;

  // Uninitialised; gives its first unit. At most kBlockUnits units.
  uint32_t Allocate(size_t units) {
    if (used_ / kBlockUnits != (used_ + units - 1) / kBlockUnits)
      used_ = (used_ / kBlockUnits + 1) * kBlockUnits;
    const auto first = static_cast<uint32_t>(used_);
    used_ += units;
    if (first / kBlockUnits >= blocks_.size())
      blocks_.push_back(std::make_unique_for_overwrite<Unit[]>(kBlockUnits));
    return first;
  }
  size_t used() const { return used_; }
  // What was allocated after it is free again.
  void Rollback(size_t used) { used_ = used; }

  VertexRecord& vertex(uint32_t unit) { return *reinterpret_cast<VertexRecord*>(at(unit)); }
  const VertexRecord& vertex(uint32_t unit) const {
    return *reinterpret_cast<const VertexRecord*>(at(unit));
  }
  LineRecord& line(uint32_t unit) { return *reinterpret_cast<LineRecord*>(at(unit)); }
  const LineRecord& line(uint32_t unit) const {
    return *reinterpret_cast<const LineRecord*>(at(unit));
  }
  SquareRecord& square(uint32_t unit) { return *reinterpret_cast<SquareRecord*>(at(unit)); }
  const SquareRecord& square(uint32_t unit) const {
    return *reinterpret_cast<const SquareRecord*>(at(unit));
  }

 private:
  static constexpr size_t kBlockUnits = size_t{1} << 16;
  struct alignas(kUnit) Unit {
    std::byte bytes[kUnit];
  };
  Unit* at(uint32_t unit) const { return &blocks_[unit / kBlockUnits][unit % kBlockUnits]; }

  std::vector<std::unique_ptr<Unit[]>> blocks_;
  size_t used_ = 0;
};

}  // namespace dp2trace::fast
