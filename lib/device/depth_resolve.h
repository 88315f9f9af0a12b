// RESZ: a value of POINTSIZE that copies the depth surface into the texture of stage 0. Source: lib/opcode/dp2.md 7.6.
#pragma once

#include <cstdint>
#include <optional>

#include "device/context.h"
#include "device/resource.h"

namespace dp2trace::device {

struct DepthResolve {
  SurfaceRef source, destination;  // of depth formats, two surfaces
};

// What the context copies when a token sets a render state to this value; most values copy nothing.
std::optional<DepthResolve> FindDepthResolve(const Context& context, uint32_t render_state,
                                             uint32_t value);

}  // namespace dp2trace::device
