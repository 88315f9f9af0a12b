// Declarations and definitions, temporary registers that are read before they are written, and outputs that are never written.
// Source: lib/raster/rendering-shaders.md 8.1, 8.3, 8.8 and 8.9; Direct3D 9 assembly shader reference.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "d3d/enums.h"
#include "rules/rule.h"
#include "shader/check.h"

namespace dp2trace::shader {
namespace {

// The components of the register after components `mask` of the swizzled value.
uint8_t ThroughSwizzle(const Source& source, uint8_t mask) {
  uint8_t result = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    if ((mask >> i & 1) != 0) result = static_cast<uint8_t>(result | 1U << source.swizzle[i]);
  }
  return result;
}

uint8_t CoordinateMask(const Program& program, const Instruction& instruction) {
  if (program.version.major < 2) return kMaskXy;
  const Declaration* sampler =
      program.FindDeclaration(RegisterType::kSampler, instruction.sources[1].number);
  const bool has_three = sampler != nullptr && sampler->texture_type != kSampler2d;
  const bool has_w =
      instruction.op() == Op::TexLdl || (instruction.op() == Op::Tex && instruction.control != 0);
  return static_cast<uint8_t>((has_three ? kMaskXyz : kMaskXy) | (has_w ? kMaskW : 0));
}

// Before the swizzle.
uint8_t OperandMask(const Program& program, const Instruction& instruction, uint32_t index) {
  switch (instruction.op()) {
    case Op::Dp3:
    case Op::Crs:
    case Op::M3x4:
    case Op::M3x3:
    case Op::M3x2:
      return kMaskXyz;
    case Op::Nrm:
      return static_cast<uint8_t>(kMaskXyz | instruction.destination.mask);
    case Op::Dp4:
    case Op::M4x4:
    case Op::M4x3:
      return kFullMask;
    case Op::Dp2Add:
      return index < 2 ? kMaskXy : kMaskX;
    case Op::Lit:
      return kMaskXy | kMaskW;
    case Op::Dst:
      return index == 0 ? 0x6 : 0xA;
    case Op::Tex:
    case Op::TexLdl:
    case Op::TexLdd:
      return index == 1 ? 0 : CoordinateMask(program, instruction);
    case Op::TexCoord:
      return instruction.destination.mask;
    case Op::Bem:
      return kMaskXy;
    case Op::IfC:
    case Op::BreakC:
      return kMaskX;
    case Op::Rcp:
    case Op::Rsq:
    case Op::Exp:
    case Op::Log:
    case Op::ExpP:
    case Op::LogP:
    case Op::Pow:
      return kMaskW;
    case Op::SinCos:
      return index == 0 ? kMaskW : 0;
    case Op::Sgn:
      return index == 0 ? instruction.destination.mask : 0;  // the others are scratch
    default:
      return instruction.destination.mask;
  }
}

class ReadCheck {
 public:
  ReadCheck(const Program& program, DiagnosticList& findings)
      : program_(&program), version_(program.version), findings_(&findings) {}

  void Run() {
    if (!IsStraight(*program_)) {
      for (const Instruction& instruction : program_->instructions)
        RecordWrite(instruction);
    }
    bool comes_after_code = false;
    for (const Instruction& instruction : program_->instructions) {
      if (instruction.info->kind == OpKind::kDeclaration) {
        CheckDeclaration(instruction, comes_after_code);
        continue;
      }
      comes_after_code = true;
      CheckSources(instruction);
      RecordWrite(instruction);
    }
    CheckOutputs();
  }

 private:
  void Report(Rule rule, const Instruction& instruction, std::string message) {
    findings_->Add(MakeFinding(rule, instruction, std::move(message)));
  }
  std::string NameOf(RegisterType type, uint32_t number) const {
    return RegisterName(version_, type, number);
  }

  void CheckDeclaration(const Instruction& instruction, bool comes_after_code) {
    const Destination& target = instruction.destination;
    const std::string name = NameOf(target.type, target.number);
    if (comes_after_code)
      Report(Rule::kDp2Shader031, instruction, fmt::format("{} is declared after code", name));
    uint8_t& declared = declared_[{target.type, target.number}];
    const bool is_known = (declared & target.mask) != 0;
    declared = static_cast<uint8_t>(declared | target.mask);
    const bool is_definition = instruction.op() != Op::Dcl;
    if (is_known) {
      Report(is_definition ? Rule::kDp2Shader032 : Rule::kDp2Shader033, instruction,
             fmt::format("{} is declared already", name));
    }
    if (is_definition) return;
    if (target.type == RegisterType::kSampler) {
      if (instruction.literals[2] < kSampler2d || instruction.literals[2] > kSamplerVolume) {
        Report(Rule::kDp2Shader035, instruction,
               fmt::format("{} has texture type {}", name, instruction.literals[2]));
      }
    } else if (HasSemantics() && target.type != RegisterType::kMisc) {
      CheckSemantic(instruction);
    }
  }

  bool HasSemantics() const { return !version_.is_pixel || version_.code() >= 0x30; }

  // Transformed positions never meet a vertex shader, and the position ends with the rasterizer.
  bool IsUsageOf(RegisterType type, uint32_t usage, uint32_t index) const {
    if (usage == d3d::Value(d3d::DeclUsage::PositionT)) return false;
    const bool is_position = usage == d3d::Value(d3d::DeclUsage::Position) && index == 0;
    return !(version_.is_pixel && type == RegisterType::kInput && is_position);
  }

