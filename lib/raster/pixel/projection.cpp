#include "raster/pixel/projection.h"

#include "d3d/enums.h"
#include "raster/vertex/vertex.h"

namespace dp2trace::raster {

// Of transformed vertices COUNT2 to COUNT4 name the divisor; any other count (only PROJECTED, COUNT1, 0xFFFFFFFF) stands
// for the last declared component.
// A component that is not declared counts as 1, which leaves the coordinates as they are; so does the absence of all.
// Unspecified: COUNT4 over two components, whose padding has 0 there; chosen: 1 too, nobody wants to divide by it.
std::optional<uint32_t> ProjectionDivisor(uint32_t flags, uint32_t components) {
  if ((flags & d3d::kTextureTransformProjected) == 0) return std::nullopt;
  if (components == kDivisorInW) return 3;
  const uint32_t count = flags & d3d::kTextureTransformCountMask;
  const uint32_t divisor = count >= 2 && count <= 4 ? count : components;
  if (divisor == 0 || divisor > components) return std::nullopt;
  return divisor - 1;
}

void DivideCoordinates(Float4Quad& coordinates, std::optional<uint32_t> divisor) {
  if (!divisor) return;
  for (Float4& lane : coordinates) {
    const float by = lane[*divisor];
    for (float& component : lane) {
      component = component / by;
    }
  }
}

}  // namespace dp2trace::raster
