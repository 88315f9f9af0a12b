// What shaders need of the device where they are created: DP2-CAPS-028.
// Source: D3DCAPS9, D3DVSHADERCAPS2_0, D3DPSHADERCAPS2_0 (d3d9caps.h); Direct3D 9 assembly shader reference, "flow control limitations".
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "d3d/caps.h"
#include "rules/rule.h"
#include "shader/decoder.h"
#include "validate/dp2/caps_token.h"
#include "validate/dp2/shader.h"

namespace dp2trace::validate {
namespace {

using d3d::Cap;
using shader::Program;
using shader::RegisterType;

// What a program needs, counted once over its instructions.
struct Needs {
  uint32_t temps = 0;
  uint32_t slots = 0;
  uint32_t textures = 0;       // texture instructions
  uint32_t static_depth = 0;   // of loops, or of calls: the deeper
  uint32_t dynamic_depth = 0;  // of blocks that a comparison or a predicate opens
  bool has_flow = false;
  bool has_predicate = false;
  bool has_gradient = false;
  bool has_swizzle = false;  // one that is not among those of version 2.0
};

// Swizzles of version 2.0: identity, one component four times, and three turns.
bool IsPlainSwizzle(const shader::Source& source) {
  constexpr std::array<uint8_t, 4> kTurns[] = {{1, 2, 0, 3}, {2, 0, 1, 3}, {3, 2, 1, 0}};
  return source.swizzle == shader::kIdentitySwizzle || source.is_replicate() ||
         std::ranges::find(kTurns, source.swizzle) != std::end(kTurns);
}

class Counter {
 public:
  explicit Counter(const Program& program) {
    for (const shader::Instruction& instruction : program.instructions)
      Visit(instruction, program.version);
    needs_.static_depth = std::max(loops_deepest_, needs_.static_depth);
  }
  const Needs& needs() const { return needs_; }

 private:
  void Visit(const shader::Instruction& instruction, shader::Version version) {
    needs_.slots += instruction.info->slots(version);
    if (instruction.info->kind == shader::OpKind::kTexture) ++needs_.textures;
    if (instruction.has_destination)
      CountRegister(instruction.destination.type, instruction.destination.number);
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      const shader::Source& source = instruction.sources[i];
      CountRegister(source.type, source.number);
      needs_.has_swizzle |= !IsPlainSwizzle(source);
    }
    needs_.has_predicate |= instruction.is_predicated || instruction.op() == shader::Op::SetP ||
                            instruction.op() == shader::Op::BreakP;
    needs_.has_gradient |= instruction.op() == shader::Op::Dsx ||
                           instruction.op() == shader::Op::Dsy ||
                           instruction.op() == shader::Op::TexLdd;
    needs_.has_flow |= instruction.info->kind == shader::OpKind::kFlow;
    VisitFlow(instruction);
  }

  void VisitFlow(const shader::Instruction& instruction) {
    switch (instruction.op()) {
      case shader::Op::Loop:
      case shader::Op::Rep:
        loops_deepest_ = std::max(loops_deepest_, ++loops_);
        return;
      case shader::Op::EndLoop:
      case shader::Op::EndRep:
        loops_ -= loops_ != 0 ? 1U : 0U;
        return;
      case shader::Op::Call:
      case shader::Op::CallNz:
        needs_.static_depth = std::max(needs_.static_depth, 1U);
        return;
      case shader::Op::If:
      case shader::Op::IfC: {
        const bool is_dynamic = instruction.op() == shader::Op::IfC ||
                                instruction.sources[0].type == RegisterType::kPredicate;
        blocks_.push_back(is_dynamic);
        if (is_dynamic) needs_.dynamic_depth = std::max(needs_.dynamic_depth, ++dynamic_);
        return;
      }
      case shader::Op::EndIf:
        if (blocks_.empty()) return;
        dynamic_ -= blocks_.back() ? 1U : 0U;
        blocks_.pop_back();
        return;
      case shader::Op::BreakC:
      case shader::Op::BreakP:
        needs_.dynamic_depth = std::max(needs_.dynamic_depth, dynamic_ + 1);
        return;
      default:
        return;
    }
  }

  void CountRegister(RegisterType type, uint32_t number) {
    if (type == RegisterType::kTemp) needs_.temps = std::max(needs_.temps, number + 1);
  }

