// Rules of pixel shaders 1.x: order of texture instructions, phases, matrix sequences, pairs, masks, depth.
// Source: lib/raster/rendering-shaders.md 8.7; Direct3D 9 assembly shader reference (ps_1_1 to ps_1_4 pages).
#include <fmt/format.h>

#include <algorithm>

#include "d3d/states.h"
#include "rules/rule.h"
#include "shader/check.h"

namespace dp2trace::shader {
namespace {

constexpr uint32_t kTempCount = 8;
constexpr uint32_t kDepthRegister = 5;
constexpr uint8_t kColorMask = 0x7, kAlphaMask = 0x8;

// Rows of the matrix that an instruction is part of; 0: none.
uint32_t MatrixRows(Op op) {
  switch (op) {
    case Op::TexM3x2Pad:
    case Op::TexM3x2Tex:
    case Op::TexM3x2Depth:
      return 2;
    case Op::TexM3x3Pad:
    case Op::TexM3x3:
    case Op::TexM3x3Tex:
    case Op::TexM3x3Spec:
    case Op::TexM3x3VSpec:
      return 3;
    default:
      return 0;
  }
}

bool IsPad(Op op) {
  return op == Op::TexM3x2Pad || op == Op::TexM3x3Pad;
}

class LegacyCheck {
 public:
  LegacyCheck(const Program& program, DiagnosticList& findings)
      : program_(&program), is_1_4_(program.version.code() == 0x14), findings_(&findings) {}

  void Run() {
    const bool has_phases = std::ranges::any_of(
        program_->instructions, [](const Instruction& i) { return i.op() == Op::Phase; });
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
        CheckLoaded(instruction);
      }
      CheckMask(instruction);
      CheckAlpha(instruction);
      CheckDepth(instruction);
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
    lost_alphas_ = written_alphas_;
  }

  void CheckMask(const Instruction& instruction) {
    if (!instruction.has_destination) return;
    const uint8_t mask = instruction.destination.mask;
    const bool is_texture = instruction.info->kind == OpKind::kTexture;
    const bool fits =
        mask == kFullMask || (is_texture ? is_1_4_ && instruction.op() == Op::TexCoord
                                         : is_1_4_ || mask == kColorMask || mask == kAlphaMask);
    if (fits || mask == 0) return;  // no component at all is another rule
    Report(Rule::kDp2Shader051, instruction,
           fmt::format("{} cannot write this part of its result", instruction.info->name));
  }

  // The second phase finds colours, not alphas. Source: lib/raster/rendering-shaders.md 8.7.
  void CheckAlpha(const Instruction& instruction) {
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      const Source& source = instruction.sources[i];
      if (source.type != RegisterType::kTemp || source.number >= kTempCount ||
          (lost_alphas_ >> source.number & 1) == 0)
        continue;
      if ((ReadMask(*program_, instruction, i) & kAlphaMask) == 0) continue;
      Report(Rule::kDp2Shader078, instruction,
             fmt::format("the alpha of r{} is that of the first phase", source.number));
      lost_alphas_ &= ~(1U << source.number);  // once is enough
    }
    const Destination& target = instruction.destination;
    const bool writes = instruction.has_destination && target.type == RegisterType::kTemp &&
                        target.number < kTempCount && instruction.op() != Op::TexKill &&
                        (target.mask & kAlphaMask) != 0;
    if (!writes) return;
    written_alphas_ |= 1U << target.number;
    lost_alphas_ &= ~(1U << target.number);
  }

