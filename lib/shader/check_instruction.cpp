// Rules about single instructions: which operands, modifiers and masks a version takes.
// Source: lib/raster/rendering-shaders.md 8.1, 8.2 and 8.5; Direct3D 9 assembly shader reference (modifiers, registers, instruction pages).
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/plain_text.h"
#include "rules/rule.h"
#include "shader/check.h"
#include "shader/disassembler.h"

namespace dp2trace::shader {
namespace {

class InstructionCheck {
 public:
  InstructionCheck(const Program& program, const Instruction& instruction, bool is_first,
                   DiagnosticList& findings)
      : instruction_(&instruction),
        version_(program.version),
        code_(version_.code()),
        is_first_(is_first),
        findings_(&findings) {}

  void Run() {
    const InstructionInfo& info = *instruction_->info;
    if (!info.IsIn(version_)) {
      return Report(Rule::kDp2Shader011,
                    fmt::format("{} is not in {}", info.name, VersionName(version_)));
    }
    CheckControl();
    CheckPredicate();
    uint32_t source = 0;
    for (const char letter : info.operands) {
      if (letter == 'd' || letter == 'a' || letter == 'p' || letter == 'k' || letter == 'u')
        CheckDestination(letter);
      if (std::string_view("srmtbcixl").find(letter) != std::string_view::npos) {
        CheckSource(letter, instruction_->sources[source++]);
      }
    }
    CheckPorts();
    CheckOwnSource();
  }

 private:
  void Report(Rule rule, std::string message) {
    findings_->Add(MakeFinding(rule, *instruction_, std::move(message)));
  }
  Op op() const { return instruction_->op(); }
  bool IsTexture() const { return instruction_->info->kind == OpKind::kTexture; }
  std::string NameOf(RegisterType type, uint32_t number) const {
    return RegisterName(version_, type, number);
  }

  void CheckControl() {
    const uint8_t control = instruction_->control;
    if (op() == Op::IfC || op() == Op::BreakC || op() == Op::SetP) {
      if (control < 1 || control > 6)
        Report(Rule::kDp2Shader025, fmt::format("{} is not a comparison", control));
    } else if (control > (op() == Op::Tex && version_.major >= 2 ? kTexBias : 0)) {
      Report(Rule::kDp2Shader026,
             fmt::format("{} has control bits {:#04x}", instruction_->info->name, control));
    }
    if (!instruction_->is_coissued) return;
    if (!version_.is_pixel || version_.major != 1 || is_first_)
      Report(Rule::kDp2Shader024, "nothing can be paired with it");
  }

  void CheckPredicate() {
    if (!instruction_->is_predicated) return;
    const Source& predicate = instruction_->predicate;
    const bool is_allowed =
        code_ >= 0x21 && instruction_->has_destination &&
        instruction_->info->kind != OpKind::kDeclaration &&
        predicate.type == RegisterType::kPredicate && predicate.number == 0 &&
        (predicate.modifier == Modifier::kNone || predicate.modifier == Modifier::kNot);
    if (!is_allowed) {
      Report(Rule::kDp2Shader023,
             fmt::format("{} cannot have this predicate", instruction_->info->name));
    }
  }

  void CheckNumber(RegisterType type, uint32_t number, uint32_t rows) {
    const uint32_t count = RegisterCount(version_, type);
    if (count == 0) return;  // the type is reported
    if (number >= count) {
      Report(Rule::kDp2Shader014, fmt::format("{} of {} registers", NameOf(type, number), count));
    } else if (number + rows > count) {
      Report(Rule::kDp2Shader028, fmt::format("{} from {} on, {} exist", Counted(rows, "register"),
                                              NameOf(type, number), count));
    }
  }

  // ---------- destinations ----------

  bool IsDeclarable(RegisterType type) const {
    if (type == RegisterType::kInput) return true;
    if (type == RegisterType::kSampler) return version_.is_pixel || code_ >= 0x30;
    if (version_.is_pixel)
      return type == (code_ >= 0x30 ? RegisterType::kMisc : RegisterType::kTexture);
    return code_ >= 0x30 && type == RegisterType::kOutput;
  }

