#include "raster/texture/lod.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace dp2trace::raster {
namespace {

constexpr float kSmallestRho2 = 0x1p-120F;
constexpr float kLowestLambda = -64.0F;
constexpr float kMaxBias = 16.0F;
// Unspecified: an upper limit for MAXANISOTROPY; chosen: what D3D9 hardware offers.
constexpr uint32_t kMaxAnisotropy = 16;

// |d|^2 in texels of level 0.
float SquaredLength(const Float4& derivative, const Extent& extent) {
  const float x = derivative[0] * static_cast<float>(extent.size[0]);
  const float y = derivative[1] * static_cast<float>(extent.size[1]);
  const float square = x * x + y * y;
  if (extent.axes < 3) return square;
  const float z = derivative[2] * static_cast<float>(extent.size[2]);
  return square + z * z;
}

float Round8(float x) {
  return std::floor(x * 256.0F + 0.5F) / 256.0F;
}

// rho^2 and, with ANISOTROPIC, samples and step of the choice.
float FindFootprintSize(const SamplerState& state, const Extent& extent, const Footprint& footprint,
                        LevelChoice& choice) {
  const float dx2 = SquaredLength(footprint.ddx, extent);
  const float dy2 = SquaredLength(footprint.ddy, extent);
  const uint32_t limit = std::min(state.max_anisotropy, kMaxAnisotropy);
  if (state.min != Filter::kAnisotropic || limit <= 1) return Max(dx2, dy2);
  const bool is_dx_longer = dx2 >= dy2;
  const float longer = is_dx_longer ? dx2 : dy2;
  const float ratio = std::sqrt(longer) / Max(std::sqrt(is_dx_longer ? dy2 : dx2), 0x1p-10F);
  const float count = Min(-std::floor(-ratio), static_cast<float>(limit));  // NaN gives the limit
  choice.samples = static_cast<uint32_t>(Max(count, 1.0F));
  choice.step = is_dx_longer ? footprint.ddx : footprint.ddy;
  return longer / static_cast<float>(choice.samples * choice.samples);
}

float Lambda(float rho2, LodRequest::Kind kind, float state_bias, float bias) {
  const bool is_explicit = kind == LodRequest::Kind::kExplicit;
  const float detail = rho2 >= kSmallestRho2 ? 0.5F * LodLog2(rho2) : kLowestLambda;
  const float added = is_explicit ? state_bias : state_bias + bias;
  const float lambda = (is_explicit ? bias : detail) + Min(Max(added, -kMaxBias), kMaxBias);
  return std::isnan(lambda) ? kLowestLambda : Round8(lambda);
}

void ChooseMipLevels(Filter mip, float lambda, float base, float last, LevelChoice& choice) {
  if (mip == Filter::kNone) {
    choice.first = static_cast<uint32_t>(base);
    return;
  }
  if (mip == Filter::kPoint) {
    choice.first = static_cast<uint32_t>(Min(Max(std::floor(lambda + 0.5F), base), last));
    return;
  }
  const float clamped = Min(Max(lambda, base), last);
  const float first = std::floor(clamped);
  choice.first = static_cast<uint32_t>(first);
  choice.second = static_cast<uint32_t>(Min(first + 1.0F, last));
  choice.fraction = Round8(clamped - first);
}

// Unspecified: cubic filters as MIN filter; chosen: LINEAR, they are for magnification.
Filter MinFilter(Filter filter) {
  return filter == Filter::kFlatCubic || filter == Filter::kGaussianCubic ? Filter::kLinear
                                                                          : filter;
}

}  // namespace

float LodLog2(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  const auto exponent = static_cast<int32_t>(bits >> 23) - 127;
  const auto m = std::bit_cast<float>((bits & 0x7FFFFF) | 0x3F800000);
  const auto c0 = std::bit_cast<float>(0x3EE24730U);
  const auto c1 = std::bit_cast<float>(0xBE88C807U);
  const auto c2 = std::bit_cast<float>(0x3E176BCFU);
  const auto c3 = std::bit_cast<float>(0xBD3663B4U);
  const float t = m - 1.0F;
  const float s = ((c3 * t + c2) * t + c1) * t + c0;
  return static_cast<float>(exponent) + (t + (t * (1.0F - t)) * s);
}

// Unspecified: which level of detail decides between MAG and MIN with ANISOTROPIC; chosen: that of its own rho^2, the only one.
LevelChoice ChooseLevels(const SamplerState& state, const Extent& extent,
                         const Footprint& footprint, LodRequest::Kind kind, float bias) {
  LevelChoice choice;
  const bool is_explicit = kind == LodRequest::Kind::kExplicit;
  const float rho2 = is_explicit ? 0.0F : FindFootprintSize(state, extent, footprint, choice);
  const float lambda = Lambda(rho2, kind, state.lod_bias, bias);
  const bool is_magnified = lambda <= 0.0F;
  choice.filter = is_magnified ? state.mag : MinFilter(state.min);
  if (is_magnified) choice.samples = 1;  // ANISOTROPIC magnifies as LINEAR
  uint32_t base = extent.first_level;
  if (state.mip != Filter::kNone) base = std::max(base, state.max_mip_level);
  base = std::min(base, extent.last_level);
  ChooseMipLevels(state.mip, lambda, static_cast<float>(base),
                  static_cast<float>(extent.last_level), choice);
  return choice;
}

}  // namespace dp2trace::raster
