// A texture with sampler states, ready for the sampling kernels. Immutable.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "fast/machine/kernels.h"
#include "fast/texture/fast_texture.h"
#include "raster/texture/sampler.h"

namespace dp2trace::fast {

// How the level of detail of a sampling operation is found.
enum class LodKind : uint8_t { kDerivatives, kBias, kLevel, kGradients };

class SamplerPlan {
 public:
  // With texels of the cache where a kernel exists; else through the reference's sampler, quad by quad: it outlives the plan, and its
  // texture does not change while the plan is used.
  SamplerPlan(const raster::Sampler& sampler, TextureCache& cache);

  // False where the texels are those of the surface itself: then they must be sampled before it changes.
  bool owns_texels() const { return texture_ != nullptr; }
  // Colours are in [0, 1], and never -0 or NaN.
  bool is_unit() const { return texture_ != nullptr; }
  // The third coordinate matters.
  bool uses_third_coordinate() const { return texture_ == nullptr; }

  const raster::Sampler& reference() const { return *reference_; }
  const FastTexture& texture() const { return *texture_; }
  bool is_linear(bool is_magnified) const { return is_linear_[is_magnified ? 1 : 0]; }
  raster::Filter mip() const { return mip_; }
  uint32_t base_level() const { return base_level_; }
  uint32_t last_level() const { return last_level_; }
  float lod_bias() const { return lod_bias_; }
  // Where texels are owned: all that sampling depends on, as words. Means the same as long as the texture lives.
  void AppendKey(std::vector<uint32_t>& words) const;
  // The level of detail decides about anything.
  bool needs_lod() const { return needs_lod_; }

 private:
  bool HasKernel() const;

  const raster::Sampler* reference_;
  std::shared_ptr<const FastTexture> texture_;
  std::array<bool, 2> is_linear_ = {};  // minified, magnified
  raster::Filter mip_ = raster::Filter::kNone;
  uint32_t base_level_ = 0, last_level_ = 0;
  float lod_bias_ = 0;
  bool needs_lod_ = false;
};

// Through the reference, for any sampler.
void SampleWithReference(const SamplerPlan& plan, LodKind kind, const Instruction& instruction,
                         Frame& frame);

}  // namespace dp2trace::fast
