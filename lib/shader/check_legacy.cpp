// Rules of pixel shaders 1.x: order of texture instructions, phases, matrix sequences, pairs.
// Source: rendering specification, 8.7; Direct3D 9 assembly shader reference (ps_1_1 to ps_1_4 pages).
#include <fmt/format.h>

#include <algorithm>

#include "shader/check.h"

namespace dp2trace::shader {
namespace {

constexpr uint32_t kStageCount = 8;

// Rows of the matrix that an instruction is part of; 0: none.
uint32_t MatrixRows(Op op) {
  switch (op) {
    case Op::TexM3x2Pad:
    case Op::TexM3x2Tex:
    case Op::TexM3x2Depth: return 2;
    case Op::TexM3x3Pad:
    case Op::TexM3x3:
    case Op::TexM3x3Tex:
    case Op::TexM3x3Spec:
    case Op::TexM3x3VSpec: return 3;
    default: return 0;
  }
}

bool IsPad(Op op) { return op == Op::TexM3x2Pad || op == Op::TexM3x3Pad; }

class LegacyCheck {
 public:
  LegacyCheck(const Program& program, DiagnosticList& findings)
      : program_(&program), is_1_4_(program.version.code() == 0x14), findings_(&findings) {}

  void Run() {
    const bool has_phases = std::ranges::any_of(program_->instructions, [](const Instruction& i) { return i.op() == Op::Phase; });
    is_second_phase_ = !has_phases;
    const Instruction* previous = nullptr;
    for (const Instruction& instruction : program_->instructions) {
      if (instruction.info->kind == OpKind::kDeclaration) continue;
      if (instruction.op() == Op::Phase) {
        StartPhase(instruction);
      } else if (instruction.info->kind == OpKind::kTexture) {
        CheckTexture(instruction);
      } else {
        has_arithmetic_ = true;
        CheckColors(instruction);
      }
      if (instruction.is_coissued && previous != nullptr) CheckPair(*previous, instruction);
      previous = &instruction;
    }
    if (rows_ != 0) Report(Rule::kDp2Shader047, *previous, "a matrix is not complete");
  }

 private:
  void Report(Rule rule, const Instruction& instruction, std::string message) {
    findings_->Add(MakeFinding(rule, instruction, std::move(message)));
  }

  void StartPhase(const Instruction& instruction) {
    if (is_second_phase_) Report(Rule::kDp2Shader044, instruction, "there are two phases only");
    is_second_phase_ = true;
    has_arithmetic_ = false;
    stages_ = 0;
  }

  void CheckTexture(const Instruction& instruction) {
    const bool may_follow = instruction.op() == Op::TexDepth || instruction.op() == Op::TexKill;
    if (has_arithmetic_ && !may_follow) {
      Report(Rule::kDp2Shader045, instruction, fmt::format("{} stands behind arithmetic instructions", instruction.info->name));
    }
    const uint32_t stage = instruction.destination.number;
    if (stage >= kStageCount || may_follow) return;
    if ((stages_ >> stage & 1) != 0) {
      Report(Rule::kDp2Shader046, instruction, fmt::format("stage {} is used already", stage));
    }
    if (!is_1_4_) {
      CheckMatrix(instruction);
      if (instruction.source_count > 0) CheckTextureSource(instruction);
    }
    stages_ |= 1U << stage;
  }

  // The source of an address instruction is the result of an earlier stage.
  void CheckTextureSource(const Instruction& instruction) {
    const uint32_t source = instruction.sources[0].number;
    const bool is_read = source < instruction.destination.number && source < kStageCount && (stages_ >> source & 1) != 0;
    if (!is_read) Report(Rule::kDp2Shader048, instruction, fmt::format("t{} has no result of an earlier stage", source));
  }

  // Pads fill all rows but the last one, at consecutive stages.
  void CheckMatrix(const Instruction& instruction) {
    const uint32_t rows = MatrixRows(instruction.op());
    const uint32_t stage = instruction.destination.number;
    const bool fits = rows_ == 0 ? (rows == 0 || IsPad(instruction.op()))
                                 : rows == rows_ && stage == next_stage_ && IsPad(instruction.op()) == (row_ + 1 < rows_);
    if (!fits) {
      Report(Rule::kDp2Shader047, instruction, fmt::format("{} does not continue a matrix", instruction.info->name));
      rows_ = 0;
      return;
    }
    if (rows == 0) return;
    row_ = rows_ == 0 ? 1 : row_ + 1;
    rows_ = row_ < rows ? rows : 0;
    next_stage_ = stage + 1;
  }

  void CheckColors(const Instruction& instruction) {
    if (!is_1_4_ || is_second_phase_) return;
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      if (instruction.sources[i].type != RegisterType::kInput) continue;
      return Report(Rule::kDp2Shader050, instruction, fmt::format("v{} is read in the first phase", instruction.sources[i].number));
    }
  }

  void CheckPair(const Instruction& first, const Instruction& second) {
    const bool both_arithmetic = first.info->kind == OpKind::kArithmetic && second.info->kind == OpKind::kArithmetic;
    const bool is_split = (first.destination.mask & second.destination.mask) == 0;
    if (!both_arithmetic || !is_split || first.is_coissued) {
      Report(Rule::kDp2Shader049, second, "a pair is one colour and one alpha instruction");
    }
  }

  const Program* program_;
  bool is_1_4_;
  DiagnosticList* findings_;
  bool is_second_phase_ = false;
  bool has_arithmetic_ = false;
  uint32_t stages_ = 0;  // bit n: stage n has been used in this phase
  uint32_t rows_ = 0, row_ = 0, next_stage_ = 0;  // of the matrix that is being filled
};

}  // namespace

void CheckLegacyPixel(const Program& program, DiagnosticList& findings) { LegacyCheck(program, findings).Run(); }

}  // namespace dp2trace::shader
