// The texture stages of a context, compiled once per draw: what each stage samples, computes and writes.
// Source: lib/raster/rendering-texture.md 4.1, 4.4, 4.5 and 4.6.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/context.h"
#include "raster/pixel/combine.h"
#include "raster/pixel/quad.h"
#include "raster/texture/sampler.h"

namespace dp2trace::raster {

// A BUMPENVMAP or BUMPENVMAPLUMINANCE stage that perturbs the next one.
struct BumpPlan {
  std::array<float, 4> matrix = {};  // BUMPENVMAT00, 01, 10, 11
  bool scales_luminance = false;
  bool has_luminance = false;  // the format stores L; else it is 1
  float luminance_scale = 0, luminance_offset = 0;
};

struct StagePlan {
  uint32_t stage = 0;
  std::unique_ptr<Sampler> sampler;  // null where the stage needs no texel
  std::optional<uint32_t> divisor;   // PROJECTED
  bool is_signed_texture = false;    // not clamped as an argument
  // PREMODULATE of the stage before: CURRENT is multiplied by the texture first.
  bool multiplies_color = false;
  bool multiplies_alpha = false;
  bool is_bump = false;          // writes nothing
  std::optional<BumpPlan> bump;  // a bump stage that has what it needs
  Equation color, alpha;
  // And so does alpha: TEXTURE is read and none is bound. The cascade ends with this stage.
  bool color_passes_current = false;
  bool alpha_passes_current = false;
  bool writes_temp = false;
  // DECALMASK, MODULATEMASK: diffuse where the stored alpha is even, alpha of diffuse.
  bool masks_by_alpha = false;
  Float4 constant = {};
};

// All texture stages of a draw.
struct TextureStages {
  std::vector<StagePlan> stages;
  uint32_t varying_mask = 0;  // VertexOutputs
  Float4 factor = {};         // TEXTUREFACTOR
  bool adds_specular = false;
};
TextureStages MakeTextureStages(const device::Context& context, const VertexOutputs& outputs);

// The stages before the first one with COLOROP DISABLE; one whose COLOROP reads a texture that is not bound is the last, and writes nothing.
std::vector<StagePlan> CompileStages(const device::Context& context, const VertexOutputs& outputs);

// The stages as a program (lib/raster/rendering-texture.md 4), specular add included.
std::unique_ptr<PixelProgram> MakeFixedFunctionStages(std::shared_ptr<const TextureStages> stages);
// Those of the context, whose textures outlive the program and do not change while it is used.
std::unique_ptr<PixelProgram> MakeFixedFunctionStages(const device::Context& context,
                                                      const VertexOutputs& outputs);

}  // namespace dp2trace::raster
