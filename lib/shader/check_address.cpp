// Address registers and the predicate: used before they are written.
// Source: lib/raster/rendering-shaders.md 8.5 and 8.6; Direct3D 9 assembly shader reference (address register, predicate register).
#include <fmt/format.h>

#include "rules/rule.h"
#include "shader/check.h"

namespace dp2trace::shader {
namespace {

class AddressCheck {
 public:
  AddressCheck(const Program& program, DiagnosticList& findings)
      : program_(&program),
        has_predicate_(RegisterCount(program.version, RegisterType::kPredicate) != 0),
        has_address_(RegisterCount(program.version, RegisterType::kAddress) != 0),
        findings_(&findings) {}

  void Run() {
    if (!IsStraight(*program_)) {
      for (const Instruction& instruction : program_->instructions)
        RecordWrite(instruction);
    }
    for (const Instruction& instruction : program_->instructions) {
      if (instruction.info->kind == OpKind::kDeclaration) continue;
      CheckPredicates(instruction);
      CheckAddresses(instruction);
      RecordWrite(instruction);
    }
  }

 private:
  void RecordWrite(const Instruction& instruction) {
    if (!instruction.has_destination) return;
    const Destination& target = instruction.destination;
    if (target.type == RegisterType::kPredicate)
      predicate_ = static_cast<uint8_t>(predicate_ | target.mask);
    if (target.type == RegisterType::kAddress)
      address_ = static_cast<uint8_t>(address_ | target.mask);
  }

  void CheckPredicates(const Instruction& instruction) {
    if (!has_predicate_) return;
    uint8_t mask = 0;
    if (instruction.is_predicated) {
      for (uint32_t i = 0; i < 4; ++i) {
        if ((instruction.destination.mask >> i & 1) != 0)
          mask = static_cast<uint8_t>(mask | 1U << instruction.predicate.swizzle[i]);
      }
    }
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      const Source& source = instruction.sources[i];
      if (source.type == RegisterType::kPredicate)
        mask = static_cast<uint8_t>(mask | 1U << source.swizzle[0]);
    }
    if ((mask & ~predicate_) == 0) return;
    findings_->Add(MakeFinding(Rule::kDp2Shader065, instruction, "p0 is read before it is set"));
    predicate_ = kFullMask;  // once is enough
  }

  void CheckAddresses(const Instruction& instruction) {
    if (!has_address_) return;
    if (instruction.has_destination && instruction.destination.is_relative)
      CheckAddress(instruction, instruction.destination.relative);
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      if (instruction.sources[i].is_relative)
        CheckAddress(instruction, instruction.sources[i].relative);
    }
  }

  void CheckAddress(const Instruction& instruction, const RelativeAddress& address) {
    const bool is_written = (address_ >> address.component & 1) != 0;
    if (address.type != RegisterType::kAddress || address.number != 0 || is_written) return;
    findings_->Add(
        MakeFinding(Rule::kDp2Shader066, instruction,
                    fmt::format("a0.{} is used before it is written", "xyzw"[address.component])));
    address_ = kFullMask;
  }

  const Program* program_;
  bool has_predicate_, has_address_;
  DiagnosticList* findings_;
  uint8_t predicate_ = 0, address_ = 0;  // components that have been written
};

}  // namespace

void CheckAddresses(const Program& program, DiagnosticList& findings) {
  AddressCheck(program, findings).Run();
}

}  // namespace dp2trace::shader
