// Texture lookups that depend on too many others, and derivatives where neighbouring pixels may not take part.
// Source: lib/raster/rendering.md 0.5; lib/raster/rendering-shaders.md 8.8; Direct3D 9 assembly shader reference ("Flow Control Limitations", ps_2_0).
#include <fmt/format.h>

#include <algorithm>

#include "rules/rule.h"
#include "shader/check.h"
#include "shader/divergence.h"

namespace dp2trace::shader {
namespace {

constexpr uint8_t kDependentLookups = 4;

// How many lookups lie after a component of a temporary register. Version 2.0 has no flow control: one pass sees all.
// Unspecified: whether coordinates that are only computed begin a chain; chosen: only lookups count.
class ChainCheck {
 public:
  ChainCheck(const Program& program, DiagnosticList& findings)
      : program_(&program), findings_(&findings) {}

  void Run() {
    for (const Instruction& instruction : program_->instructions) {
      if (instruction.info->kind == OpKind::kDeclaration || instruction.op() == Op::TexKill)
        continue;
      uint8_t length = SourceLength(instruction);
      if (instruction.info->kind == OpKind::kTexture && ++length > kDependentLookups) {
        return findings_->Add(
            MakeFinding(Rule::kDp2Shader074, instruction,
                        fmt::format("{} lookups depend on each other", uint32_t{length})));
      }
      const Destination& target = instruction.destination;
      if (!instruction.has_destination || target.type != RegisterType::kTemp ||
          target.number >= lengths_.size())
        continue;
      for (uint32_t i = 0; i < 4; ++i) {
        if ((target.mask >> i & 1) != 0) lengths_[target.number][i] = length;
      }
    }
  }

 private:
  uint8_t SourceLength(const Instruction& instruction) const {
    uint8_t longest = 0;
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      const Source& source = instruction.sources[i];
      if (source.type != RegisterType::kTemp || source.number >= lengths_.size()) continue;
      const uint8_t mask = ReadMask(*program_, instruction, i);
      for (uint32_t c = 0; c < 4; ++c) {
        if ((mask >> c & 1) != 0) longest = std::max(longest, lengths_[source.number][c]);
      }
    }
    return longest;
  }

  const Program* program_;
  DiagnosticList* findings_;
  std::array<std::array<uint8_t, 4>, 32> lengths_ = {};
};

bool TakesDerivatives(Op op) {
  return op == Op::Tex || op == Op::Dsx || op == Op::Dsy;
}

bool ReadsVaryingTemp(const Program& program, const Instruction& instruction,
                      const Divergence& divergence) {
  const Source& source = instruction.sources[0];
  return source.type == RegisterType::kTemp && source.number < divergence.varying_temps.size() &&
         (divergence.varying_temps[source.number] & ReadMask(program, instruction, 0)) != 0;
}

void CheckDerivatives(const Program& program, DiagnosticList& findings) {
  const Divergence divergence = FindDivergence(program);
  for (size_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& instruction = program.instructions[i];
    if (!divergence.is_divergent[i] || !TakesDerivatives(instruction.op())) continue;
    if (!ReadsVaryingTemp(program, instruction, divergence)) continue;
    findings.Add(MakeFinding(
        Rule::kDp2Shader064, instruction,
        fmt::format("{} takes derivatives where not all pixels may be", instruction.info->name)));
  }
}

}  // namespace

void CheckLookups(const Program& program, DiagnosticList& findings) {
  if (!program.version.is_pixel || program.version.major < 2) return;
  if (program.version.code() == 0x20) return ChainCheck(program, findings).Run();
  CheckDerivatives(program, findings);
}

}  // namespace dp2trace::shader
