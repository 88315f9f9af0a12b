#include "raster/texture/address.h"

#include <algorithm>
#include <cmath>

#include "d3d/enums.h"
#include "raster/math.h"

namespace dp2trace::raster {
namespace {

using d3d::TextureAddress;
using d3d::Value;

// 22.8 fixed point. Only a buffer bound as a texture is wider than this; its far end cannot be reached.
constexpr int64_t kMaxQuantized = int64_t{1} << 30;
constexpr float kMaxTexels = 1048576.0F;  // 2^20

// Unspecified: modes outside the enumeration; chosen: WRAP, the default.
bool IsWrap(uint32_t mode) {
  return mode <= Value(TextureAddress::Wrap) || mode > Value(TextureAddress::MirrorOnce);
}

// Brings u near [0, 1] so that the product with the size keeps its precision. An infinity becomes NaN with WRAP and MIRROR.
float Condition(float u, uint32_t mode, float size) {
  if (std::isnan(u)) return 0.0F;
  if (IsWrap(mode)) return u - std::floor(u);
  if (mode == Value(TextureAddress::Mirror)) return u - 2.0F * std::floor(u * 0.5F);
  const float limit = kMaxTexels / size;
  return Min(Max(u, -limit), limit);
}

// i mod n, never negative.
int32_t Modulo(int64_t i, int64_t n) {
  const int64_t rest = i % n;
  return static_cast<int32_t>(rest < 0 ? rest + n : rest);
}

}  // namespace

int32_t QuantizeCoordinate(float u, uint32_t mode, uint32_t size) {
  const auto texels = static_cast<float>(size);
  const float scaled = Condition(u, mode, texels) * texels * 256.0F + 0.5F;
  return static_cast<int32_t>(std::clamp(FloorToInt(scaled), -kMaxQuantized, kMaxQuantized));
}

int32_t ResolveTap(int32_t i, uint32_t mode, uint32_t size) {
  const auto n = static_cast<int32_t>(size);  // sizes of surfaces are below 2^31
  if (IsWrap(mode)) return Modulo(i, n);
  if (mode == Value(TextureAddress::Mirror)) {
    const int32_t k = Modulo(i, 2 * int64_t{n});
    return k < n ? k : 2 * n - 1 - k;
  }
  if (mode == Value(TextureAddress::Border)) return i >= 0 && i < n ? i : kBorderTap;
  if (mode == Value(TextureAddress::MirrorOnce) && i < 0) i = -1 - i;
  return std::clamp(i, 0, n - 1);
}

}  // namespace dp2trace::raster
