#include "shader/checker.h"

#include <fmt/format.h>

#include "rules/rule.h"
#include "shader/check.h"

namespace dp2trace::shader {
namespace {

// Slots of a phase or of the whole shader.
struct SlotLimits {
  uint32_t total = 0;  // 0: no limit
  uint32_t arithmetic = 0;
  uint32_t texture = 0;
};

// Unspecified: limits that depend on the device (2_x, 3_0); chosen: the largest that a device may report.
SlotLimits SlotLimitsOf(Version version) {
  if (version.is_software()) return {};
  const uint8_t code = version.code();
  if (!version.is_pixel) return {code < 0x20 ? 128U : code < 0x30 ? 256U : 32768U, 0, 0};
  if (code < 0x14) return {0, 8, 4};
  if (code < 0x20) return {0, 8, 6};
  if (code == 0x20) return {0, 64, 32};
  return {code < 0x30 ? 512U : 32768U, 0, 0};
}

// Counts and reports once per kind, at the instruction that exceeds the limit.
class SlotCounter {
 public:
  SlotCounter(const Program& program, DiagnosticList& findings)
      : program_(&program), findings_(&findings), limits_(SlotLimitsOf(program.version)) {}

  void Run() {
    for (const Instruction& instruction : program_->instructions) {
      if (instruction.op() == Op::Phase) arithmetic_ = texture_ = 0;
      const uint32_t slots =
          instruction.is_coissued ? 0 : instruction.info->slots(program_->version);
      const bool is_texture = instruction.info->kind == OpKind::kTexture;
      Count(instruction, Rule::kDp2Shader038, "instruction", limits_.total, total_, slots);
      Count(instruction, Rule::kDp2Shader038, "arithmetic instruction", limits_.arithmetic,
            arithmetic_, is_texture ? 0 : slots);
      Count(instruction, Rule::kDp2Shader039, "texture instruction", limits_.texture, texture_,
            is_texture ? slots : 0);
    }
  }

 private:
  void Count(const Instruction& instruction, Rule rule, std::string_view what, uint32_t limit,
             uint32_t& count, uint32_t slots) {
    const bool was_over = count > limit;
    count += slots;
    if (limit == 0 || was_over || count <= limit) return;
    findings_->Add(
        MakeFinding(rule, instruction, fmt::format("more than {} {} slots", limit, what)));
  }

  const Program* program_;
  DiagnosticList* findings_;
  SlotLimits limits_;
  uint32_t total_ = 0, arithmetic_ = 0, texture_ = 0;
};

}  // namespace

void Check(const Program& program, DiagnosticList& findings) {
  if (program.version.major == 0) return;  // reported by the decoder
  CheckInstructions(program, findings);
  CheckReads(program, findings);
  CheckAddresses(program, findings);
  CheckComponents(program, findings);
  CheckLookups(program, findings);
  CheckPixelOutputs(program, findings);
  CheckFlow(program, findings);
  if (program.version.is_pixel && program.version.major == 1) CheckLegacyPixel(program, findings);
  SlotCounter(program, findings).Run();
}

void CheckStage(const Program& program, bool is_pixel, DiagnosticList& findings) {
  if (program.version.major == 0 || program.version.is_pixel == is_pixel) return;
  Diagnostic finding = MakeDiagnostic(
      Rule::kDp2Shader010,
      fmt::format("a {} shader is given where a {} shader belongs",
                  program.version.is_pixel ? "pixel" : "vertex", is_pixel ? "pixel" : "vertex"));
  finding.offset = 0;
  findings.Add(std::move(finding));
}

}  // namespace dp2trace::shader
