// Components of inputs and outputs against their declarations.
// Source: lib/raster/rendering-shaders.md 8.1 and 8.8; Direct3D 9 assembly shader reference (dcl, position register, face register).
#include <fmt/format.h>

#include <map>
#include <utility>

#include "rules/rule.h"
#include "shader/check.h"

namespace dp2trace::shader {
namespace {

class ComponentCheck {
 public:
  ComponentCheck(const Program& program, DiagnosticList& findings)
      : program_(&program), findings_(&findings) {}

  void Run() {
    for (const Declaration& declaration : program_->declarations) {
      uint8_t& mask = declared_[{declaration.type, declaration.number}];
      mask = static_cast<uint8_t>(mask | declaration.mask);
    }
    for (const Instruction& instruction : program_->instructions) {
      if (instruction.op() == Op::Dcl) CheckMisc(instruction);
      if (instruction.info->kind != OpKind::kDeclaration) CheckOperands(instruction);
    }
  }

 private:
  void CheckMisc(const Instruction& instruction) {
    const Destination& target = instruction.destination;
    if (target.type != RegisterType::kMisc || !program_->version.is_pixel) return;
    const bool fits = target.number == kPositionIn
                          ? (target.mask & ~kMaskXy) == 0
                          : target.mask == kMaskX || target.mask == kFullMask;
    if (!fits) ReportMisc(instruction, target.number);
  }

  void ReportMisc(const Instruction& instruction, uint32_t number) {
    findings_->Add(MakeFinding(
        Rule::kDp2Shader067, instruction,
        number == kPositionIn ? "vPos has the components x and y" : "vFace is one number"));
  }

  // Vertices complete what their declaration leaves out, so that all of a vertex shader's inputs can be read.
  void CheckOperands(const Instruction& instruction) {
    const Version version = program_->version;
    if (!version.is_pixel) {
      const Destination& target = instruction.destination;
      const bool is_output = instruction.has_destination && target.type == RegisterType::kOutput &&
                             !target.is_relative;
      if (version.code() >= 0x30 && is_output)
        CheckDeclared(instruction, target.type, target.number, instruction.result_mask());
      return;
    }
    if (version.code() < 0x20) return;
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      const Source& source = instruction.sources[i];
      if (source.is_relative) continue;
      uint8_t mask = ReadMask(*program_, instruction, i);
      // Observed: the Windows runtime takes nrm of three declared components with a full write mask (Wine's test of nrm).
      if (instruction.op() == Op::Nrm) mask = static_cast<uint8_t>(mask & ~kMaskW);
      const bool is_position = source.type == RegisterType::kMisc && source.number == kPositionIn;
      if (is_position && (mask & ~kMaskXy) != 0) ReportMisc(instruction, kPositionIn);
      if (source.type == RegisterType::kInput || source.type == RegisterType::kTexture) {
        CheckDeclared(instruction, source.type, source.number, mask);
      }
    }
  }

  // Registers without any declaration have a rule of their own.
  void CheckDeclared(const Instruction& instruction, RegisterType type, uint32_t number,
                     uint8_t mask) {
    const auto found = declared_.find({type, number});
    if (found == declared_.end() || (mask & ~found->second) == 0) return;
    findings_->Add(MakeFinding(Rule::kDp2Shader068, instruction,
                               fmt::format("not all components of {} are declared",
                                           RegisterName(program_->version, type, number))));
  }

  const Program* program_;
  DiagnosticList* findings_;
  std::map<std::pair<RegisterType, uint32_t>, uint8_t> declared_;  // components
};

}  // namespace

void CheckComponents(const Program& program, DiagnosticList& findings) {
  ComponentCheck(program, findings).Run();
}

}  // namespace dp2trace::shader
