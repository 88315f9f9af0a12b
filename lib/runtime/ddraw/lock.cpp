// What the program writes and reads through locks.
// Source: lib/design.md 3 (`surface_update`, `surface_read`); lib/import/captures.md.
#include <algorithm>
#include <cstdint>

#include "d3d/formats.h"
#include "runtime/ddraw/surface_table.h"

namespace dp2trace::runtime::ddraw {
namespace {

uint32_t Blocks(int32_t extent, uint32_t block) {
  return (static_cast<uint32_t>(extent) + block - 1) / block;
}

int32_t AlignDown(int32_t value, uint32_t block) {
  return value - static_cast<int32_t>(static_cast<uint32_t>(value) % block);
}

int32_t AlignUp(int32_t value, uint32_t block, uint32_t limit) {
  const uint64_t aligned = uint64_t{Blocks(value, block)} * block;
  return static_cast<int32_t>(std::min<uint64_t>(aligned, limit));
}

}  // namespace

std::optional<LockedArea> SurfaceTable::AreaOf(const Surface& surface,
                                               const std::optional<d3d::Rect>& rect,
                                               const SurfaceDescription& locked, uint32_t flags) {
  const d3d::FormatInfo* const info = FormatOf(surface.format);
  const d3d::Rect whole = {0, 0, static_cast<int32_t>(surface.width),
                           static_cast<int32_t>(surface.height)};
  d3d::Rect area_rect = rect.value_or(whole);
  const bool is_inside = area_rect.left >= 0 && area_rect.top >= 0 &&
                         area_rect.left < area_rect.right && area_rect.top < area_rect.bottom &&
                         area_rect.right <= whole.right && area_rect.bottom <= whole.bottom;
  if (info == nullptr || !is_inside) return std::nullopt;
  area_rect.left = AlignDown(area_rect.left, info->block_width);
  area_rect.top = AlignDown(area_rect.top, info->block_height);
  area_rect.right = AlignUp(area_rect.right, info->block_width, surface.width);
  area_rect.bottom = AlignUp(area_rect.bottom, info->block_height, surface.height);
  LockedArea area;
  area.rect = area_rect;
  area.is_whole = area_rect == whole;
  area.row_size = Blocks(area_rect.right - area_rect.left, info->block_width) * info->block_size;
  area.rows = Blocks(area_rect.bottom - area_rect.top, info->block_height);
  // The planes of both chroma channels lie after the luma plane.
  if (info->kind == d3d::FormatKind::kPlanarYuv) area.rows += area.rows / 2;
  area.flags = flags;
  const bool has_pitch = (locked.flags & ddsd::kLinearSize) == 0 && locked.pitch != 0;
  const uint32_t tight = Blocks(whole.right, info->block_width) * info->block_size;
  area.pitch = has_pitch ? locked.pitch : tight;
  return area.pitch < area.row_size ? std::nullopt : std::optional(area);
}

void SurfaceTable::UpdateRows(const Surface& surface, const LockedArea& area, const d3d::Rect& rect,
                              Bytes bytes) {
  trace::SurfaceUpdate update;
  update.space = surface.space;
  update.handle = surface.root->handle;
  update.face = surface.face;
  update.level = surface.level;
  if (!area.is_whole || rect != area.rect) update.rect = rect;
  if (area.pitch != area.row_size) update.pitch = area.pitch;
  update.flags = area.flags;
  update.data = bytes;
  recorder_.UpdateSurface(update);
}

void SurfaceTable::Write(const Surface& surface, const LockedArea& area, uint64_t offset,
                         Bytes bytes) {
  const d3d::FormatInfo* const info = FormatOf(surface.format);
  if (info == nullptr || offset >= area.size() || bytes.empty()) return;
  bytes = bytes.first(static_cast<size_t>(std::min<uint64_t>(bytes.size(), area.size() - offset)));
  if (info->kind == d3d::FormatKind::kPlanarYuv) {
    // Unspecified: a write of part of a planar surface; chosen: only writes from its first byte on are recorded.
    if (offset == 0 && bytes.size() == area.size()) UpdateRows(surface, area, area.rect, bytes);
    return;
  }
  const auto block_height = static_cast<int32_t>(info->block_height);
  auto row = static_cast<int32_t>(offset / area.pitch);
  const auto rows_rect = [&](int32_t first, int32_t last) {
    return d3d::Rect{area.rect.left, area.rect.top + first * block_height, area.rect.right,
                     std::min(area.rect.bottom, area.rect.top + last * block_height)};
  };
  // Part of one row: whole blocks only, the rest of a cut block stays as it was.
  const auto write_part = [&](uint32_t column, Bytes part) {
    const uint32_t first = (column + info->block_size - 1) / info->block_size;
    const auto end =
        static_cast<uint32_t>(std::min<uint64_t>(area.row_size, uint64_t{column} + part.size()));
    const uint32_t last = end / info->block_size;
    if (first >= last) return;
    d3d::Rect rect = rows_rect(row, row + 1);
    rect.right = std::min(rect.right, rect.left + static_cast<int32_t>(last * info->block_width));
    rect.left += static_cast<int32_t>(first * info->block_width);
    UpdateRows(surface, area, rect,
               part.subspan(first * info->block_size - column, (last - first) * info->block_size));
  };
  if (const auto column = static_cast<uint32_t>(offset % area.pitch); column != 0) {
    const size_t part = std::min<size_t>(bytes.size(), area.pitch - column);
    if (column < area.row_size) write_part(column, bytes.first(part));
    bytes = bytes.subspan(part);
    ++row;
  }
  const uint64_t rest_of_row = bytes.size() % area.pitch;
  const auto rows =
      static_cast<int32_t>(bytes.size() / area.pitch + (rest_of_row >= area.row_size ? 1 : 0));
  if (rows != 0) {
    const uint64_t size = uint64_t{area.pitch} * static_cast<uint32_t>(rows - 1) + area.row_size;
    UpdateRows(surface, area, rows_rect(row, row + rows), bytes.first(static_cast<size_t>(size)));
    row += rows;
  }
  if (rest_of_row != 0 && rest_of_row < area.row_size)
    write_part(0, bytes.last(static_cast<size_t>(rest_of_row)));
}

void SurfaceTable::Read(const Surface& surface, const LockedArea& area) {
  trace::SurfaceRead read;
  read.space = surface.space;
  read.handle = surface.root->handle;
  read.face = surface.face;
  read.level = surface.level;
  if (!area.is_whole) read.rect = area.rect;
  read.flags = area.flags;
  recorder_.ReadSurface(read);
}

}  // namespace dp2trace::runtime::ddraw