  Needs needs_;
  uint32_t loops_ = 0, loops_deepest_ = 0, dynamic_ = 0;
  std::vector<bool> blocks_;  // of If: whether it is dynamic
};

// A number that the device bounds, or a flag that it must have.
struct Limit {
  Cap cap;
  uint32_t needed;  // 1 for a flag that is needed
  uint32_t bit;     // 0: a number
  std::string_view what;
};

void Report(const CommandView& view, const stream::Record& record, const Limit& limit,
            uint32_t claimed) {
  const std::string_view member = d3d::Info(limit.cap).spelling;
  const stream::Word word =
      stream::TailWord(record, view.command.op->op == opcode::Op::kCreateVertexShader ? 1 : 0);
  if (limit.bit != 0) {
    view.Report(Rule::kDp2Caps028, record, word,
                fmt::format("the shader has {}, and {} is {:#x}", limit.what, member, claimed),
                std::string(limit.what), fmt::format("{} with bit {:#x}", member, limit.bit));
    return;
  }
  view.Report(
      Rule::kDp2Caps028, record, word,
      fmt::format("the shader has {} {}, and {} is {}", limit.needed, limit.what, member, claimed),
      fmt::format("{}", limit.needed), fmt::format("at most {}", claimed));
}

void CheckLimits(const CommandView& view, const stream::Record& record,
                 std::span<const Limit> limits) {
  for (const Limit& limit : limits) {
    const std::optional<uint32_t> claimed = view.caps.Find(limit.cap);
    if (!claimed || limit.needed == 0) continue;
    const bool fits = limit.bit != 0 ? (*claimed & limit.bit) != 0 : limit.needed <= *claimed;
    if (!fits) Report(view, record, limit, *claimed);
  }
}

void CheckVertexShader(const CommandView& view, const stream::Record& record,
                       shader::Version version, const Needs& needs) {
  if (version.code() == 0x21 && !version.is_software()) {
    const Limit limits[] = {
        {Cap::Vs20Caps, needs.has_predicate ? 1U : 0U, 0x1, "predicates"},
        {Cap::Vs20NumTemps, needs.temps, 0, "temporary registers"},
        {Cap::Vs20StaticFlowControlDepth, needs.static_depth, 0, "levels of static flow control"},
        {Cap::Vs20DynamicFlowControlDepth, needs.dynamic_depth, 0,
         "levels of dynamic flow control"},
    };
    CheckLimits(view, record, limits);
  } else if (version.major >= 3 && !version.is_software()) {
    CheckLimits(view, record,
                std::array{Limit{Cap::MaxVertexShader30InstructionSlots, needs.slots, 0,
                                 "instruction slots"}});
  }
  const uint32_t executed = needs.has_flow ? 0 : needs.slots;
  CheckLimits(view, record,
              std::array{Limit{Cap::MaxVShaderInstructionsExecuted,
                               version.major >= 2 ? executed : 0, 0, "instructions to execute"}});
}

void CheckPixelShader(const CommandView& view, const stream::Record& record,
                      shader::Version version, const Needs& needs) {
  constexpr uint32_t kTextureLimit = 32;  // of version 2.0
  if (version.code() == 0x21 && !version.is_software()) {
    const Limit limits[] = {
        {Cap::Ps20Caps, needs.has_swizzle ? 1U : 0U, 0x1, "arbitrary swizzles"},
        {Cap::Ps20Caps, needs.has_gradient ? 1U : 0U, 0x2, "gradient instructions"},
        {Cap::Ps20Caps, needs.has_predicate ? 1U : 0U, 0x4, "predicates"},
        {Cap::Ps20Caps, needs.textures > kTextureLimit ? 1U : 0U, 0x10,
         "more than 32 texture instructions"},
        {Cap::Ps20NumTemps, needs.temps, 0, "temporary registers"},
        {Cap::Ps20StaticFlowControlDepth, needs.static_depth, 0, "levels of static flow control"},
        {Cap::Ps20DynamicFlowControlDepth, needs.dynamic_depth, 0,
         "levels of dynamic flow control"},
        {Cap::Ps20NumInstructionSlots, needs.slots, 0, "instruction slots"},
    };
    CheckLimits(view, record, limits);
  } else if (version.major >= 3 && !version.is_software()) {
    CheckLimits(view, record,
                std::array{Limit{Cap::MaxPixelShader30InstructionSlots, needs.slots, 0,
                                 "instruction slots"}});
  }
  const uint32_t executed = needs.has_flow ? 0 : needs.slots;
  CheckLimits(view, record,
              std::array{Limit{Cap::MaxPShaderInstructionsExecuted,
                               version.major >= 2 ? executed : 0, 0, "instructions to execute"}});
}

}  // namespace

void CheckCapsOfShaders(const CommandView& view) {
  if (view.caps.empty() || !view.Wants(Rule::kDp2Caps028)) return;
  for (const stream::Record& record : view.Records()) {
    const Bytes code = CodeOf(view.command.op->op, record);
    if (code.empty()) continue;
    DiagnosticList findings;  // reported by the rules about shaders
    const Program program = shader::Decode(code, findings);
    if (!program.is_executable) continue;
    const Counter counter(program);
    if (program.version.is_pixel)
      CheckPixelShader(view, record, program.version, counter.needs());
    else
      CheckVertexShader(view, record, program.version, counter.needs());
  }
}

}  // namespace dp2trace::validate