  bool IsPixelDestination(RegisterType type) const {
    if (type == RegisterType::kTexture) return code_ <= 0x13;
    if (type == RegisterType::kTemp) return !(IsTexture() && code_ <= 0x13);
    if (type != RegisterType::kColorOut && type != RegisterType::kDepthOut) return false;
    return code_ >= 0x30 || (code_ >= 0x20 && op() == Op::Mov);
  }

  bool IsWritable(char letter, RegisterType type) const {
    switch (letter) {
      case 'a':
        return type == RegisterType::kAddress;
      case 'p':
        return type == RegisterType::kPredicate;
      case 'u':
        return IsDeclarable(type);
      case 'k':
        if (type == RegisterType::kTexture) return code_ < 0x30;
        return (type == RegisterType::kTemp && code_ >= 0x14) ||
               (type == RegisterType::kInput && code_ >= 0x30);
      default:
        break;
    }
    if (op() == Op::Def) return type == RegisterType::kConst;
    if (op() == Op::DefI) return type == RegisterType::kConstInt;
    if (op() == Op::DefB) return type == RegisterType::kConstBool;
    if (version_.is_pixel) return IsPixelDestination(type);
    if (type == RegisterType::kAddress) return op() == Op::Mov && code_ < 0x20;
    return type == RegisterType::kTemp || type == RegisterType::kRastOut ||
           type == RegisterType::kAttributeOut || type == RegisterType::kOutput;
  }

  void CheckDestination(char letter) {
    const Destination& target = instruction_->destination;
    if (!IsWritable(letter, target.type) || RegisterCount(version_, target.type) == 0) {
      return Report(Rule::kDp2Shader013, fmt::format("{} cannot write {}", instruction_->info->name,
                                                     NameOf(target.type, target.number)));
    }
    CheckNumber(target.type, target.number, 1);
    const bool may_be_relative =
        code_ == 0x30 && target.type == RegisterType::kOutput && letter == 'd';
    if (target.is_relative && !may_be_relative)
      Report(Rule::kDp2Shader021, "the destination cannot be addressed relatively");
    if (target.is_relative && may_be_relative) CheckAddress(target.relative);
    CheckMask(target);
    CheckResultModifiers(letter, target);
  }

  // Unspecified: matrices with fewer rows than the mask has components; chosen: allowed, compilers write them.
  uint8_t AllowedMask() const {
    switch (op()) {
      case Op::Crs:
        return kMaskXyz;
      case Op::SinCos:
        return kMaskXy;
      case Op::Frc:
        return !version_.is_pixel && code_ < 0x20 ? kMaskXy : kFullMask;
      default:
        return kFullMask;
    }
  }

  void CheckMask(const Destination& target) {
    if (target.mask == 0) {
      return Report(Rule::kDp2Shader015,
                    fmt::format("{} writes no component", instruction_->info->name));
    }
    if ((target.mask & ~AllowedMask()) != 0) {
      Report(Rule::kDp2Shader030,
             fmt::format("{} cannot write all of these components", instruction_->info->name));
    }
    if (version_.is_pixel && code_ < 0x30 && target.type == RegisterType::kColorOut &&
        target.mask != kFullMask) {
      Report(Rule::kDp2Shader043,
             fmt::format("{} is written in part", NameOf(target.type, target.number)));
    }
  }

  void CheckResultModifiers(char letter, const Destination& target) {
    const bool saturates =
        target.saturates && ((!version_.is_pixel && code_ < 0x30) || letter != 'd');
    const bool is_partial =
        target.is_partial_precision && (!version_.is_pixel || version_.major < 2);
    const bool is_centroid =
        target.is_centroid && (!version_.is_pixel || version_.major < 2 || letter != 'u');
    if (saturates || is_partial || is_centroid) {
      Report(Rule::kDp2Shader017, fmt::format("a result modifier of {} is not in {}",
                                              instruction_->info->name, VersionName(version_)));
    }
    const int limit = !version_.is_pixel || version_.major > 1 || IsTexture() ? 0
                      : code_ < 0x14                                          ? 2
                                                                              : 3;
    const int lower = limit == 2 ? -1 : -limit;
    if (target.shift > limit || target.shift < lower) {
      Report(Rule::kDp2Shader018, fmt::format("the result is scaled by 2^{}", int{target.shift}));
    }
  }

