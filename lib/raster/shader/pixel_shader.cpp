// Pixel shaders as a PixelProgram: inputs from the varyings of a quad, outputs to colours, kills and depth.
// Source: lib/raster/rendering-shaders.md 8.7 to 8.9.
#include <algorithm>
#include <utility>

#include "raster/shader/interpreter.h"
#include "raster/shader/linkage.h"
#include "raster/shader/shader.h"
#include "shader/limits.h"

namespace dp2trace::raster {
namespace {

using shader::RegisterType;

// Components of an input register and the slot that fills them.
struct PixelInput {
  uint32_t number = 0;
  uint8_t mask = shader::kFullMask;
  std::optional<uint32_t> slot;
};

bool WritesDepthRegister(const shader::Program& program) {
  return program.WrittenMask(RegisterType::kDepthOut, 0) != 0;
}

bool HasOp(const shader::Program& program, std::initializer_list<shader::Op> ops) {
  return std::ranges::any_of(program.instructions, [&](const shader::Instruction& instruction) {
    return std::ranges::find(ops, instruction.op()) != ops.end();
  });
}

class PixelShader final : public PixelProgram {
 public:
  explicit PixelShader(std::shared_ptr<const PixelShaderPlan> plan)
      : plan_(std::move(plan)),
        program_(plan_->program.get()),
        interpreter_(*program_, plan_->constants, plan_->textures),
        writes_depth_(WritesDepthRegister(*program_)),
        may_kill_(plan_->textures.may_kill() || writes_depth_ ||
                  HasOp(*program_,
                        {shader::Op::TexKill, shader::Op::TexDepth, shader::Op::TexM3x2Depth})) {
    LinkInputs();
    if (program_->version.major == 1) return;
    written_targets_ = 0;
    for (uint32_t target = 0; target < device::kTargetCount; ++target) {
      if (program_->WrittenMask(RegisterType::kColorOut, target) != 0)
        written_targets_ |= 1U << target;
    }
  }

  void Shade(const Quad& quad, QuadColors& out) const override;
  bool may_kill() const override { return may_kill_; }

 private:
  bool IsBelow3() const { return program_->version.code() < 0x30; }
  void LinkInputs();
  Float4Quad Varying(const Quad& quad, std::optional<uint32_t> slot, const Float4& unwritten) const;
  void LoadLegacyInputs(const Quad& quad, ShaderRegisters& registers) const;
  void LoadInputs(const Quad& quad, ShaderRegisters& registers) const;
  void StoreDepth(const ShaderRegisters& registers, const ShaderResult& result,
                  QuadColors& out) const;

  std::shared_ptr<const PixelShaderPlan> plan_;
  const shader::Program* program_;
  Interpreter interpreter_;
  std::vector<PixelInput> inputs_;  // of 3.0
  uint32_t written_targets_ = 1;
  bool writes_depth_;
  bool may_kill_;
};

void PixelShader::LinkInputs() {
  if (IsBelow3()) return;
  const VaryingSlots slots(program_);
  for (const shader::LinkedRegister& input : shader::InputsOf(*program_)) {
    inputs_.push_back({input.number, input.mask, slots.Find(input.semantic)});
  }
}

Float4Quad PixelShader::Varying(const Quad& quad, std::optional<uint32_t> slot,
                                const Float4& unwritten) const {
  if (slot && (plan_->varying_mask >> *slot & 1) != 0) return quad.varyings[*slot];
  return {unwritten, unwritten, unwritten, unwritten};
}

// Colours are in [0, 1]; coordinates are t# from 1.4 on, and read through the texture instructions before.
void PixelShader::LoadLegacyInputs(const Quad& quad, ShaderRegisters& registers) const {
  for (uint32_t i = 0; i < shader::kColorCount; ++i) {
    const Float4 unwritten = UnwrittenVarying({d3d::DeclUsage::Color, i});
    registers.inputs[i] = Varying(quad, kDiffuseSlot + i, unwritten);
    for (Float4& lane : registers.inputs[i])
      lane = Saturate(lane);
  }
  for (uint32_t i = 0; i < d3d::kCombinerStageCount; ++i) {
    registers.coordinates[i] =
        Varying(quad, kTexcoordSlot + i, UnwrittenVarying({d3d::DeclUsage::Texcoord, i}));
  }
  if (program_->version.code() >= 0x14) registers.textures = registers.coordinates;
}

void PixelShader::LoadInputs(const Quad& quad, ShaderRegisters& registers) const {
  for (const PixelInput& input : inputs_) {
    if (input.number >= registers.inputs.size()) continue;
    const Float4Quad value = Varying(quad, input.slot, {});
    for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
      for (uint32_t i = 0; i < 4; ++i) {
        if ((input.mask >> i & 1) != 0) registers.inputs[input.number][lane][i] = value[lane][i];
      }
    }
  }
  const float face = quad.is_front ? 1.0F : -1.0F;
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    const int32_t x = quad.x + static_cast<int32_t>(lane & 1);
    const int32_t y = quad.y + static_cast<int32_t>(lane >> 1);
    registers.misc[shader::kPositionIn][lane] = {static_cast<float>(x), static_cast<float>(y), 0.0F,
                                                 0.0F};
    registers.misc[shader::kFaceIn][lane] = {face, face, face, face};
  }
}

// Unspecified: a depth register that control flow leaves unwritten; chosen: 0.
void PixelShader::StoreDepth(const ShaderRegisters& registers, const ShaderResult& result,
                             QuadColors& out) const {
  out.writes_depth = writes_depth_ || result.writes_depth;
  if (!out.writes_depth) return;
  const Float4Quad& depth = result.writes_depth ? result.depth : registers.depth;
  for (uint32_t lane = 0; lane < kLaneCount; ++lane)
    out.depth[lane] = Saturate(depth[lane][0]);
}

void PixelShader::Shade(const Quad& quad, QuadColors& out) const {
  ShaderRegisters registers;
  if (IsBelow3()) {
    LoadLegacyInputs(quad, registers);
  } else {
    LoadInputs(quad, registers);
  }
  const ShaderResult result = interpreter_.Run(registers, kLaneCount, out.probe);
  out.killed = result.killed;
  out.steps = result.steps;
  out.written_targets = written_targets_;
  StoreDepth(registers, result, out);
  if (program_->version.major > 1) {
    out.colors = registers.colors;
    return;
  }
  out.colors[0] = registers.temps[0];
  out.limits_colors = true;
}

}  // namespace

PixelShaderPlan::PixelShaderPlan(const device::Context& context,
                                 std::shared_ptr<const shader::Program> pixel,
                                 const VertexOutputs& outputs)
    : program(std::move(pixel)),
      varying_mask(outputs.varying_mask),
      constants(context.state.pixel_constants, *program),
      textures(context, *program, &outputs) {}

std::shared_ptr<const shader::Program> PixelProgramOf(const device::Context& context) {
  const device::ShaderObject* const bound = context.PixelShader();
  return bound != nullptr ? bound->program : nullptr;
}

std::unique_ptr<PixelProgram> MakePixelShader(std::shared_ptr<const PixelShaderPlan> plan) {
  return std::make_unique<PixelShader>(std::move(plan));
}

std::unique_ptr<PixelProgram> MakePixelShader(const device::Context& context,
                                              const shader::Program& pixel,
                                              const VertexOutputs& outputs) {
  return MakePixelShader(std::make_shared<const PixelShaderPlan>(
      context, std::make_shared<const shader::Program>(pixel), outputs));
}

}  // namespace dp2trace::raster
