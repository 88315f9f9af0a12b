#include "device/table_fog.h"

namespace dp2trace::device {

bool TableFogUsesW(const State& state, bool is_projected) {
  const Matrix& projection = state.transform(d3d::TransformState::Projection);
  const bool is_affine =
      projection[3] == 0 && projection[7] == 0 && projection[11] == 0 && projection[15] == 1;
  if (!is_affine) return true;
  if (is_projected || projection != kIdentity) return false;
  // Unspecified: streams without a projection; chosen: WINFO, where it is not the default.
  return state.w_near != state.w_far && !(state.w_near == 0 && state.w_far == 1);
}

}  // namespace dp2trace::device
