// Mip chains: making the lower levels, and copying paired levels. The functions are declared in blt.h.
#include <algorithm>
#include <cstring>
#include <utility>

#include "device/blt.h"
#include "image/decoder.h"
#include "image/encoder.h"

namespace dp2trace::device {
namespace {

using image::Area;
using image::ConstLevel;
using image::Level;
using image::StoredTexel;
using image::Surface;
using image::Texel;

// The four texels above texel (x, y); at odd sizes the last one counts twice.
struct FourTaps {
  uint32_t x0, x1, y0, y1;
};
FourTaps TapsOf(const ConstLevel& above, uint32_t x, uint32_t y) {
  const auto clamp = [](uint32_t position, uint32_t extent) {
    return std::min(position, extent - 1);
  };
  return {clamp(2 * x, above.width), clamp(2 * x + 1, above.width), clamp(2 * y, above.height),
          clamp(2 * y + 1, above.height)};
}

// (t00 + t01 + t10 + t11 + 2) >> 2 per channel.
StoredTexel MeanStored(const image::Decoder& decoder, const ConstLevel& above, const FourTaps& taps,
                       uint32_t z) {
  const StoredTexel a = decoder.Stored(above, taps.x0, taps.y0, z);
  const StoredTexel b = decoder.Stored(above, taps.x1, taps.y0, z);
  const StoredTexel c = decoder.Stored(above, taps.x0, taps.y1, z);
  const StoredTexel d = decoder.Stored(above, taps.x1, taps.y1, z);
  StoredTexel mean = {};
  for (size_t i = 0; i < mean.size(); ++i)
    mean[i] = (a[i] + b[i] + c[i] + d[i] + 2) >> 2;
  return mean;
}

// ((t00 + t01) + (t10 + t11)) * 0.25 per channel, t01 the tap to the right.
Texel MeanFloat(const image::Decoder& decoder, const ConstLevel& above, const FourTaps& taps,
                uint32_t z) {
  const Texel a = decoder.Decode(above, taps.x0, taps.y0, z);
  const Texel b = decoder.Decode(above, taps.x1, taps.y0, z);
  const Texel c = decoder.Decode(above, taps.x0, taps.y1, z);
  const Texel d = decoder.Decode(above, taps.x1, taps.y1, z);
  Texel mean = {};
  for (size_t i = 0; i < mean.size(); ++i)
    mean[i] = ((a[i] + b[i]) + (c[i] + d[i])) * 0.25F;
  return mean;
}

void MakeLevel(const ConstLevel& above, const Level& level, StretchFilter filter) {
  const image::Decoder decoder(*level.info);
  const image::Encoder encoder(*level.info);
  const bool is_exact = decoder.has_stored() && encoder.has_stored();
  for (uint32_t z = 0; z < level.slices; ++z) {
    const uint32_t above_z = std::min(2 * z, above.slices - 1);
    for (uint32_t y = 0; y < level.height; ++y) {
      for (uint32_t x = 0; x < level.width; ++x) {
        const FourTaps taps = TapsOf(above, x, y);
        uint8_t* pixel = level.block(x, y, z);
        if (filter == StretchFilter::kPoint) {
          std::memcpy(pixel, above.block(taps.x0, taps.y0, above_z), level.info->block_size);
        } else if (is_exact) {
          encoder.EncodeStored(MeanStored(decoder, above, taps, above_z), pixel);
        } else {
          encoder.Encode(MeanFloat(decoder, above, taps, above_z), pixel);
        }
      }
    }
  }
}

// Room from `start` to the end of a level, whole blocks.
uint32_t RoomOf(uint32_t start, uint32_t extent, uint32_t block) {
  const uint64_t end = (uint64_t{extent} + block - 1) / block * block;
  return start < end ? static_cast<uint32_t>(end - start) : 0;
}

// What lies in both levels: the area and where it goes. Empty where nothing does.
struct ClippedCopy {
  Area area;
  uint32_t x, y, z;
};
ClippedCopy Clip(const ConstLevel& source, const ConstLevel& destination, const Area& area,
                 uint32_t x, uint32_t y, uint32_t z) {
  const d3d::FormatInfo& info = *source.info;
  ClippedCopy clipped = {area, x - x % info.block_width, y - y % info.block_height, z};
  Area& a = clipped.area;
  a.left -= a.left % info.block_width;
  a.top -= a.top % info.block_height;
  const auto grow = [](uint32_t extent, uint32_t block) {
    return static_cast<uint32_t>(
        std::min<uint64_t>((uint64_t{extent} + block - 1) / block * block, UINT32_MAX));
  };
  const uint32_t width = std::min({grow(a.right - a.left, info.block_width),
                                   RoomOf(a.left, source.width, info.block_width),
                                   RoomOf(clipped.x, destination.width, info.block_width)});
  const uint32_t height = std::min({grow(a.bottom - a.top, info.block_height),
                                    RoomOf(a.top, source.height, info.block_height),
                                    RoomOf(clipped.y, destination.height, info.block_height)});
  const uint32_t depth = std::min(
      {a.back - a.front, RoomOf(a.front, source.slices, 1), RoomOf(z, destination.slices, 1)});
  a.right = a.left + width;
  a.bottom = a.top + height;
  a.back = a.front + depth;
  return clipped;
}

bool IsEmpty(const Area& area) {
  return area.width() == 0 || area.height() == 0 || area.depth() == 0;
}

}  // namespace

void MakeSubLevels(Surface& surface, StretchFilter filter) {
  if (!surface.has_pixels()) return;
  const d3d::FormatInfo& info = surface.info();
  const bool is_plain = info.block_width == 1 && info.block_height == 1 && !info.is_buffer();
  if (!is_plain || info.kind == d3d::FormatKind::kPlanarYuv || info.kind == d3d::FormatKind::kNone)
    return;
  if (filter == StretchFilter::kLinear && !image::Encoder(info).can_encode()) return;
  const image::SurfaceDescription& description = surface.description();
  for (uint32_t face = 0; face < description.faces; ++face) {
    for (uint32_t level = 1; level < description.levels; ++level)
      MakeLevel(std::as_const(surface).level(face, level - 1), surface.level(face, level), filter);
  }
}

std::optional<uint32_t> FindPairedLevel(const Surface& source, const Surface& destination) {
  const Area top = destination.WholeLevel(0);
  for (uint32_t level = 0; level < source.description().levels; ++level) {
    if (source.WholeLevel(level) == top) return level;
  }
  return std::nullopt;
}

uint32_t FindFittingLevel(const Surface& source, const Surface& destination) {
  const auto largest = [](const Area& level) {
    return std::max({level.right, level.bottom, level.back});
  };
  const uint32_t limit = largest(destination.WholeLevel(0));
  uint32_t level = 0;
  while (level + 1 < source.description().levels && largest(source.WholeLevel(level)) > limit)
    ++level;
  return level;
}

Area ReduceArea(const Area& area) {
  const auto end = [](uint32_t old_end, uint32_t start) {
    const auto reduced = static_cast<uint32_t>((uint64_t{old_end} + 1) >> 1);
    return reduced > start ? reduced : start + 1;
  };
  Area reduced = {.left = area.left >> 1,
                  .top = area.top >> 1,
                  .right = 0,
                  .bottom = 0,
                  .front = area.front >> 1,
                  .back = 0};
  reduced.right = end(area.right, reduced.left);
  reduced.bottom = end(area.bottom, reduced.top);
  reduced.back = end(area.back, reduced.front);
  return reduced;
}

Status CopyChain(const Surface& source, Surface& destination, const ChainCopy& copy) {
  Area area = copy.area;
  for (uint32_t i = 0; i < copy.source_level; ++i)
    area = ReduceArea(area);
  uint32_t x = copy.x;
  uint32_t y = copy.y;
  uint32_t z = copy.z;
  for (uint32_t i = 0; i < copy.level_count; ++i) {
    const uint32_t level = copy.source_level + i;
    if (!source.HasLevel(copy.source_face, level) ||
        !destination.HasLevel(copy.destination_face, i))
      break;
    const ClippedCopy part =
        Clip(source.level(copy.source_face, level),
             std::as_const(destination).level(copy.destination_face, i), area, x, y, z);
    if (!IsEmpty(part.area)) {
      DP2TRACE_RETURN_IF_ERROR(image::CopyArea(source, copy.source_face, level, part.area,
                                               destination,
                                               {copy.destination_face, i, part.x, part.y, part.z}));
    }
    area = ReduceArea(area);
    x >>= 1;
    y >>= 1;
    z >>= 1;
  }
  return OkStatus();
}

}  // namespace dp2trace::device
