// The textures that a shader samples, with what the texture instructions of pixel shaders 1.x need of the stages.
// Source: lib/raster/rendering-texture.md 3; lib/raster/rendering-shaders.md 8.7 and 8.8.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "device/context.h"
#include "raster/lanes.h"
#include "raster/texture/sampler.h"
#include "raster/vertex/vertex.h"
#include "shader/program.h"

namespace dp2trace::raster {

// Bump environment of a stage.
struct StageBump {
  float m00 = 0, m01 = 0, m10 = 0, m11 = 0;
  float luminance_scale = 0, luminance_offset = 0;
};

class TextureBank {
 public:
  // `outputs` may be null for vertex shaders.
  TextureBank(const device::Context& context, const shader::Program& program,
              const VertexOutputs* outputs);

  // (0, 0, 0, 1) where no texture is bound. Lanes in `lanes` whose texel matches the colour key are added to `killed`.
  Float4Quad Sample(uint32_t number, const Float4Quad& coordinates, const LodRequest& lod,
                    uint32_t lanes, uint32_t& killed, ProbedShading* probe = nullptr) const;
  // PROJECTED of a stage (pixel shaders 1.1 to 1.3).
  void Project(uint32_t stage, Float4Quad& coordinates) const;
  const StageBump& bump(uint32_t stage) const;
  bool may_kill() const { return may_kill_; }
  // Null where the program does not sample, or nothing is bound.
  const Sampler* sampler(uint32_t number) const {
    return number < samplers_.size() ? samplers_[number].get() : nullptr;
  }
  // The component that PROJECTED divides by.
  std::optional<uint32_t> divisor(uint32_t stage) const {
    return stage < divisors_.size() ? divisors_[stage] : std::nullopt;
  }

 private:
  std::array<std::unique_ptr<Sampler>, d3d::kPixelSamplerCount> samplers_;
  std::array<StageBump, d3d::kCombinerStageCount> bumps_;
  std::array<std::optional<uint32_t>, d3d::kCombinerStageCount> divisors_;
  bool may_kill_ = false;
};

}  // namespace dp2trace::raster
