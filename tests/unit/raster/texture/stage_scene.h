// A context with textures and stage states, shaded at one point.
#pragma once

#include <cstdint>
#include <vector>

#include "device/context.h"
#include "raster/pixel/stage_plan.h"

namespace dp2trace::testing {

class StageScene {
 public:
  explicit StageScene(uint32_t level = 9, uint32_t runtime_version = 5);

  device::Context& context() { return context_; }
  device::Resource& texture(uint32_t stage) { return *context_.Texture(stage); }
  raster::VertexOutputs& outputs() { return outputs_; }

  void Set(uint32_t stage, d3d::TextureStageState state, uint32_t value);
  void SetReal(uint32_t stage, d3d::TextureStageState state, float value);
  void Set(d3d::RenderState state, uint32_t value) {
    context_.state.render[d3d::Value(state)] = value;
  }
  // COLOROP and ALPHAOP with their first two arguments.
  void SetColor(uint32_t stage, d3d::TextureOp op, uint32_t arg1, uint32_t arg2 = 1);
  void SetAlpha(uint32_t stage, d3d::TextureOp op, uint32_t arg1, uint32_t arg2 = 1);
  // A texture of one row, bound to the stage.
  void Bind(uint32_t stage, d3d::Format format, uint32_t width, const std::vector<uint8_t>& bytes);
  // A texture of one A8R8G8B8 texel.
  void BindColor(uint32_t stage, uint32_t argb);

  // ARGB of the stages' result.
  uint32_t diffuse = 0xFFFFFFFF;
  uint32_t specular = 0;
  raster::Float4 coordinates = {0, 0, 0, 1};  // of all stages
  uint32_t Shade();
  bool is_killed() const { return is_killed_; }

 private:
  device::Space space_;
  device::Context context_;
  raster::VertexOutputs outputs_;
  bool is_killed_ = false;
};

}  // namespace dp2trace::testing
