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

// Unspecified: an upper limit for MAXANISOTROPY; chosen: as the reference has it.
constexpr uint32_t kMaxAnisotropy = 16;

// Unspecified: cubic filters as MIN filter; chosen: LINEAR, as the reference does.
Filter KernelOf(Filter filter, bool is_magnified) {
  switch (filter) {
    case Filter::kNone:
    case Filter::kPoint:
      return Filter::kPoint;
    case Filter::kFlatCubic:
    case Filter::kGaussianCubic:
      return is_magnified ? filter : Filter::kLinear;
    case Filter::kGaussianQuad:
      return filter;
    case Filter::kLinear:
    case Filter::kAnisotropic:
    case Filter::kPyramidalQuad:
      break;
  }
  return Filter::kLinear;
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
  const raster::SamplerState& state = sampler.state();
  filters_ = {KernelOf(state.min, false), KernelOf(state.mag, true)};
  for (size_t i = 0; i < 2; ++i)
    is_linear_[i] = filters_[i] == Filter::kLinear;
  if (state.min == Filter::kAnisotropic)
    max_anisotropy_ = std::clamp(state.max_anisotropy, 1U, kMaxAnisotropy);
  FindTexels(cache);
  if (owns_texels()) SetLevels();
}

bool SamplerPlan::IsExact(Filter filter) {
  return filter == Filter::kPoint || filter == Filter::kLinear;
}

void SamplerPlan::FindTexels(TextureCache& cache) {
  const raster::Sampler& sampler = *reference_;
  const bool are_exact = IsExact(filters_[0]) && IsExact(filters_[1]);
  if (are_exact && HasFastForm(sampler)) {
    const raster::SamplerState& state = sampler.state();
    FastForm form = {.address = {state.address[0], state.address[1]},
                     .has_pairs = is_linear_[0] || is_linear_[1]};
    if (HasBorder(form.address)) form.border = BorderTexel(state.border_color, sampler);
    texture_ = cache.Find(sampler, form);
    is_any_ = max_anisotropy_ > 1;
    return;
  }
  if (!HasWideForm(sampler)) return;
  const bool is_exact = sampler.reader().filters_exactly();
  const bool decodes = !is_exact || !are_exact;
  if (decodes) decoded_ = cache.FindWide(sampler, WideFormOf(sampler, false));
  wide_ = is_exact ? cache.FindWide(sampler, WideFormOf(sampler, true)) : decoded_;
  if (!decodes) decoded_ = wide_;
  is_any_ = true;
}

void SamplerPlan::SetLevels() {
  const device::Resource& resource = reference_->resource();
  const raster::SamplerState& state = reference_->state();
  const image::SurfaceDescription& description = resource.surface.description();
  size_ = {static_cast<float>(description.width), static_cast<float>(description.height),
           static_cast<float>(description.depth)};
  mip_ = state.mip;
  lod_bias_ = state.lod_bias;
  last_level_ = description.levels - 1;
  base_level_ = resource.lod;
  if (mip_ != Filter::kNone) base_level_ = std::max(base_level_, state.max_mip_level);
  base_level_ = std::min(base_level_, last_level_);
  needs_lod_ = filters_[0] != filters_[1] || max_anisotropy_ > 1 ||
               (mip_ != Filter::kNone && base_level_ < last_level_);
  is_one_plane_ = !needs_lod_ && wide_ != nullptr && IsExact(filters_[0]) && !wide_->is_cube &&
                  !wide_->is_volume && !wide_->kills_by_alpha && wide_->keyed.empty();
}

bool SamplerPlan::uses_third_coordinate() const {
  if (!owns_texels()) return true;
  return wide_ != nullptr && (wide_->is_cube || wide_->is_volume || wide_->compares_depth);
}

void SamplerPlan::AppendKey(std::vector<uint32_t>& words) const {
  const auto add_place = [&](const void* of) {
    const auto place = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(of));
    words.push_back(static_cast<uint32_t>(place));
    words.push_back(static_cast<uint32_t>(place >> 32));
  };
  add_place(texture_.get());
  add_place(wide_.get());
  add_place(decoded_.get());
  for (const uint32_t word :
       {static_cast<uint32_t>(filters_[0]) | static_cast<uint32_t>(filters_[1]) << 8 |
            static_cast<uint32_t>(mip_) << 16 | max_anisotropy_ << 24,
        base_level_, std::bit_cast<uint32_t>(lod_bias_)})
    words.push_back(word);
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
