#include "image/transfer.h"

#include <algorithm>
#include <cstring>

#include "base/checked.h"

namespace dp2trace::image {
namespace {

// Splits a slice of an area at this pitch into its planes. Source: lib/raster/rendering-texture.md 3.7.1 for planar formats; of an odd
// extent the chroma planes take what the level's own size leaves.
void SplitPlanes(const d3d::FormatInfo& info, uint32_t width, uint32_t height, uint64_t pitch,
                 AreaLayout& layout) {
  const uint64_t row_size = d3d::RowSize(info, width);
  if (info.kind != d3d::FormatKind::kPlanarYuv) {
    layout.planes[0] = {0, pitch, row_size, d3d::RowCount(info, height)};
    layout.plane_count = 1;
    return;
  }
  const uint64_t luma = pitch * height;
  layout.planes[0] = {0, pitch, row_size, height};
  if (info.format == d3d::Format::Nv12) {
    layout.planes[1] = {luma, pitch, row_size, height / 2};
    layout.plane_count = 2;
    return;
  }
  layout.planes[1] = {luma, pitch / 2, row_size / 2, height / 2};
  layout.planes[2] = {luma + height / 2 * (pitch / 2), pitch / 2, row_size / 2, height / 2};
  layout.plane_count = 3;
}

// Bytes up to the end of the plane's last row; nothing on overflow.
std::optional<uint64_t> EndOf(const Plane& plane) {
  if (plane.rows == 0) return 0;
  const std::optional<uint64_t> rows = CheckedMul(plane.pitch, plane.rows - 1);
  const std::optional<uint64_t> end = rows ? CheckedAdd(*rows, plane.row_size) : std::nullopt;
  return end ? CheckedAdd(*end, plane.offset) : std::nullopt;
}

void CopyRows(const Plane& from, const uint8_t* source, const Plane& to, uint8_t* target) {
  const uint64_t rows = from.row_size == 0 ? 0 : std::min(from.rows, to.rows);
  for (uint64_t row = 0; row < rows; ++row) {
    std::memcpy(target + to.offset + row * to.pitch, source + from.offset + row * from.pitch,
                static_cast<size_t>(from.row_size));
  }
}

// The planes of the same area inside a level.
template <class Byte>
AreaLayout LayoutInside(const AreaLayout& layout, const BasicLevel<Byte>& level) {
  AreaLayout inside;
  SplitPlanes(*level.info, layout.width, layout.height, level.pitch, inside);
  return inside;
}

}  // namespace

std::optional<AreaLayout> LayoutOf(const d3d::FormatInfo& info, const Area& area, uint64_t pitch,
                                   uint64_t slice_pitch) {
  AreaLayout layout;
  layout.width = area.width();
  layout.height = area.height();
  layout.slices = area.depth();
  const uint64_t row_size = d3d::RowSize(info, area.width());
  if (pitch == 0) pitch = row_size;
  const uint64_t rows = d3d::RowCount(info, area.height());
  const std::optional<uint64_t> slice_size = CheckedMul(pitch, rows);
  if (pitch < row_size || !slice_size) return std::nullopt;
  SplitPlanes(info, area.width(), area.height(), pitch, layout);
  uint64_t end = 0;
  for (uint32_t i = 0; i < layout.plane_count; ++i) {
    const std::optional<uint64_t> plane_end = EndOf(layout.planes[i]);
    if (!plane_end) return std::nullopt;
    end = std::max(end, *plane_end);
  }
  layout.slice_pitch = slice_pitch != 0 ? slice_pitch : *slice_size;
  if (layout.slices > 1 && layout.slice_pitch < end) return std::nullopt;
  const std::optional<uint64_t> last = CheckedMul(layout.slice_pitch, layout.slices - 1);
  const std::optional<uint64_t> size = last ? CheckedAdd(*last, end) : std::nullopt;
  if (!size) return std::nullopt;
  layout.size = *size;
  return layout;
}

void CopyIn(const AreaLayout& layout, const uint8_t* source, const Level& target, uint32_t x,
            uint32_t y, uint32_t z) {
  const AreaLayout inside = LayoutInside(layout, target);
  for (uint32_t slice = 0; slice < layout.slices; ++slice) {
    uint8_t* to = target.block(x, y, z + slice);
    for (uint32_t i = 0; i < layout.plane_count; ++i) {
      CopyRows(layout.planes[i], source + slice * layout.slice_pitch, inside.planes[i], to);
    }
  }
}

void CopyOut(const AreaLayout& layout, const ConstLevel& source, uint32_t x, uint32_t y, uint32_t z,
             uint8_t* target) {
  const AreaLayout inside = LayoutInside(layout, source);
  for (uint32_t slice = 0; slice < layout.slices; ++slice) {
    const uint8_t* from = source.block(x, y, z + slice);
    for (uint32_t i = 0; i < layout.plane_count; ++i) {
      CopyRows(inside.planes[i], from, layout.planes[i], target + slice * layout.slice_pitch);
    }
  }
}

}  // namespace dp2trace::image
