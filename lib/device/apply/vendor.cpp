// Commands of vendors' extensions in render states. Source: lib/opcode/dp2.md 7.6; d3d/vendor_codes.h.
#include "device/apply/apply.h"
#include "device/depth_resolve.h"
#include "device/token.h"
#include "image/depth.h"

namespace dp2trace::device {
namespace {

// Unspecified: which sample counts; chosen: sample 0.
void ResolveDepth(const Token& token, const DepthResolve& resolve) {
  const d3d::FormatInfo& from = resolve.source.surface().info();
  const d3d::FormatInfo& to = resolve.destination.surface().info();
  if (!resolve.source.surface().has_pixels() || !resolve.destination.surface().has_pixels()) return;
  const image::Level read = resolve.source.bits();
  const image::Level written = resolve.destination.bits();
  const uint32_t width = resolve.area.width();
  const uint32_t height = resolve.area.height();
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
  if (const auto resolve = FindDepthResolve(token.context, state, value))
    ResolveDepth(token, *resolve);
}

}  // namespace dp2trace::device
