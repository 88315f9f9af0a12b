// What the records of TEXBLT, VOLUMEBLT and BUFFERBLT ask for, and what is wrong with them.
// Source: lib/opcode/dp2.md 16.1 to 16.3.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/blt.h"
#include "device/defect.h"
#include "device/resource.h"
#include "stream/records.h"

namespace dp2trace::device {

// One bit per face, after the shift by kCubeFaceShift.
inline constexpr uint32_t kCubeFaceMask = 0x3F;

// "left, top, right, bottom, front, back", negative where somebody has computed below zero.
std::string BoxText(const image::Area& box);

// Each function fills the structure as far as the record is legal, and returns what is wrong with it; where no defect refuses it the copy
// is made, cut at the edges of both surfaces. An empty destination is a preload: the
// source is to be brought into fast memory, which changes nothing.
struct TextureLoad {
  SurfaceRef source, destination;
  d3d::Rect rect;             // in source level 0
  int32_t x = 0, y = 0;       // in destination level 0
  uint32_t flags = 0;         // face bits of a cube map
  uint32_t source_level = 0;  // the partner of level 0 of the destination
  uint32_t pair_count = 0;    // levels that are copied
  bool is_clipped = false;    // they differ in size

  image::Area area() const {
    return {static_cast<uint32_t>(rect.left), static_cast<uint32_t>(rect.top),
            static_cast<uint32_t>(rect.right), static_cast<uint32_t>(rect.bottom)};
  }
};
RecordDefects ReadTextureLoad(const Space& space, const stream::Record& record, TextureLoad& load);

struct VolumeLoad {
  SurfaceRef source, destination;
  ChainCopy copy;
  uint32_t flags = 0;
  bool is_clipped = false;  // the levels differ in size
};
RecordDefects ReadVolumeLoad(const Space& space, const stream::Record& record, VolumeLoad& load);

struct BufferCopy {
  SurfaceRef source, destination;
  uint64_t from = 0, size = 0, to = 0;  // bytes
  uint32_t flags = 0;
};
RecordDefects ReadBufferCopy(const Space& space, const stream::Record& record, BufferCopy& copy);

}  // namespace dp2trace::device
