#include "device/depth_resolve.h"

#include "d3d/states.h"
#include "d3d/vendor_codes.h"

namespace dp2trace::device {

std::optional<DepthResolve> FindDepthResolve(const Context& context, uint32_t render_state,
                                             uint32_t value) {
  if (render_state != d3d::Value(d3d::RenderState::PointSize) || value != d3d::kReszCode)
    return std::nullopt;
  if (context.recording != nullptr || context.space == nullptr) return std::nullopt;
  const uint32_t texture = context.state.stage(0, d3d::TextureStageState::TextureMap);
  const DepthResolve resolve = {context.Depth(), context.space->Find(texture)};
  if (!resolve.source || !resolve.destination ||
      resolve.source.resource == resolve.destination.resource)
    return std::nullopt;
  const bool has_depth =
      resolve.source.surface().info().is_depth() && resolve.destination.surface().info().is_depth();
  return has_depth ? std::optional(resolve) : std::nullopt;
}

}  // namespace dp2trace::device