  // ---------- sources ----------

  bool IsPixelSource(RegisterType type) const {
    const bool is_texture = type == RegisterType::kTexture;
    if (code_ <= 0x13 && IsTexture())
      return is_texture || (op() == Op::TexM3x3Spec && type == RegisterType::kConst);
    if (code_ == 0x14 && IsTexture())
      return is_texture || (op() == Op::Tex && type == RegisterType::kTemp);
    if (is_texture) return code_ != 0x14;
    if (type == RegisterType::kMisc) return true;
    return type == RegisterType::kTemp || type == RegisterType::kInput ||
           type == RegisterType::kConst;
  }

  bool IsReadable(char letter, RegisterType type) const {
    switch (letter) {
      case 't':
        return type == RegisterType::kSampler;
      case 'b':
        return type == RegisterType::kConstBool ||
               (type == RegisterType::kPredicate && code_ >= 0x21);
      case 'c':
        return type == RegisterType::kPredicate;
      case 'i':
        return type == RegisterType::kConstInt;
      case 'x':
        return type == RegisterType::kLoop;
      case 'l':
        return type == RegisterType::kLabel;
      default:
        break;
    }
    if (version_.is_pixel) return IsPixelSource(type);
    return type == RegisterType::kTemp || type == RegisterType::kInput ||
           type == RegisterType::kConst;
  }

  void CheckSource(char letter, const Source& source) {
    if (!IsReadable(letter, source.type) || RegisterCount(version_, source.type) == 0) {
      return Report(Rule::kDp2Shader012, fmt::format("{} cannot read {}", instruction_->info->name,
                                                     NameOf(source.type, source.number)));
    }
    CheckNumber(source.type, source.number, letter == 'm' ? instruction_->info->matrix_rows : 1);
    if (source.is_relative) {
      const bool is_input = source.type == RegisterType::kInput && code_ >= 0x30;
      const bool is_constant = source.type == RegisterType::kConst && !version_.is_pixel;
      if (!is_input && !is_constant)
        return Report(Rule::kDp2Shader021, "the source cannot be addressed relatively");
      CheckAddress(source.relative);
    }
    CheckModifier(letter, source);
    CheckSwizzle(letter, source);
  }

  void CheckAddress(const RelativeAddress& address) {
    const bool is_loop = address.type == RegisterType::kLoop && code_ >= 0x20;
    const bool is_address = address.type == RegisterType::kAddress && !version_.is_pixel;
    const bool is_legal = (is_loop || is_address) && address.number == 0;
    if (!is_legal) {
      Report(Rule::kDp2Shader022,
             fmt::format("{} is not an address", NameOf(address.type, address.number)));
    }
  }

  bool HasModifier(char letter, Modifier modifier) const {
    if (modifier == Modifier::kNone) return true;
    if (letter == 'b' || letter == 'c') return modifier == Modifier::kNot;
    if (letter != 's' && letter != 'r' && letter != 'm') return false;
    switch (modifier) {
      case Modifier::kNegate:
        return true;
      case Modifier::kAbsolute:
      case Modifier::kAbsoluteNegate:
        return code_ >= 0x30;
      case Modifier::kNot:
        return false;
      case Modifier::kDouble:
      case Modifier::kDoubleNegate:
        return version_.is_pixel && code_ == 0x14;
      case Modifier::kDivideZ:
      case Modifier::kDivideW:
        return version_.is_pixel && code_ == 0x14 && IsTexture();
      default:
        return version_.is_pixel && version_.major == 1;
    }
  }

  void CheckModifier(char letter, const Source& source) {
    if (HasModifier(letter, source.modifier)) return;
    Report(Rule::kDp2Shader016,
           fmt::format("the modifier of {} is not in {}", NameOf(source.type, source.number),
                       VersionName(version_)));
  }