  void CheckSemantic(const Instruction& instruction) {
    const uint32_t usage = instruction.literals[0];
    if (usage > d3d::Value(d3d::DeclUsage::Sample)) {
      return Report(Rule::kDp2Shader034, instruction, fmt::format("{} is not a usage", usage));
    }
    const Destination& target = instruction.destination;
    if (!IsUsageOf(target.type, usage, instruction.literals[1])) {
      Report(Rule::kDp2Shader069, instruction,
             fmt::format("{} cannot have this usage", NameOf(target.type, target.number)));
    }
    for (const Declaration& other : program_->declarations) {
      const bool is_same = other.type == target.type && other.number < target.number &&
                           other.usage == usage && other.usage_index == instruction.literals[1] &&
                           (other.mask & target.mask) != 0;
      if (is_same) {
        return Report(
            Rule::kDp2Shader037, instruction,
            fmt::format("{} has the same usage and index", NameOf(other.type, other.number)));
      }
    }
  }

  bool NeedsDeclaration(RegisterType type) const {
    const uint8_t code = version_.code();
    switch (type) {
      case RegisterType::kInput:
        return code >= 0x20 || (!version_.is_pixel && !program_->declarations.empty());
      case RegisterType::kTexture:
      case RegisterType::kSampler:
        return code >= 0x20;
      case RegisterType::kOutput:
        return code >= 0x30;
      case RegisterType::kMisc:
        return true;
      default:
        return false;
    }
  }

  void CheckDeclared(const Instruction& instruction, RegisterType type, uint32_t number) {
    if (!NeedsDeclaration(type) || RegisterCount(version_, type) == 0) return;
    if (program_->FindDeclaration(type, number) != nullptr) return;
    Report(Rule::kDp2Shader036, instruction,
           fmt::format("{} is not declared", NameOf(type, number)));
  }

  void CheckSources(const Instruction& instruction) {
    const bool is_killing = instruction.op() == Op::TexKill;
    const Destination& target = instruction.destination;
    if (instruction.has_destination && !target.is_relative)
      CheckDeclared(instruction, target.type, target.number);
    if (is_killing && target.type == RegisterType::kTemp)
      CheckTemp(instruction, target.number, kMaskXyz);
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      const Source& source = instruction.sources[i];
      if (!source.is_relative) CheckDeclared(instruction, source.type, source.number);
      if (source.type != RegisterType::kTemp) continue;
      const uint32_t rows =
          instruction.info->matrix_rows != 0 && i == 1 ? instruction.info->matrix_rows : 1;
      for (uint32_t row = 0; row < rows; ++row) {
        CheckTemp(instruction, source.number + row, ReadMask(*program_, instruction, i));
      }
    }
  }

  void CheckTemp(const Instruction& instruction, uint32_t number, uint8_t mask) {
    if (number >= written_.size()) return;
    const uint8_t written = written_[number];
    if ((mask & ~written) == 0) return;
    Report(Rule::kDp2Shader040, instruction,
           fmt::format("r{} is read before all of it is written", number));
    written_[number] = kFullMask;  // once is enough
  }

  void RecordWrite(const Instruction& instruction) {
    const Destination& target = instruction.destination;
    if (!instruction.has_destination || instruction.op() == Op::TexKill) return;
    if (target.type == RegisterType::kTemp && target.number < written_.size()) {
      written_[target.number] =
          static_cast<uint8_t>(written_[target.number] | instruction.result_mask());
    }
  }

  bool WritesPosition() const {
    if (version_.code() < 0x30)
      return program_->WrittenMask(RegisterType::kRastOut, kPositionOut) != 0;
    return std::ranges::any_of(program_->declarations, [this](const Declaration& declaration) {
      const bool is_position = declaration.type == RegisterType::kOutput &&
                               declaration.usage_index == 0 &&
                               declaration.usage == d3d::Value(d3d::DeclUsage::Position);
      return is_position && program_->WrittenMask(declaration.type, declaration.number) != 0;
    });
  }

  void CheckOutputs() {
    if (!program_->is_executable) return;  // part of the code may be missing
    // Unspecified: a vertex shader without instructions; chosen: allowed, example E9 of lib/opcode/dp2.md 23 has one.
    if (!version_.is_pixel && program_->instructions.empty()) return;
    if (!version_.is_pixel) {
      if (!WritesPosition()) ReportAtEnd(Rule::kDp2Shader041, "the position is never written");
    } else if (version_.major == 1) {
      if (program_->WrittenMask(RegisterType::kTemp, 0) == 0)
        ReportAtEnd(Rule::kDp2Shader042, "r0 is never written");
    } else if (program_->WrittenMask(RegisterType::kColorOut, 0) == 0) {
      ReportAtEnd(Rule::kDp2Shader042, "oC0 is never written");
    }
  }

  void ReportAtEnd(Rule rule, std::string message) {
    Diagnostic finding = MakeDiagnostic(rule, std::move(message));
    finding.offset = program_->size - 4;  // END
    findings_->Add(std::move(finding));
  }

  const Program* program_;
  Version version_;
  DiagnosticList* findings_;
  std::map<std::pair<RegisterType, uint32_t>, uint8_t> declared_;  // components
  std::array<uint8_t, 32> written_ = {};
};

}  // namespace

bool IsStraight(const Program& program) {
  return std::ranges::none_of(program.instructions, [](const Instruction& instruction) {
    return instruction.op() == Op::Loop || instruction.op() == Op::Rep ||
           instruction.op() == Op::Label;
  });
}

uint8_t ReadMask(const Program& program, const Instruction& instruction, uint32_t index) {
  return ThroughSwizzle(instruction.sources[index], OperandMask(program, instruction, index));
}

void CheckReads(const Program& program, DiagnosticList& findings) {
  ReadCheck(program, findings).Run();
}

}  // namespace dp2trace::shader
