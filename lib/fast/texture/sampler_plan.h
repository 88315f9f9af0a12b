// A texture with sampler states, ready for the sampling kernels. Immutable.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "fast/machine/kernels.h"
#include "fast/texture/texture_cache.h"
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
  bool owns_texels() const { return texture_ != nullptr || is_any_; }
  // Colours are in [0, 1], and never -0 or NaN.
  bool is_unit() const { return texture_ != nullptr && !is_any_; }
  // The third coordinate matters.
  bool uses_third_coordinate() const;
  // SampleAny() samples: textures of any kind, with any filter.
  bool is_any() const { return is_any_; }

  const raster::Sampler& reference() const { return *reference_; }
  // Null where the texture is a wide one.
  const FastTexture* plain() const { return texture_.get(); }
  const FastTexture& texture() const { return *texture_; }
  // What the filter reads.
  const WideTexture& wide(raster::Filter filter) const {
    return IsExact(filter) ? *wide_ : *decoded_;
  }
  bool is_linear(bool is_magnified) const { return is_linear_[is_magnified ? 1 : 0]; }
  raster::Filter filter(bool is_magnified) const { return filters_[is_magnified ? 1 : 0]; }
  raster::Filter mip() const { return mip_; }
  uint32_t base_level() const { return base_level_; }
  uint32_t last_level() const { return last_level_; }
  float lod_bias() const { return lod_bias_; }
  // 1: no more samples than one.
  uint32_t max_anisotropy() const { return max_anisotropy_; }
  // Of level 0, in texels.
  const std::array<float, 3>& size() const { return size_; }
  // Where texels are owned: all that sampling depends on, as words. Means the same as long as the texture lives.
  void AppendKey(std::vector<uint32_t>& words) const;
  // The level of detail decides about anything.
  bool needs_lod() const { return needs_lod_; }
  // A level of a wide texture that is a plane, with POINT or LINEAR and without a colour key.
  bool is_one_plane() const { return is_one_plane_; }

 private:
  static bool IsExact(raster::Filter filter);
  void FindTexels(TextureCache& cache);
  void SetLevels();

  const raster::Sampler* reference_;
  std::shared_ptr<const FastTexture> texture_;
  // Not null together: for filters that are exact where the format allows it, and for the others. Often the same one.
  std::shared_ptr<const WideTexture> wide_, decoded_;
  bool is_any_ = false;
  std::array<bool, 2> is_linear_ = {};          // minified, magnified
  std::array<raster::Filter, 2> filters_ = {};  // the same, NONE is POINT and ANISOTROPIC is LINEAR
  uint32_t max_anisotropy_ = 1;
  std::array<float, 3> size_ = {1, 1, 1};
  raster::Filter mip_ = raster::Filter::kNone;
  uint32_t base_level_ = 0, last_level_ = 0;
  float lod_bias_ = 0;
  bool needs_lod_ = false;
  bool is_one_plane_ = false;
};

// Through the reference, for any sampler.
void SampleWithReference(const SamplerPlan& plan, LodKind kind, const Instruction& instruction,
                         Frame& frame);

}  // namespace dp2trace::fast
