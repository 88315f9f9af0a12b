// What a program wrote into one level of a managed texture by locks that make nothing dirty: the system copy has it, the driver's copy
// gets it when its place becomes dirty. Source: D3DLOCK_NO_DIRTY_UPDATE; lib/raster/rendering-facts.md T13.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "d3d/formats.h"
#include "d3d/geometry.h"
#include "trace/events.h"

namespace dp2trace::runtime {

class HeldWrites {
 public:
  // Of a level of that many pixels.
  HeldWrites(const d3d::FormatInfo& format, uint32_t width, uint32_t height, uint32_t depth);

  // Bytes that a level takes.
  static uint64_t Size(const d3d::FormatInfo& format, uint32_t width, uint32_t height,
                       uint32_t depth);

  // Keeps the bytes of an update of `box`, over what is held there.
  void Hold(const d3d::Box& box, const trace::SurfaceUpdate& update);
  // Something newer stands in the box.
  void Drop(const d3d::Box& box);
  // Hands out what is held in the box, as rows that lie without gaps, and holds it no longer. The bytes live during the call.
  void Release(const d3d::Box& box,
               const std::function<void(const d3d::Box& part, Bytes bytes)>& send);

 private:
  // Blocks of a box.
  struct Blocks {
    uint32_t left, top, right, bottom, front, back;
  };
  Blocks BlocksOf(const d3d::Box& box) const;
  d3d::Box BoxOf(const Blocks& blocks) const;
  size_t PlaceOf(uint32_t x, uint32_t y, uint32_t z) const {
    return (size_t{z} * rows_ + y) * columns_ + x;
  }

  const d3d::FormatInfo* format_;
  uint32_t width_, height_;  // pixels
  uint32_t columns_, rows_;  // blocks
  std::vector<uint8_t> bytes_;
  std::vector<bool> is_held_;  // by block
};

}  // namespace dp2trace::runtime
