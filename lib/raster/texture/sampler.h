// Texture sampling: coordinates of a quad to colours. One Sampler is one texture with one stage's sampler states.
// Source: lib/raster/rendering-texture.md 3.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "device/context.h"
#include "image/decoder.h"
#include "raster/lanes.h"
#include "raster/texture/texel_reader.h"

namespace dp2trace::raster {

// Filters by their DX8/9 meaning, whatever numbering the stream uses.
enum class Filter : uint8_t {
  kNone,
  kPoint,
  kLinear,
  kAnisotropic,
  kFlatCubic,
  kGaussianCubic,
  kPyramidalQuad,
  kGaussianQuad
};

struct SamplerState {
  std::array<uint32_t, 3> address = {1, 1, 1};  // D3DTEXTUREADDRESS for u, v, w
  Filter mag = Filter::kPoint, min = Filter::kPoint, mip = Filter::kNone;
  float lod_bias = 0;
  uint32_t max_mip_level = 0;
  uint32_t max_anisotropy = 1;
  uint32_t border_color = 0;  // ARGB
  bool srgb = false;
  std::optional<uint32_t> color_key;  // of the stage, where it is on
};

// The states of a stage slot, filters translated by the context's runtime version.
SamplerState SamplerStateOf(const device::Context& context, uint32_t slot);

// COLORKEYENABLE; kBlend: with COLORKEYBLENDENABLE.
enum class ColorKeyMode : uint8_t { kOff, kKill, kBlend };
ColorKeyMode ColorKeyModeOf(const device::State& state);

// How the level of detail is found.
struct LodRequest {
  enum class Kind : uint8_t { kDerivatives, kExplicit, kGradients };
  Kind kind = Kind::kDerivatives;
  // Added to MIPMAPLODBIAS; with kExplicit the level itself.
  std::array<float, kLaneCount> bias = {};
  Float4Quad ddx = {}, ddy = {};  // kGradients: of the coordinates
};

struct ProbedShading;

class Sampler {
 public:
  // The resource outlives the sampler and does not change while it is used.
  Sampler(const device::Resource& resource, const std::optional<image::Palette>& palette,
          const SamplerState& state, ColorKeyMode color_key);
  Sampler(const Sampler&) = delete;  // parts point at each other
  Sampler& operator=(const Sampler&) = delete;

  // Coordinates after projection division and bump offset. Helper lanes are sampled, too. Sets bits of `killed` for lanes whose texel
  // matches the colour key. A probe gets the sample of its lane, under this number.
  Float4Quad Sample(const Float4Quad& coordinates, const LodRequest& lod, uint32_t& killed,
                    ProbedShading* shading = nullptr, uint32_t number = 0) const;

  // Bit l: the stored alpha of the nearest texel of lane l is odd, or the format has none. For the MASK modes of TEXTUREMAPBLEND.
  uint32_t AlphaBits(const Float4Quad& coordinates, const LodRequest& lod) const;

  bool is_cube() const;
  bool is_volume() const;
  bool may_kill() const;
  // Of what may kill: where the filtered alpha is 0, and not by the nearest texel.
  bool kills_by_alpha() const { return may_kill() && color_key_ == ColorKeyMode::kBlend; }
  const d3d::FormatInfo& format() const;
  LevelView View(uint32_t face, uint32_t level) const;

  const device::Resource& resource() const { return *resource_; }
  // In force for the texture; null without one.
  const image::Palette* palette() const { return palette_ ? &*palette_ : nullptr; }
  const SamplerState& state() const { return state_; }
  const TexelReader& reader() const { return reader_; }

 private:
  const device::Resource* resource_;
  std::optional<image::Palette> palette_;
  SamplerState state_;
  ColorKeyMode color_key_;
  image::Decoder decoder_;
  TexelReader reader_;
};

// The texture that is bound to the slot, with the slot's sampler states and the context's colour key mode; null where none is bound.
std::unique_ptr<Sampler> MakeSampler(const device::Context& context, uint32_t slot);

}  // namespace dp2trace::raster
