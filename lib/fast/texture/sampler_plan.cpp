#include "fast/texture/sampler_plan.h"

#include <algorithm>
#include <bit>

#include "d3d/enums.h"

namespace dp2trace::fast {
namespace {

using raster::Filter;
using raster::Float4Quad;

// Lane of the block that lane i of the quad with this first lane is.
constexpr size_t LaneOf(size_t first, size_t i) {
  return first + (i & 1U) + 8 * (i >> 1U);
}

Float4Quad Vectors(const Frame& frame, const Operand& operand, size_t first) {
  Float4Quad result = {};
  for (uint32_t lane = 0; lane < raster::kLaneCount; ++lane) {
    for (uint32_t i = 0; i < 3; ++i)
      result[lane][i] = frame.registers[operand.number() + i].lanes[LaneOf(first, lane)];
  }
  return result;
}

raster::LodRequest RequestOf(LodKind kind, const Instruction& i, const Frame& frame, size_t first) {
  raster::LodRequest request;
  if (kind == LodKind::kGradients) {
    request.kind = raster::LodRequest::Kind::kGradients;
    request.ddx = Vectors(frame, i.b, first);
    request.ddy = Vectors(frame, i.c, first);
    return request;
  }
  if (kind == LodKind::kDerivatives) return request;
  if (kind == LodKind::kLevel) request.kind = raster::LodRequest::Kind::kExplicit;
  for (uint32_t lane = 0; lane < raster::kLaneCount; ++lane) {
    request.bias[lane] = i.b.is_constant()
                             ? frame.constants[i.b.number()].lanes[0]
                             : frame.registers[i.b.number()].lanes[LaneOf(first, lane)];
  }
  return request;
}

// Bits of the lanes of a quad whose first lane is 0.
constexpr uint64_t kQuadLanes = 0x303;

bool IsPoint(Filter filter) {
  return filter == Filter::kNone || filter == Filter::kPoint;
}
// Unspecified: cubic filters as MIN filter; chosen: LINEAR, as the reference does.
bool IsLinear(Filter filter, bool is_magnified) {
  if (!is_magnified && (filter == Filter::kFlatCubic || filter == Filter::kGaussianCubic))
    return true;
  return filter == Filter::kLinear || filter == Filter::kAnisotropic ||
         filter == Filter::kPyramidalQuad;
}

// The border colour among the stored integers (3.2).
uint32_t BorderTexel(uint32_t argb, const raster::Sampler& sampler) {
  const image::Decoder decoder(sampler.format(), sampler.palette());
  constexpr uint32_t kShifts[] = {16, 8, 0, 24};
  uint32_t texel = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t largest = (1U << decoder.stored_channels()[i].bits) - 1;
    texel |= (2 * (argb >> kShifts[i] & 0xFFU) * largest + 255) / 510 << (8 * i);
  }
  return texel;
}

}  // namespace

SamplerPlan::SamplerPlan(const raster::Sampler& sampler, TextureCache& cache)
    : reference_(&sampler) {
  if (!HasFastForm(sampler) || !HasKernel()) return;
  const raster::SamplerState& state = sampler.state();
  is_linear_ = {IsLinear(state.min, false), IsLinear(state.mag, true)};
  FastForm form = {.address = {state.address[0], state.address[1]},
                   .has_pairs = is_linear_[0] || is_linear_[1]};
  const bool has_border =
      std::ranges::find(form.address, d3d::Value(d3d::TextureAddress::Border)) !=
      form.address.end();
  if (has_border) form.border = BorderTexel(state.border_color, sampler);
  texture_ = cache.Find(sampler, form);
  mip_ = state.mip;
  lod_bias_ = state.lod_bias;
  last_level_ = static_cast<uint32_t>(texture_->levels.size()) - 1;
  base_level_ = sampler.resource().lod;
  if (mip_ != Filter::kNone) base_level_ = std::max(base_level_, state.max_mip_level);
  base_level_ = std::min(base_level_, last_level_);
  needs_lod_ =
      is_linear_[0] != is_linear_[1] || (mip_ != Filter::kNone && base_level_ < last_level_);
}

void SamplerPlan::AppendKey(std::vector<uint32_t>& words) const {
  const auto place = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(texture_.get()));
  const uint32_t kinds =
      (is_linear_[0] ? 1U : 0U) | (is_linear_[1] ? 2U : 0U) | static_cast<uint32_t>(mip_) << 8;
  for (const uint32_t word : {static_cast<uint32_t>(place), static_cast<uint32_t>(place >> 32),
                              kinds, base_level_, std::bit_cast<uint32_t>(lod_bias_)}) {
    words.push_back(word);
  }
}

bool SamplerPlan::HasKernel() const {
  const raster::SamplerState& state = reference_->state();
  if (!IsPoint(state.mag) && !IsLinear(state.mag, true)) return false;
  if (!IsPoint(state.min) && !IsLinear(state.min, false)) return false;
  return state.min != Filter::kAnisotropic || state.max_anisotropy <= 1;
}

void SampleWithReference(const SamplerPlan& plan, LodKind kind, const Instruction& i,
                         Frame& frame) {
  for (size_t y = 0; y < 8; y += 2) {
    for (size_t x = 0; x < 8; x += 2) {
      const size_t first = 8 * y + x;
      if ((frame.active & kQuadLanes << first) == 0) continue;
      uint32_t killed = 0;
      const Float4Quad colors = plan.reference().Sample(Vectors(frame, i.a, first),
                                                        RequestOf(kind, i, frame, first), killed);
      for (uint32_t lane = 0; lane < raster::kLaneCount; ++lane) {
        const size_t at = LaneOf(first, lane);
        for (uint32_t c = 0; c < 4; ++c)
          frame.registers[i.to + c].lanes[at] = colors[lane][c];
        frame.killed |= uint64_t{killed >> lane & 1U} << at;
      }
    }
  }
}

}  // namespace dp2trace::fast
