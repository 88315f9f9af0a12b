// A context with textures and constants, and shaders written as assembly that run in it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "device/context.h"
#include "raster/pixel/stage_plan.h"
#include "raster/vertex/processor.h"
#include "shader/program.h"

namespace dp2trace::testing {

class ShaderScene {
 public:
  ShaderScene();

  device::Context& context() { return context_; }
  raster::VertexOutputs& outputs() { return outputs_; }
  raster::Quad& quad() { return quad_; }
  device::VertexLayout& layout() { return layout_; }
  raster::VertexInput& input() { return input_; }

  // Constants of both kinds of shader.
  void SetReal(uint32_t number, const raster::Float4& value);
  void SetInteger(uint32_t number, const std::array<int32_t, 4>& value);
  void SetBoolean(uint32_t number, bool value);
  void Set(uint32_t stage, d3d::TextureStageState state, uint32_t value);
  void SetReal(uint32_t stage, d3d::TextureStageState state, float value);
  void Set(d3d::RenderState state, uint32_t value) {
    context_.state.render[d3d::Value(state)] = value;
  }
  // One level from bytes without padding.
  void Bind(uint32_t slot, d3d::Format format, uint32_t width, uint32_t height,
            const std::vector<uint8_t>& bytes);
  // One texel of A32B32G32R32F.
  void BindValue(uint32_t slot, const raster::Float4& value);
  // A varying in all lanes, and in each.
  void SetVarying(uint32_t slot, const raster::Float4& value);
  void SetVaryings(uint32_t slot, const raster::Float4Quad& values) {
    quad_.varyings[slot] = values;
  }

  raster::QuadColors Shade(std::string_view text);
  // Colour of target 0 in lane 0.
  raster::Float4 Color(std::string_view text) {
    const raster::QuadColors colors = Shade(text);
    return colors.limits_colors ? raster::Saturate(colors.colors[0][0]) : colors.colors[0][0];
  }

  // An element of the declaration with its value.
  void AddElement(d3d::DeclUsage usage, uint32_t index, const raster::Float4& value,
                  uint8_t shader_register = 0xFF);
  raster::Vertex Process(std::string_view text, std::string_view pixel_text = {});
  // What a vertex shader writes into its first texture coordinate.
  raster::Float4 Coordinate(std::string_view text) {
    return Process(text).varyings[raster::kTexcoordSlot];
  }
  const raster::VertexOutputs& vertex_outputs() const { return processor_->outputs(); }

 private:
  const shader::Program& Assemble(std::string_view text);

  device::Space space_;
  device::Context context_;
  device::VertexLayout layout_;
  device::Draw draw_;
  raster::VertexInput input_;
  raster::VertexOutputs outputs_;
  raster::Quad quad_;
  std::vector<std::unique_ptr<shader::Program>> programs_;
  std::unique_ptr<raster::VertexProcessor> processor_;
};

// True where no component differs by more than `tolerance`.
bool IsNear(const raster::Float4& actual, const raster::Float4& expected, float tolerance = 1e-6F);

}  // namespace dp2trace::testing