  void CheckDepth(const Instruction& instruction) {
    const Destination& target = instruction.destination;
    if (instruction.op() == Op::TexDepth) {
      const bool is_legal =
          target.type == RegisterType::kTemp && target.number == kDepthRegister && is_second_phase_;
      if (!is_legal)
        Report(Rule::kDp2Shader052, instruction, "texdepth takes r5 of the second phase");
      has_depth_ = true;
      return;
    }
    if (!has_depth_) return;
    bool uses = instruction.has_destination && target.type == RegisterType::kTemp &&
                target.number == kDepthRegister;
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      uses = uses || (instruction.sources[i].type == RegisterType::kTemp &&
                      instruction.sources[i].number == kDepthRegister);
    }
    if (uses) Report(Rule::kDp2Shader052, instruction, "r5 is the depth already");
  }

  // Arithmetic of 1.1 to 1.3 reads what texture instructions have loaded, or what arithmetic has written.
  void CheckLoaded(const Instruction& instruction) {
    if (is_1_4_) return;
    for (uint32_t i = 0; i < instruction.source_count; ++i) {
      const Source& source = instruction.sources[i];
      if (source.type != RegisterType::kTexture || source.number >= d3d::kCombinerStageCount ||
          (loaded_ >> source.number & 1) != 0)
        continue;
      Report(Rule::kDp2Shader077, instruction, fmt::format("t{} is not loaded", source.number));
      loaded_ |= 1U << source.number;
    }
    const Destination& target = instruction.destination;
    if (target.type == RegisterType::kTexture && target.number < d3d::kCombinerStageCount)
      loaded_ |= 1U << target.number;
  }

  void CheckTexture(const Instruction& instruction) {
    const bool may_follow = instruction.op() == Op::TexDepth || instruction.op() == Op::TexKill;
    if (has_arithmetic_ && !may_follow) {
      Report(Rule::kDp2Shader045, instruction,
             fmt::format("{} comes after arithmetic instructions", instruction.info->name));
    }
    const uint32_t stage = instruction.destination.number;
    if (stage >= d3d::kCombinerStageCount || may_follow) return;
    if ((stages_ >> stage & 1) != 0) {
      Report(Rule::kDp2Shader046, instruction, fmt::format("stage {} is used already", stage));
    }
    if (!is_1_4_) {
      CheckMatrix(instruction);
      if (instruction.source_count > 0) CheckTextureSource(instruction);
    }
    stages_ |= 1U << stage;
    loaded_ |= 1U << stage;
  }

  // The source of an address instruction is the result of an earlier stage.
  void CheckTextureSource(const Instruction& instruction) {
    const uint32_t source = instruction.sources[0].number;
    const bool is_read = source < instruction.destination.number &&
                         source < d3d::kCombinerStageCount && (stages_ >> source & 1) != 0;
    if (!is_read) {
      Report(Rule::kDp2Shader048, instruction,
             fmt::format("t{} has no result of an earlier stage", source));
    }
  }

  // Pads fill all rows but the last one, at consecutive stages.
  void CheckMatrix(const Instruction& instruction) {
    const uint32_t rows = MatrixRows(instruction.op());
    const uint32_t stage = instruction.destination.number;
    const bool fits = rows_ == 0 ? (rows == 0 || IsPad(instruction.op()))
                                 : rows == rows_ && stage == next_stage_ &&
                                       IsPad(instruction.op()) == (row_ + 1 < rows_);
    if (!fits) {
      Report(Rule::kDp2Shader047, instruction,
             fmt::format("{} does not continue a matrix", instruction.info->name));
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
      return Report(Rule::kDp2Shader050, instruction,
                    fmt::format("v{} is read in the first phase", instruction.sources[i].number));
    }
  }

  void CheckPair(const Instruction& first, const Instruction& second) {
    const bool both_arithmetic =
        first.info->kind == OpKind::kArithmetic && second.info->kind == OpKind::kArithmetic;
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
  uint32_t loaded_ = 0;  // bit n: t# n has a value
  uint32_t written_alphas_ = 0,
           lost_alphas_ = 0;  // bit n: of r# n, and by the end of the first phase
  bool has_depth_ = false;    // texdepth stands before
  uint32_t rows_ = 0, row_ = 0, next_stage_ = 0;  // of the matrix that is being filled
};

}  // namespace

void CheckLegacyPixel(const Program& program, DiagnosticList& findings) {
  LegacyCheck(program, findings).Run();
}

}  // namespace dp2trace::shader
