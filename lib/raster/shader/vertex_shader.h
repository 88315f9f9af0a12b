// Vertex shaders as a VertexProcessor: inputs from the elements of the declaration, outputs to clip position and varyings.
// Source: lib/raster/rendering-geometry.md 2.1 and 2.7; lib/raster/rendering-shaders.md 8.9; lib/opcode/dp2.md 18.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "device/context.h"
#include "device/draw.h"
#include "raster/shader/interpreter.h"
#include "raster/shader/linkage.h"
#include "raster/vertex/processor.h"

namespace dp2trace::raster {

// Components of an output register and where they go.
struct VertexLink {
  shader::RegisterType type = shader::RegisterType::kOutput;
  uint32_t number = 0;
  uint8_t mask = 0;
  uint32_t slot = 0;
};

// A scalar output: fog factor or point size.
struct ScalarOutput {
  shader::RegisterType type = shader::RegisterType::kOutput;
  uint32_t number = 0;
  uint32_t component = 0;
};

class VertexShader final : public VertexProcessor {
 public:
  static constexpr uint32_t kInputCount = 16;

  // The programs, context and draw outlive the object; `pixel` may be null.
  VertexShader(const device::Context& context, const device::Draw& draw,
               const shader::Program& program, const shader::Program* pixel);

  Vertex Process(const VertexInput& input) const override;
  Vertex ProcessProbed(const VertexInput& input, ProbedShading& probe) const override;
  const VertexOutputs& outputs() const override { return outputs_; }

  // What it does, for those who do it in another way.
  const shader::Program& program() const { return *program_; }
  const device::State& state() const { return *state_; }
  const ConstantRegisters& constants() const { return constants_; }
  const TextureBank& textures() const { return textures_; }
  // The element that v# reads, or kNoElement.
  const std::array<uint32_t, kInputCount>& elements() const { return elements_; }
  const std::vector<VertexLink>& links() const { return links_; }
  const std::optional<shader::LinkedRegister>& position() const { return position_; }
  const std::optional<ScalarOutput>& fog() const { return fog_; }
  // Of components that no link covers.
  const std::array<Float4, kVaryingCount>& initial() const { return initial_; }
  // COLOR0 and 1 are clamped before anybody reads them.
  bool clamps_colors() const { return !is_pixel_3_; }

 private:
  Vertex Run(const VertexInput& input, ProbedShading* probe) const;
  void LinkOutputs(const VaryingSlots& slots);
  void LinkFog();
  void PrepareOutputs(const device::Draw& draw, const VaryingSlots& slots);
  const Float4& ValueOf(const ShaderRegisters& registers, shader::RegisterType type,
                        uint32_t number) const;
  void StoreVaryings(const ShaderRegisters& registers, Vertex& out) const;

  const shader::Program* program_;
  const device::State* state_;
  ConstantRegisters constants_;
  TextureBank textures_;
  Interpreter interpreter_;
  bool is_pixel_3_;
  std::array<uint32_t, kInputCount> elements_ = {};
  std::vector<VertexLink> links_;
  std::optional<shader::LinkedRegister> position_;
  std::optional<ScalarOutput> fog_, point_size_;
  std::array<Float4, kVaryingCount> initial_ = {};  // components that the shader does not write
  VertexOutputs outputs_;
};

}  // namespace dp2trace::raster
