// Commands of vendors' extensions in render states. Source: lib/opcode/dp2.md 7.6; d3d/vendor_codes.h.
#include <algorithm>

#include "d3d/vendor_codes.h"
#include "device/apply/apply.h"
#include "device/token.h"
#include "image/depth.h"

namespace dp2trace::device {
namespace {

// RESZ: the depth surface into the texture of stage 0. Unspecified: which sample counts, and surfaces of unlike sizes; chosen: sample 0,
// and what fits.
void ResolveDepth(const Token& token) {
  const SurfaceRef source = token.context.Depth();
  const SurfaceRef texture =
      token.context.space->Find(token.context.state.stage(0, d3d::TextureStageState::TextureMap));
  if (!source || !texture || source.resource == texture.resource) return;
  const d3d::FormatInfo& from = source.surface().info();
  const d3d::FormatInfo& to = texture.surface().info();
  if (!from.is_depth() || !to.is_depth()) return;
  const image::Level read = source.bits();
  const image::Level written = texture.bits();
  const uint32_t width = std::min(read.width, written.width);
  const uint32_t height = std::min(read.height, written.height);
  if (!token.work.Spend(uint64_t{width} * height)) return;
  const bool has_same_depth = image::DepthBits(from) == image::DepthBits(to);
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      image::DepthStencil value = image::LoadDepthStencil(from, read.block(x, y, 0));
      if (!has_same_depth)
        value.depth = image::QuantizeDepth(to, image::DepthToDouble(from, value.depth));
      image::StoreDepthStencil(to, value, true, true, written.block(x, y, 0));
    }
  }
}

}  // namespace

void ApplyVendorCode(const Token& token, uint32_t state, uint32_t value) {
  const bool is_resolve =
      state == d3d::Value(d3d::RenderState::PointSize) && value == d3d::kReszCode;
  if (is_resolve && token.context.recording == nullptr) ResolveDepth(token);
}

}  // namespace dp2trace::device
