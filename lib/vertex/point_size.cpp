#include "vertex/point_size.h"

#include <cmath>

namespace dp2trace::vertex {

float ClampPointSize(float size, float least, float greatest) {
  return Max(least, Min(size, Min(greatest, kMaxPointSize)));
}

float ScalePointSize(const PointScale& scale, float size, float viewport_height, float distance) {
  return viewport_height * size *
         std::sqrt(1.0F / (scale.a + scale.b * distance + scale.c * distance * distance));
}

}  // namespace dp2trace::vertex
