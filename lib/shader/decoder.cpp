#include "shader/decoder.h"

#include <fmt/format.h>

#include <utility>

#include "base/plain_text.h"
#include "rules/rule.h"
#include "rules/rule_info.h"
#include "shader/token_bits.h"

namespace dp2trace::shader {
namespace {

constexpr size_t kMaxDeclarations = 256;  // kept; each component of each register once is less

constexpr uint32_t RawType(uint32_t token) {
  return ((token >> 28) & 7) + ((token >> 8) & 0x18);
}

// The type of a parameter token, and its number with the bank of c2048 and above added. False for types that do not exist.
bool ReadRegister(uint32_t token, Version version, RegisterType& type, uint32_t& number) {
  const uint32_t raw = RawType(token);
  number = token & kNumberMask;
  if (raw > kFirstConstantBank && raw <= kFirstConstantBank + 3) {
    type = RegisterType::kConst;
    number += (raw - kFirstConstantBank) * kConstantBankSize;
    return true;
  }
  if (raw > static_cast<uint32_t>(RegisterType::kPredicate)) return false;
  type = raw == kAddressType && version.is_pixel ? RegisterType::kTexture
                                                 : static_cast<RegisterType>(raw);
  return true;
}

std::array<uint8_t, 4> ReadSwizzle(uint32_t token) {
  std::array<uint8_t, 4> swizzle = {};
  for (uint32_t i = 0; i < 4; ++i)
    swizzle[i] = static_cast<uint8_t>((token >> (kComponentShift + 2 * i)) & 3);
  return swizzle;
}

// Words of one instruction, from the first operand on.
class OperandReader {
 public:
  OperandReader(Bytes bytes, Version version) : bytes_(bytes), version_(version) {}

  size_t used() const { return at_; }
  bool is_truncated() const { return is_truncated_; }
  bool has_clear_top_bit() const { return has_clear_top_bit_; }
  bool has_unknown_type() const { return has_unknown_type_; }

  uint32_t Literal() {
    if ((at_ + 1) * kWordSize > bytes_.size()) {
      is_truncated_ = true;
      return 0;
    }
    return LoadU32(bytes_.data() + kWordSize * at_++);
  }

  Destination ReadDestination() {
    const uint32_t token = Parameter();
    Destination result;
    if (!ReadRegister(token, version_, result.type, result.number)) has_unknown_type_ = true;
    result.mask = static_cast<uint8_t>((token >> kComponentShift) & kFullMask);
    const uint32_t shift = (token >> kModifierShift) & 0xF;
    result.shift =
        static_cast<int8_t>(shift < 8 ? static_cast<int>(shift) : static_cast<int>(shift) - 16);
    result.saturates = (token & kSaturateBit) != 0;
    result.is_partial_precision = (token & kPartialPrecisionBit) != 0;
    result.is_centroid = (token & kCentroidBit) != 0;
    result.is_relative = (token & kRelativeBit) != 0;
    if (result.is_relative) result.relative = ReadRelative();
    return result;
  }

  Source ReadSource() {
    const uint32_t token = Parameter();
    Source result;
    if (!ReadRegister(token, version_, result.type, result.number)) has_unknown_type_ = true;
    result.swizzle = ReadSwizzle(token);
    const uint32_t modifier = (token >> kModifierShift) & 0xF;
    if (modifier >= kModifierCount) has_unknown_type_ = true;
    result.modifier = modifier < kModifierCount ? static_cast<Modifier>(modifier) : Modifier::kNone;
    result.is_relative = (token & kRelativeBit) != 0;
    if (result.is_relative) result.relative = ReadRelative();
    return result;
  }

 private:
  uint32_t Parameter() {
    const uint32_t token = Literal();
    if (!is_truncated_ && (token & kTopBit) == 0) has_clear_top_bit_ = true;
    return token;
  }

  // Version 1 has no token for the address: it is a0.x.
  RelativeAddress ReadRelative() {
    RelativeAddress result;
    if (version_.major < 2) return result;
    const uint32_t token = Parameter();
    if (!ReadRegister(token, version_, result.type, result.number)) has_unknown_type_ = true;
    result.component = ReadSwizzle(token)[0];
    return result;
  }

