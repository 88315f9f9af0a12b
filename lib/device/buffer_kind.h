// What a buffer was made for.
#pragma once

#include "device/resource.h"

namespace dp2trace::device {

constexpr bool IsBuffer(d3d::SurfaceKind kind) {
  return kind == d3d::SurfaceKind::kVertexBuffer || kind == d3d::SurfaceKind::kIndexBuffer ||
         kind == d3d::SurfaceKind::kCommandBuffer;
}

// True for a buffer that holds data of the `other` kind, or commands; one that may hold any data fits anywhere.
inline bool IsMadeForOther(const Resource& buffer, d3d::SurfaceKind other) {
  return buffer.kind == other || buffer.kind == d3d::SurfaceKind::kCommandBuffer;
}

}  // namespace dp2trace::device
