#include "runtime/ddraw/blt_placement.h"

#include <algorithm>
#include <cstdint>

namespace dp2trace::runtime::ddraw {
namespace {

// One axis of a placement.
struct Axis {
  int64_t dest_low, dest_size, source_low, source_size;
};

Axis Horizontal(const BltPlacement& placement) {
  const auto& [dest, source, visible, mirroring] = placement;
  return {dest.left, int64_t{dest.right} - dest.left, source.left,
          int64_t{source.right} - source.left};
}

Axis Vertical(const BltPlacement& placement) {
  const auto& [dest, source, visible, mirroring] = placement;
  return {dest.top, int64_t{dest.bottom} - dest.top, source.top,
          int64_t{source.bottom} - source.top};
}

int32_t SourceOf(const Axis& axis, int32_t edge) {
  return static_cast<int32_t>(axis.source_low +
                              (edge - axis.dest_low) * axis.source_size / axis.dest_size);
}

bool IsExact(const Axis& axis, int32_t edge) {
  return (edge - axis.dest_low) * axis.source_size % axis.dest_size == 0;
}

}  // namespace

bool HasExtent(const d3d::Rect& rect) {
  return rect.left < rect.right && rect.top < rect.bottom;
}

d3d::Rect WholeOf(const Surface& surface) {
  return {0, 0, static_cast<int32_t>(surface.width), static_cast<int32_t>(surface.height)};
}

bool IsInside(const Surface& surface, const d3d::Rect& rect) {
  const d3d::Rect whole = WholeOf(surface);
  return rect.left >= 0 && rect.top >= 0 && rect.right <= whole.right &&
         rect.bottom <= whole.bottom;
}

d3d::Rect Overlap(const d3d::Rect& a, const d3d::Rect& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

bool IsStretched(const BltPlacement& placement) {
  const Axis x = Horizontal(placement);
  const Axis y = Vertical(placement);
  return x.dest_size != x.source_size || y.dest_size != y.source_size;
}

d3d::Rect ProportionalSource(const BltPlacement& placement) {
  const Axis x = Horizontal(placement);
  const Axis y = Vertical(placement);
  const d3d::Rect& visible = placement.visible;
  return {SourceOf(x, visible.left), SourceOf(y, visible.top), SourceOf(x, visible.right),
          SourceOf(y, visible.bottom)};
}

bool HasExactSource(const BltPlacement& placement) {
  const Axis x = Horizontal(placement);
  const Axis y = Vertical(placement);
  const d3d::Rect& visible = placement.visible;
  return IsExact(x, visible.left) && IsExact(x, visible.right) && IsExact(y, visible.top) &&
         IsExact(y, visible.bottom);
}

std::vector<BltStrip> MirroredStrips(const BltPlacement& placement) {
  const auto& [dest, source, visible, mirroring] = placement;
  const d3d::Rect straight = ProportionalSource(placement);
  std::vector<BltStrip> strips;
  for (int32_t x = visible.left; mirroring.is_left_right && x < visible.right; ++x) {
    const int32_t column = source.right - 1 - (x - dest.left);
    strips.push_back({{x, visible.top, x + 1, visible.bottom},
                      {column, straight.top, column + 1, straight.bottom}});
  }
  for (int32_t y = visible.top; mirroring.is_up_down && y < visible.bottom; ++y) {
    const int32_t row = source.bottom - 1 - (y - dest.top);
    strips.push_back(
        {{visible.left, y, visible.right, y + 1}, {straight.left, row, straight.right, row + 1}});
  }
  return strips;
}

}  // namespace dp2trace::runtime::ddraw
