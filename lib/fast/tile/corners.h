// Corners of queued triangles, and the triangles that share them: what waits for a tile is small, planes are made by who paints it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace dp2trace::fast {

// A vertex behind vertex processing. Followed in memory by the components of the draw (QueuedDraw::padded, of which 0 is rhw), then by
// the distances to the user planes where the draw has any.
struct alignas(16) VertexRecord {
  float position[4];  // clip space, or as transformed vertices give it
  float x, y, z;      // target pixels and depth, where not `needs_clip`
  int32_t fixed_x, fixed_y;
  // Bit p: outside of clip plane p, in the order of 1.7. Nothing for transformed vertices.
  uint32_t outside;
  uint32_t needs_clip;  // outside of a plane or of the guard band, or not a number
  uint32_t unused;

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

// A point: the same everywhere in its bounds.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): there are millions
struct SquareRecord {
  PixelBounds bounds;
  double z0{};
  double unused{};
};

struct QueuedTriangle {
  static constexpr uint32_t kFlat = 1;  // flat components are those of the first corner
  static constexpr uint32_t kSquare =
      2;                // corners: a VertexRecord (its components), a SquareRecord
  uint32_t corners[3];  // units of the arena
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
  // What was allocated behind is free again.
  void Rollback(size_t used) { used_ = used; }

  VertexRecord& vertex(uint32_t unit) { return *reinterpret_cast<VertexRecord*>(at(unit)); }
  const VertexRecord& vertex(uint32_t unit) const {
    return *reinterpret_cast<const VertexRecord*>(at(unit));
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
