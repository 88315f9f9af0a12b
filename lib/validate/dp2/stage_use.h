// Which texture stages a draw uses: those that take part in the cascade, and those whose textures are read.
// Source: lib/opcode/dp2.md 8.4 and 25; lib/raster/rendering-texture.md 4.1 and 4.2; lib/raster/rendering-shaders.md 8.8.
#pragma once

#include <cstdint>
#include <map>

#include "device/context.h"
#include "validate/command_view.h"

namespace dp2trace::validate {

// The stages or samplers that pixel shaders read, by handle: found once.
class SamplerMasks {
 public:
  // Bit s: the shader samples texture s. 0 where there is no such shader, or where its code cannot be read.
  uint32_t Of(const device::Context& context, uint32_t shader);
  // The shader was created or deleted.
  void Forget(uint32_t shader) { masks_.erase(shader); }

 private:
  std::map<uint32_t, uint32_t> masks_;
};

struct StageUse {
  bool has_shader = false;  // a pixel shader replaces the cascade
  uint32_t stages = 0;    // of the cascade: stages 0 to stages - 1 take part; 0 with a pixel shader
  uint32_t textures = 0;  // bit s: the texture of stage s is read, and one is bound
  // Of the cascade: stage `stages` is on and reads a texture, none is bound there, and so it is off; another one after it is on.
  bool lacks_texture = false, loses_stages = false;
};
// BUMPENVMAP and BUMPENVMAPLUMINANCE, of COLOROP.
bool IsBump(uint32_t operation);
// Whether the equations of an enabled stage read the argument.
bool StageReads(const device::State& state, uint32_t stage, d3d::TextureArg what);
// Bit s: a draw reads texture stage s, whatever is bound there.
uint32_t ReadTextures(const CommandView& view, SamplerMasks& masks);
StageUse UseOf(const CommandView& view, SamplerMasks& masks);

}  // namespace dp2trace::validate