  Bytes bytes_;
  Version version_;
  size_t at_ = 0;
  bool is_truncated_ = false;
  bool has_clear_top_bit_ = false;
  bool has_unknown_type_ = false;
};

class Decoder {
 public:
  Decoder(Bytes code, DiagnosticList& findings) : code_(code), findings_(&findings) {}

  Program Read() {
    if (!ReadHeader()) return std::move(program_);
    program_.is_executable = true;
    while (!has_ended_) {
      if (!HasRoom() || !ReadToken()) {
        program_.is_executable = false;
        break;
      }
    }
    program_.size = static_cast<uint32_t>(at_);
    const uint64_t rest = code_.size() - at_;
    if (has_ended_ && rest != 0)
      Report(Rule::kDp2Shader008, fmt::format("{} bytes follow END", rest));
    if (!ResolveFlow(program_, *findings_)) program_.is_executable = false;
    return std::move(program_);
  }

 private:
  void Report(Rule rule, std::string message) {
    Diagnostic finding = MakeDiagnostic(rule, std::move(message));
    finding.offset = at_;
    findings_->Add(std::move(finding));
    if (Info(rule).severity == Severity::kError) program_.is_executable = false;
  }

  bool HasWord(size_t at) const { return at + kWordSize <= code_.size(); }
  uint32_t Word(size_t at) const { return LoadU32(code_.data() + at); }

  bool ReadHeader() {
    if (!HasWord(0)) {
      Report(Rule::kDp2Shader001, fmt::format("{} bytes hold no version token", code_.size()));
      return false;
    }
    if (!ReadVersion(Word(0), program_.version)) {
      Report(Rule::kDp2Shader001, fmt::format("{:#010x} is not a version of a shader", Word(0)));
      return false;
    }
    at_ = kWordSize;
    return true;
  }

  bool HasRoom() {
    if (program_.instructions.size() < kMaxInstructions) return true;
    Report(
        Rule::kReplayShader002,
        fmt::format("the shader has more than {} instructions, a fixed limit", kMaxInstructions));
    return false;
  }

  // One comment, instruction or END. False where nothing after it can be read.
  bool ReadToken() {
    if (!HasWord(at_)) {
      Report(Rule::kDp2Shader002,
             fmt::format("the code ends after {} without END", Counted(code_.size(), "byte")));
      return false;
    }
    const uint32_t token = Word(at_);
    if (token == kEndToken) {
      at_ += kWordSize;
      has_ended_ = true;
      return true;
    }
    if ((token & 0xFFFF) == kCommentOpcode && (token & kTopBit) == 0) return SkipComment(token);
    return ReadInstruction(token);
  }

  bool SkipComment(uint32_t token) {
    const uint64_t size = (uint64_t{(token >> 16) & 0x7FFF} + 1) * kWordSize;
    if (size > code_.size() - at_) {
      Report(Rule::kDp2Shader003, fmt::format("the comment needs {}, the code has {}",
                                              Counted(size, "byte"), code_.size() - at_));
      return false;
    }
    at_ += static_cast<size_t>(size);
    return true;
  }

  bool ReadInstruction(uint32_t token) {
    if ((token & kTopBit) != 0) {
      Report(Rule::kDp2Shader006,
             fmt::format("{:#010x} is where an instruction is expected", token));
      return false;
    }
    const InstructionInfo* info = FindInstruction(token & 0xFFFF, program_.version);
    if (info == nullptr) {
      Report(Rule::kDp2Shader005, fmt::format("opcode {} is not defined", token & 0xFFFF));
      return false;
    }
    Instruction instruction;
    instruction.info = info;
    instruction.offset = static_cast<uint32_t>(at_);
    instruction.control = static_cast<uint8_t>(token >> kControlShift);
    instruction.is_coissued = (token & kCoissueBit) != 0;
    instruction.is_predicated = (token & kPredicatedBit) != 0 && program_.version.major >= 2;
    const std::optional<Bytes> operands = OperandBytes(token);
    if (!operands) return false;
    return ReadOperands(*operands, instruction);
  }

  // From version 2.0 on the token says how many words follow; before, all of the rest may belong to the operands.
  std::optional<Bytes> OperandBytes(uint32_t token) {
    const Bytes rest = code_.subspan(at_ + kWordSize);
    if (program_.version.major < 2) return rest;
    const uint32_t size = ((token >> kLengthShift) & 0xF) * kWordSize;
    if (size <= rest.size()) return rest.first(size);
    Report(Rule::kDp2Shader004, fmt::format("the instruction needs {} of operands, the code has {}",
                                            Counted(size, "byte"), rest.size()));
    return std::nullopt;
  }

