#include "runtime/ddraw/legacy_types.h"

namespace dp2trace::runtime::ddraw {
namespace {

// Depths `least` to `greatest` become 0 to 1.
void SetDepths(ViewportArea& area, const std::array<float, 2>& depths) {
  const float range = depths[1] - depths[0];
  // Unspecified: an empty range (programs that leave both 0); chosen: depths stay as they are.
  if (range == 0) return;
  area.scale[2] = 1.0F / range;
  area.offset[2] = -depths[0] / range;
}

}  // namespace

ViewportArea AreaOfScales(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                          const std::array<float, 2>& scale, const std::array<float, 2>& depths) {
  ViewportArea area{.x = x, .y = y, .width = width, .height = height};
  if (width != 0) area.scale[0] = 2.0F * scale[0] / static_cast<float>(width);
  if (height != 0) area.scale[1] = 2.0F * scale[1] / static_cast<float>(height);
  SetDepths(area, depths);
  return area;
}

ViewportArea AreaOfClipVolume(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                              const std::array<float, 4>& clip,
                              const std::array<float, 2>& depths) {
  ViewportArea area{.x = x, .y = y, .width = width, .height = height};
  const float left = clip[0];
  const float top = clip[1];
  const float clip_width = clip[2];
  const float clip_height = clip[3];
  if (clip_width != 0) {
    area.scale[0] = 2.0F / clip_width;
    area.offset[0] = -1.0F - 2.0F * left / clip_width;
  }
  if (clip_height != 0) {
    area.scale[1] = 2.0F / clip_height;
    area.offset[1] = 1.0F - 2.0F * top / clip_height;
  }
  SetDepths(area, depths);
  return area;
}

d3d::Rect RectOf(const ViewportArea& area) {
  const auto cut = [](uint64_t value) {
    return static_cast<int32_t>(std::min<uint64_t>(value, 0x7FFFFFFF));
  };
  return {cut(area.x), cut(area.y), cut(uint64_t{area.x} + area.width),
          cut(uint64_t{area.y} + area.height)};
}

}  // namespace dp2trace::runtime::ddraw
