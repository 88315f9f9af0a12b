// How pixel shaders 2.x write their outputs.
// Source: lib/raster/rendering-shaders.md 8.8; Direct3D 9 assembly shader reference (output color register, output depth register).
#include <fmt/format.h>

#include "rules/rule.h"
#include "shader/check.h"
#include "shader/divergence.h"

namespace dp2trace::shader {
namespace {

class OutputCheck {
 public:
  OutputCheck(const Program& program, DiagnosticList& findings)
      : program_(&program), divergence_(FindDivergence(program)), findings_(&findings) {}

  void Run() {
    for (size_t i = 0; i < program_->instructions.size(); ++i) {
      const Instruction& instruction = program_->instructions[i];
      const RegisterType type = instruction.destination.type;
      const bool is_output = type == RegisterType::kColorOut || type == RegisterType::kDepthOut;
      if (!instruction.has_destination || !is_output) continue;
      CheckOnce(instruction, divergence_.is_divergent[i]);
      if (instruction.op() == Op::Mov) CheckSource(instruction);
    }
    if (!program_->is_executable) return;  // part of the code may be missing
    for (const Instruction& instruction : program_->instructions)
      CheckOrder(instruction);
  }

 private:
  void Report(Rule rule, const Instruction& instruction, std::string_view what) {
    const Destination& target = instruction.destination;
    findings_->Add(MakeFinding(
        rule, instruction,
        fmt::format("{} {}", RegisterName(program_->version, target.type, target.number), what)));
  }

  // The bit of an output register; 0 for numbers that do not exist.
  static uint32_t BitOf(const Destination& target) {
    if (target.type == RegisterType::kDepthOut) return 1U << 8;
    return target.number < 8 ? 1U << target.number : 0;
  }

  void CheckOnce(const Instruction& instruction, bool is_divergent) {
    const uint32_t bit = BitOf(instruction.destination);
    if ((written_ & bit) != 0) {
      Report(Rule::kDp2Shader079, instruction, "is written already");
    } else if (instruction.is_predicated || is_divergent) {
      Report(Rule::kDp2Shader079, instruction, "is not written for all pixels");
    }
    written_ |= bit;
  }

  void CheckSource(const Instruction& instruction) {
    const Source& source = instruction.sources[0];
    const bool is_depth = instruction.destination.type == RegisterType::kDepthOut;
    const bool has_swizzle = is_depth ? source.is_replicate() : source.swizzle == kIdentitySwizzle;
    if (has_swizzle && source.modifier == Modifier::kNone) return;
    Report(Rule::kDp2Shader081, instruction,
           is_depth ? "takes one component as it is" : "takes a register as it is");
  }

  // At the first write of each colour that has no neighbour below.
  void CheckOrder(const Instruction& instruction) {
    const Destination& target = instruction.destination;
    if (!instruction.has_destination || target.type != RegisterType::kColorOut ||
        target.number == 0)
      return;
    const uint32_t bit = BitOf(target);
    if ((reported_ & bit) != 0 || (bit != 0 && (written_ & (bit - 1)) == bit - 1)) return;
    reported_ |= bit;
    if ((written_ & 1) != 0)
      Report(Rule::kDp2Shader080, instruction, "is written and one before it is not");
  }

  const Program* program_;
  Divergence divergence_;
  DiagnosticList* findings_;
  uint32_t written_ = 0, reported_ = 0;  // bits of outputs
};

}  // namespace

void CheckPixelOutputs(const Program& program, DiagnosticList& findings) {
  const bool is_2 =
      program.version.is_pixel && program.version.major == 2 && !program.version.is_software();
  if (is_2) OutputCheck(program, findings).Run();
}

}  // namespace dp2trace::shader