  bool IsPixel20Swizzle(const Source& source) const {
    using Swizzle = std::array<uint8_t, 4>;
    constexpr std::array<Swizzle, 4> kSwizzles = {kIdentitySwizzle, Swizzle{1, 2, 0, 3},
                                                  Swizzle{2, 0, 1, 3}, Swizzle{3, 2, 1, 0}};
    if (IsTexture()) return source.swizzle == kIdentitySwizzle;
    return source.is_replicate() || std::ranges::find(kSwizzles, source.swizzle) != kSwizzles.end();
  }

  bool HasSwizzle(const Source& source) const {
    if (!version_.is_pixel || code_ >= 0x21) return true;
    if (code_ == 0x20) return IsPixel20Swizzle(source);
    if (source.swizzle == kIdentitySwizzle) return true;
    if (IsTexture()) return code_ == 0x14 && source.swizzle[0] == 0 && source.swizzle[1] == 1;
    if (!source.is_replicate()) return false;
    return code_ == 0x14 || source.swizzle[0] >= 2;
  }

  void CheckSwizzle(char letter, const Source& source) {
    if (letter != 's' && letter != 'r' && letter != 'm' && letter != 't') return;
    if (!HasSwizzle(source)) {
      Report(Rule::kDp2Shader019,
             fmt::format("the swizzle of {} is not in {}", NameOf(source.type, source.number),
                         VersionName(version_)));
    } else if (letter == 'r' && version_.major >= 2 && !source.is_replicate()) {
      Report(Rule::kDp2Shader020,
             fmt::format("{} reads one component of {}", instruction_->info->name,
                         NameOf(source.type, source.number)));
    }
  }

  // ---------- the instruction as a whole ----------

  // Unspecified: the ports of macros; chosen: not limited, they stand for several instructions.
  void CheckPorts() {
    if (instruction_->info->matrix_rows != 0 || op() == Op::SinCos) return;
    for (const RegisterType type : {RegisterType::kTemp, RegisterType::kConst, RegisterType::kInput,
                                    RegisterType::kTexture}) {
      std::vector<std::pair<uint32_t, bool>> read;
      for (uint32_t i = 0; i < instruction_->source_count; ++i) {
        const Source& source = instruction_->sources[i];
        const std::pair<uint32_t, bool> key = {source.number, source.is_relative};
        if (source.type == type && std::ranges::find(read, key) == read.end()) read.push_back(key);
      }
      const uint32_t ports = ReadPorts(version_, type);
      if (ports != 0 && read.size() > ports) {
        std::string names;
        for (const auto& [number, is_relative] : read)
          names += (names.empty() ? "" : ", ") + NameOf(type, number);
        Report(Rule::kDp2Shader027, fmt::format("{} are read at once, {} can read {} of this kind",
                                                names, VersionName(version_), ports));
      }
    }
  }

  // Macros write before they have read all.
  void CheckOwnSource() {
    const bool is_macro = instruction_->info->matrix_rows != 0 || op() == Op::Crs;
    if (!is_macro) return;
    const Destination& target = instruction_->destination;
    for (uint32_t i = 0; i < instruction_->source_count; ++i) {
      const Source& source = instruction_->sources[i];
      if (source.type == target.type && source.number == target.number && !source.is_relative) {
        return Report(Rule::kDp2Shader029,
                      fmt::format("{} reads and writes {}", instruction_->info->name,
                                  NameOf(target.type, target.number)));
      }
    }
  }

  const Instruction* instruction_;
  Version version_;
  uint8_t code_;
  bool is_first_;
  DiagnosticList* findings_;
};

}  // namespace

void CheckInstructions(const Program& program, DiagnosticList& findings) {
  bool is_first = true;
  for (const Instruction& instruction : program.instructions) {
    InstructionCheck(program, instruction, is_first, findings).Run();
    if (instruction.info->kind != OpKind::kDeclaration) is_first = false;
  }
}

}  // namespace dp2trace::shader
