// Sampler states of a stage. Source: lib/raster/rendering.md 0.9 ("Filter enumerations changed").
#include <array>
#include <iterator>

#include "raster/texture/sampler.h"

namespace dp2trace::raster {
namespace {

using Tss = d3d::TextureStageState;

// By value of D3DTEXF; MAG and MIN of runtime versions from kFirstModernRuntime on.
constexpr Filter kModernFilters[] = {
    Filter::kNone,      Filter::kPoint,         Filter::kLinear,        Filter::kAnisotropic,
    Filter::kFlatCubic, Filter::kGaussianCubic, Filter::kPyramidalQuad, Filter::kGaussianQuad};
// D3DTFG, D3DTFN and D3DTFP.
constexpr Filter kLegacyMagFilters[] = {Filter::kNone,          Filter::kPoint,
                                        Filter::kLinear,        Filter::kFlatCubic,
                                        Filter::kGaussianCubic, Filter::kAnisotropic};
constexpr Filter kLegacyMinFilters[] = {Filter::kNone, Filter::kPoint, Filter::kLinear,
                                        Filter::kAnisotropic};
constexpr Filter kModernMipFilters[] = {Filter::kNone, Filter::kPoint, Filter::kLinear};
constexpr Filter kLegacyMipFilters[] = {Filter::kNone, Filter::kNone, Filter::kPoint,
                                        Filter::kLinear};

// Unspecified: values outside the enumeration; chosen: POINT for MAG and MIN, LINEAR for MIP (what asks for more than LINEAR, such as
// ANISOTROPIC, gets the best there is).
template <size_t Count>
Filter FilterOf(const Filter (&table)[Count], uint32_t value, Filter outside) {
  return value < Count ? table[value] : outside;
}

}  // namespace

SamplerState SamplerStateOf(const device::Context& context, uint32_t slot) {
  const device::State& state = context.state;
  const bool is_modern = context.runtime_version >= d3d::kFirstModernRuntime;
  const uint32_t mag = state.stage(slot, Tss::MagFilter);
  const uint32_t min = state.stage(slot, Tss::MinFilter);
  const uint32_t mip = state.stage(slot, Tss::MipFilter);
  SamplerState sampler;
  sampler.address = {state.stage(slot, Tss::AddressU), state.stage(slot, Tss::AddressV),
                     state.stage(slot, Tss::AddressW)};
  sampler.mag = is_modern ? FilterOf(kModernFilters, mag, Filter::kPoint)
                          : FilterOf(kLegacyMagFilters, mag, Filter::kPoint);
  sampler.min = is_modern ? FilterOf(kModernFilters, min, Filter::kPoint)
                          : FilterOf(kLegacyMinFilters, min, Filter::kPoint);
  sampler.mip = is_modern ? FilterOf(kModernMipFilters, mip, Filter::kLinear)
                          : FilterOf(kLegacyMipFilters, mip, Filter::kLinear);
  sampler.lod_bias = state.stage_real(slot, Tss::MipMapLodBias);
  sampler.max_mip_level = state.stage(slot, Tss::MaxMipLevel);
  sampler.max_anisotropy = state.stage(slot, Tss::MaxAnisotropy);
  sampler.border_color = state.stage(slot, Tss::BorderColor);
  sampler.srgb = (state.stage(slot, Tss::SrgbTexture) & 1) != 0;
  if (state.stage(slot, Tss::DisableTextureColorKey) == 0)
    sampler.color_key = state.stage(slot, Tss::TextureColorKeyVal);
  return sampler;
}

}  // namespace dp2trace::raster
