#include "fast/vertex/vertex_shader.h"

#include "fast/shader/shader_code.h"

namespace dp2trace::fast {
namespace {

using raster::kNoElement;
using shader::RegisterType;

class VertexShaderCompiler {
 public:
  VertexShaderCompiler(const raster::VertexShader& shader,
                       const std::shared_ptr<const shader::Program>& program, ShaderCache& shaders,
                       const vertex::ViewportMapping& viewport)
      : shader_(shader), program_(program), shaders_(shaders), viewport_(viewport) {}

  std::shared_ptr<VertexCode> Compile() {
    const ShaderEnvironment environment = {&shader_.constants(), &shader_.textures()};
    const std::shared_ptr<const ShaderCode> compiled =
        shaders_.Find(program_, environment, Outputs());
    if (compiled == nullptr || !compiled->samplers.empty()) return nullptr;
    code_->program = WithConstants(*compiled, environment);
    code_->steps = 1 + compiled->steps;
    LinkInputs(*compiled);
    LinkPosition(*compiled);
    LinkVaryings(*compiled);
    AddPlanes();
    AddScreen(emitter_, false, viewport_, *code_);
    return code_;
  }

 private:
  Operand Literal(float value) { return emitter_.Literal(value); }
  Operand New(Op op, Operand a, Operand b = {}, Operand c = {}) {
    const uint32_t to = code_->program.AddRegister();
    emitter_.To(to, op, a, b, c);
    return Operand::Register(to);
  }

  std::vector<WantedOutput> Outputs() const {
    std::vector<WantedOutput> outputs;
    for (const raster::VertexLink& link : shader_.links())
      outputs.push_back({link.type, link.number});
    if (const auto& position = shader_.position())
      outputs.push_back({position->type, position->number});
    if (const auto& fog = shader_.fog()) outputs.push_back({fog->type, fog->number});
    return outputs;
  }

  // An input without an element is (0, 0, 0, 1).
  void LinkInputs(const ShaderCode& compiled) {
    std::vector<Instruction> constants;
    for (const auto& [number, first] : compiled.inputs) {
      const uint32_t element =
          number < raster::VertexShader::kInputCount ? shader_.elements()[number] : kNoElement;
      VertexElementInput input{.element = element};
      for (uint32_t i = 0; i < 4; ++i) {
        input.to[i] = static_cast<uint16_t>(first + i);
        if (element == kNoElement) {
          constants.push_back({.op = Op::kMove,
                               .to = input.to[i],
                               .a = Literal(i == 3 ? 1.0F : 0.0F),
                               .b = {},
                               .c = {}});
        }
      }
      if (element != kNoElement) code_->inputs.push_back(input);
    }
    std::vector<Instruction>& all = code_->program.instructions;
    for (Instruction& instruction : all) {
      if (instruction.op == Op::kJump || instruction.op == Op::kJumpIfNone)
        instruction.data += static_cast<uint32_t>(constants.size());
    }
    all.insert(all.begin(), constants.begin(), constants.end());
  }

  // A shader that writes no position draws nothing: w = 0 is outside of the clip volume.
  void LinkPosition(const ShaderCode& compiled) {
    code_->position = {Literal(0.0F), Literal(0.0F), Literal(0.0F), Literal(0.0F)};
    const auto& position = shader_.position();
    if (!position) return;
    code_->position[3] = Literal(1.0F);
    const Vector& value = compiled.outputs.at({position->type, position->number});
    for (uint32_t i = 0; i < 4; ++i) {
      if ((uint32_t{position->mask} >> i & 1U) != 0) code_->position[i] = value[i];
    }
  }

  void LinkVaryings(const ShaderCode& compiled) {
    for (uint32_t slot = 0; slot < raster::kVaryingCount; ++slot) {
      for (uint32_t i = 0; i < 4; ++i)
        code_->varyings[slot][i] = Literal(shader_.initial()[slot][i]);
    }
    for (const raster::VertexLink& link : shader_.links()) {
      const Vector& value = compiled.outputs.at({link.type, link.number});
      for (uint32_t i = 0; i < 4; ++i) {
        if ((link.mask >> i & 1U) != 0) code_->varyings[link.slot][i] = value[i];
      }
    }
    if (shader_.clamps_colors()) {
      for (const uint32_t slot : {raster::kDiffuseSlot, raster::kSpecularSlot}) {
        for (Operand& component : code_->varyings[slot])
          component = New(Op::kSaturate, component);
      }
    }
    const auto& fog = shader_.fog();
    code_->fog =
        fog ? New(Op::kSaturate, compiled.outputs.at({fog->type, fog->number})[fog->component])
            : Literal(0.0F);
  }

  // Clip space.
  void AddPlanes() {
    const device::State& state = shader_.state();
    const uint32_t enabled = state.value(d3d::RenderState::ClipPlaneEnable);
    for (uint32_t i = 0; i < raster::kUserPlaneCount; ++i) {
      if ((enabled >> i & 1U) == 0) continue;
      code_->plane_mask |= 1U << i;
      Operand sum = New(Op::kMultiply, Literal(state.clip_planes[i][0]), code_->position[0]);
      for (size_t c = 1; c < 4; ++c)
        sum = New(Op::kMultiplyAdd, Literal(state.clip_planes[i][c]), code_->position[c], sum);
      code_->plane_distances[i] = sum;
    }
  }

  const raster::VertexShader& shader_;
  const std::shared_ptr<const shader::Program>& program_;
  ShaderCache& shaders_;
  const vertex::ViewportMapping& viewport_;
  std::shared_ptr<VertexCode> code_ = std::make_shared<VertexCode>();
  Emitter emitter_{code_->program};
};

}  // namespace

std::shared_ptr<VertexCode> CompileVertexShader(
    const raster::VertexShader& shader, const std::shared_ptr<const shader::Program>& program,
    ShaderCache& shaders, const vertex::ViewportMapping& viewport) {
  return VertexShaderCompiler(shader, program, shaders, viewport).Compile();
}

}  // namespace dp2trace::fast
