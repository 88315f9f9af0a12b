#include "vertex/viewport.h"

namespace dp2trace::vertex {

ViewportMapping::ViewportMapping(const ViewportArea& area, DepthRange range) {
  constexpr float kLeastDepthRange = 0.001F;
  const float least = area.min_z + kLeastDepthRange;
  const bool is_raised = range == DepthRange::kLeast && area.max_z < least;
  const float max_z = is_raised ? least : area.max_z;
  half_width = static_cast<float>(area.width) * 0.5F;
  half_height = static_cast<float>(area.height) * 0.5F;
  center_x = static_cast<float>(area.x) + half_width;
  center_y = static_cast<float>(area.y) + half_height;
  min_z = area.min_z;
  depth_range = max_z - min_z;
}

Float4 ViewportMapping::Map(const Float4& clip) const {
  const float w = clip[3];
  return {(clip[0] / w) * half_width + center_x, center_y - (clip[1] / w) * half_height,
          (clip[2] / w) * depth_range + min_z, 1.0F / w};
}

}  // namespace dp2trace::vertex
