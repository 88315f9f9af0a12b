// RESZ: a value of POINTSIZE that copies the depth surface into the texture of stage 0. Source: lib/opcode/dp2.md 7.6.
#pragma once

#include <cstdint>
#include <optional>

#include "d3d/states.h"
#include "d3d/vendor_codes.h"
#include "device/context.h"
#include "device/resource.h"
#include "opcode/layouts.h"
#include "stream/records.h"

namespace dp2trace::device {

// Unspecified: surfaces of unlike sizes; chosen: what fits.
struct DepthResolve {
  SurfaceRef source, destination;  // of depth formats, two surfaces
  image::Area area;                // in both
};

// What the context copies where it has a depth surface and such a texture, and no state block is being recorded.
std::optional<DepthResolve> DepthResolveOf(const Context& context);

// What the context copies when a token sets a render state to this value; most values copy nothing.
inline std::optional<DepthResolve> FindDepthResolve(const Context& context, uint32_t render_state,
                                                    uint32_t value) {
  if (render_state != d3d::Value(d3d::RenderState::PointSize) || value != d3d::kReszCode)
    return std::nullopt;
  return DepthResolveOf(context);
}
// Of a record of RENDERSTATE.
inline std::optional<DepthResolve> FindDepthResolve(const Context& context,
                                                    const stream::Record& record) {
  constexpr stream::FieldRef kNumber = stream::Field(opcode::layout::kRenderState, "render_state");
  constexpr stream::FieldRef kValue = stream::Field(opcode::layout::kRenderState, "state");
  return FindDepthResolve(context, record.U32(kNumber), record.U32(kValue));
}

}  // namespace dp2trace::device
