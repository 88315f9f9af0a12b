#include "fast/shader/pixel_shader.h"

#include "fast/shader/shader_code.h"
#include "raster/shader/linkage.h"
#include "shader/limits.h"
#include "shader/semantics.h"

namespace dp2trace::fast {
namespace {

using shader::RegisterType;

class PixelShaderCompiler {
 public:
  PixelShaderCompiler(const raster::PixelShaderPlan& plan, ShaderCache& shaders,
                      TextureCache& textures)
      : plan_(plan), program_(*plan.program), shaders_(shaders), textures_(textures) {}

  std::shared_ptr<PixelCode> Compile() {
    const ShaderEnvironment environment = {&plan_.constants, &plan_.textures};
    shader_ = shaders_.Find(plan_.program, environment, Outputs());
    // Relative constants are of vertex shaders.
    if (shader_ == nullptr || shader_->reads_constants) return nullptr;
    code_->program = WithConstants(*shader_, environment);
    for (const uint32_t number : shader_->samplers) {
      code_->samplers.push_back(
          std::make_shared<const SamplerPlan>(*plan_.textures.sampler(number), textures_));
    }
    LinkInputs();
    LinkOutputs();
    // What varies in no lane is put in front of the program.
    code_->program.instructions.insert(code_->program.instructions.begin(), constants_.begin(),
                                       constants_.end());
    for (size_t i = constants_.size(); i < code_->program.instructions.size(); ++i) {
      Instruction& instruction = code_->program.instructions[i];
      if (instruction.op == Op::kJump || instruction.op == Op::kJumpIfNone)
        instruction.data += static_cast<uint32_t>(constants_.size());
    }
    code_->steps = shader_->steps;
    code_->may_kill = shader_->may_kill || code_->depth.has_value();
    return code_;
  }

 private:
  bool IsBelow3() const { return program_.version.code() < 0x30; }

  std::vector<WantedOutput> Outputs() const {
    if (program_.version.major == 1) return {{RegisterType::kTemp, 0}};
    std::vector<WantedOutput> outputs;
    for (uint32_t target = 0; target < device::kTargetCount; ++target) {
      if (program_.WrittenMask(RegisterType::kColorOut, target) != 0)
        outputs.push_back({RegisterType::kColorOut, target});
    }
    if (program_.WrittenMask(RegisterType::kDepthOut, 0) != 0)
      outputs.push_back({RegisterType::kDepthOut, 0});
    return outputs;
  }

  // Components of a register: from a varying, or a value where the vertex side writes none.
  void Link(uint32_t first, uint8_t mask, std::optional<uint32_t> slot,
            const raster::Float4& unwritten, bool is_clamped) {
    const bool is_written = slot && (plan_.varying_mask >> *slot & 1U) != 0;
    for (uint32_t i = 0; i < 4; ++i) {
      if ((uint32_t{mask} >> i & 1U) == 0) continue;
      const auto to = static_cast<uint16_t>(first + i);
      if (is_written) {
        code_->inputs.push_back({.slot = static_cast<uint8_t>(*slot),
                                 .component = static_cast<uint8_t>(i),
                                 .is_clamped = is_clamped,
                                 .to = to});
      } else {
        const float value = is_clamped ? raster::Saturate(unwritten[i]) : unwritten[i];
        Fill(to, value);
      }
    }
  }

  void Fill(uint32_t to, float value) {
    constants_.push_back({.op = Op::kMove,
                          .to = static_cast<uint16_t>(to),
                          .a = code_->program.AddConstant(value),
                          .b = {},
                          .c = {}});
  }

  void LinkInputs() {
    if (IsBelow3()) {
      LinkLegacyInputs();
    } else {
      LinkModernInputs();
    }
    for (const auto& [number, first] : shader_->misc) {
      if (number == shader::kPositionIn) {
        code_->position_x = static_cast<uint16_t>(first);
        code_->position_y = static_cast<uint16_t>(first + 1);
        Fill(first + 2, 0.0F);
        Fill(first + 3, 0.0F);
      } else {
        // All four components are the same; the first is filled for each block.
        code_->face = static_cast<uint16_t>(first);
        for (uint32_t i = 1; i < 4; ++i) {
          constants_.push_back({.op = Op::kMove,
                                .to = static_cast<uint16_t>(first + i),
                                .a = Operand::Register(first),
                                .b = {},
                                .c = {}});
        }
      }
    }
  }

  // Colours are in [0, 1].
  void LinkLegacyInputs() {
    for (const auto& [number, first] : shader_->inputs) {
      if (number < shader::kColorCount) {
        Link(first, shader::kFullMask, raster::kDiffuseSlot + number,
             raster::UnwrittenVarying({d3d::DeclUsage::Color, number}), true);
      } else {
        Link(first, shader::kFullMask, std::nullopt, {}, false);
      }
    }
    for (const auto& [stage, first] : shader_->coordinates) {
      Link(first, shader::kFullMask, raster::kTexcoordSlot + stage,
           raster::UnwrittenVarying({d3d::DeclUsage::Texcoord, stage}), false);
    }
  }

  // What no semantic covers and what nobody writes is 0.
  void LinkModernInputs() {
    const raster::VaryingSlots slots(&program_);
    std::map<uint32_t, uint8_t> linked;
    for (const shader::LinkedRegister& input : shader::InputsOf(program_)) {
      const auto place = shader_->inputs.find(input.number);
      if (place == shader_->inputs.end()) continue;
      Link(place->second, input.mask, slots.Find(input.semantic), {}, false);
      uint8_t& mask = linked[input.number];
      mask = static_cast<uint8_t>(mask | input.mask);
    }
    for (const auto& [number, first] : shader_->inputs) {
      Link(first, static_cast<uint8_t>(~linked[number] & shader::kFullMask), std::nullopt, {},
           false);
    }
  }

  void LinkOutputs() {
    const auto find = [&](RegisterType type, uint32_t number) {
      const auto place = shader_->outputs.find({type, number});
      return place != shader_->outputs.end() ? &place->second : nullptr;
    };
    const Operand zero = code_->program.AddConstant(0.0F);
    for (auto& color : code_->colors)
      color = {zero, zero, zero, zero};
    if (program_.version.major == 1) {
      code_->colors[0] = *find(RegisterType::kTemp, 0);
      code_->limits_colors = true;
    } else {
      code_->written_targets = 0;
      for (uint32_t target = 0; target < device::kTargetCount; ++target) {
        const Vector* const color = find(RegisterType::kColorOut, target);
        if (color == nullptr) continue;
        code_->colors[target] = *color;
        code_->written_targets |= 1U << target;
      }
    }
    if (shader_->legacy_depth) code_->depth = shader_->legacy_depth;
    if (const Vector* const depth = find(RegisterType::kDepthOut, 0)) {
      const uint32_t to = code_->program.AddRegister();
      code_->program.Add(Op::kSaturate, to, (*depth)[0]);
      code_->depth = Operand::Register(to);
    }
  }

  const raster::PixelShaderPlan& plan_;
  const shader::Program& program_;
  ShaderCache& shaders_;
  TextureCache& textures_;
  std::shared_ptr<const ShaderCode> shader_;
  std::shared_ptr<PixelCode> code_ = std::make_shared<PixelCode>();
  std::vector<Instruction> constants_;
};

}  // namespace

std::shared_ptr<PixelCode> CompilePixelShader(const raster::PixelShaderPlan& plan,
                                              ShaderCache& shaders, TextureCache& textures) {
  return PixelShaderCompiler(plan, shaders, textures).Compile();
}

}  // namespace dp2trace::fast
