#include "device/depth_resolve.h"

#include <algorithm>

namespace dp2trace::device {

std::optional<DepthResolve> DepthResolveOf(const Context& context) {
  if (context.recording != nullptr || context.space == nullptr) return std::nullopt;
  const SurfaceRef source = context.Depth();
  const SurfaceRef destination =
      context.space->Find(context.state.stage(0, d3d::TextureStageState::TextureMap));
  if (!source || !destination || source.resource == destination.resource) return std::nullopt;
  if (!source.surface().info().is_depth() || !destination.surface().info().is_depth())
    return std::nullopt;
  image::Area area = source.surface().WholeLevel(source.level);
  const image::Area other = destination.surface().WholeLevel(destination.level);
  area.right = std::min(area.right, other.right);
  area.bottom = std::min(area.bottom, other.bottom);
  return DepthResolve{source, destination, area};
}

}  // namespace dp2trace::device