  bool ReadOperands(Bytes bytes, Instruction& instruction) {
    OperandReader reader(bytes, program_.version);
    for (const char letter : instruction.info->operands)
      ReadOperand(letter, reader, instruction);
    const bool is_framed = program_.version.major >= 2;
    const bool is_misfit =
        reader.is_truncated() || (is_framed && reader.used() * kWordSize != bytes.size());
    if (is_misfit) {
      Report(is_framed ? Rule::kDp2Shader007 : Rule::kDp2Shader004,
             fmt::format("{} takes {} operand words, {} are there", instruction.info->name,
                         OperandWords(instruction), bytes.size() / kWordSize));
    }
    if (reader.has_clear_top_bit()) {
      Report(Rule::kDp2Shader006,
             fmt::format("an operand of {} has bit 31 clear", instruction.info->name));
    }
    if (reader.has_unknown_type()) {
      Report(Rule::kDp2Shader009,
             fmt::format("an operand of {} has a register type or modifier that is not defined",
                         instruction.info->name));
    }
    const size_t words = is_framed ? bytes.size() / kWordSize : reader.used();
    instruction.size = static_cast<uint32_t>((words + 1) * kWordSize);
    if (!is_misfit) Add(instruction);
    at_ += instruction.size;
    // The framing of version 1 hangs on the operands.
    return is_framed || (!is_misfit && !reader.has_clear_top_bit());
  }

  static size_t OperandWords(const Instruction& instruction) {
    size_t words = instruction.is_predicated ? 1 : 0;
    for (const char letter : instruction.info->operands)
      words += letter == 'f' || letter == 'n' ? 4 : letter == 'u' ? 2 : 1;
    return words;
  }

  // The predicate follows the destination. Source: lib/opcode/dp2.md 8.1.
  static void ReadOperand(char letter, OperandReader& reader, Instruction& instruction) {
    switch (letter) {
      case 'u': {
        const uint32_t usage = reader.Literal();
        instruction.literals = {usage & 0x1F, (usage >> kUsageIndexShift) & 0xF,
                                (usage >> kTextureTypeShift) & 0xF, usage};
        instruction.has_destination = true;
        instruction.destination = reader.ReadDestination();
        return;
      }
      case 'd':
      case 'a':
      case 'p':
      case 'k':
        instruction.has_destination = true;
        instruction.destination = reader.ReadDestination();
        if (instruction.is_predicated) instruction.predicate = reader.ReadSource();
        return;
      case 'f':
      case 'n':
        for (uint32_t& word : instruction.literals)
          word = reader.Literal();
        return;
      case 'o':
        instruction.literals[0] = reader.Literal();
        return;
      default:
        instruction.sources[instruction.source_count++] = reader.ReadSource();
        return;
    }
  }

  void Add(const Instruction& instruction) {
    const Constant constant = {instruction.destination.number, instruction.literals};
    switch (instruction.op()) {
      case Op::Def:
        program_.floats.push_back(constant);
        break;
      case Op::DefI:
        program_.integers.push_back(constant);
        break;
      case Op::DefB:
        program_.booleans.push_back(constant);
        break;
      case Op::Dcl: {
        const Destination& target = instruction.destination;
        if (program_.declarations.size() >= kMaxDeclarations) break;
        program_.declarations.push_back({.type = target.type,
                                         .number = target.number,
                                         .mask = target.mask,
                                         .usage = instruction.literals[0],
                                         .usage_index = instruction.literals[1],
                                         .texture_type = instruction.literals[2],
                                         .is_centroid = target.is_centroid});
        break;
      }
      default:
        break;
    }
    program_.instructions.push_back(instruction);
  }

  Bytes code_;
  DiagnosticList* findings_;
  Program program_;
  size_t at_ = 0;
  bool has_ended_ = false;
};

}  // namespace

Program Decode(Bytes code, DiagnosticList& findings) {
  return Decoder(code, findings).Read();
}

Diagnostic MakeFinding(Rule rule, const Instruction& instruction, std::string message) {
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  finding.offset = instruction.offset;
  finding.length = instruction.size;
  return finding;
}

}  // namespace dp2trace::shader
