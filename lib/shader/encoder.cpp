#include "shader/encoder.h"

#include "shader/token_bits.h"

namespace dp2trace::shader {
namespace {

uint32_t RegisterBits(RegisterType type, uint32_t number) {
  uint32_t raw = type == RegisterType::kTexture ? kAddressType : static_cast<uint32_t>(type);
  const uint32_t bank = number / kConstantBankSize;
  if (type == RegisterType::kConst && bank != 0) raw = kFirstConstantBank + bank;
  return kTopBit | (raw & 7) << 28 | (raw & 0x18) << 8 | (number & kNumberMask);
}

uint32_t SwizzleBits(const std::array<uint8_t, 4>& swizzle) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < 4; ++i)
    bits |= uint32_t{swizzle[i]} << (kComponentShift + 2 * i);
  return bits;
}

class InstructionEncoder {
 public:
  InstructionEncoder(Version version, std::vector<uint32_t>& out) : version_(version), out_(out) {}

  void Add(const Instruction& instruction) {
    const size_t start = out_.size();
    out_.push_back(static_cast<uint32_t>(instruction.op()) |
                   uint32_t{instruction.control} << kControlShift |
                   (instruction.is_predicated ? kPredicatedBit : 0) |
                   (instruction.is_coissued ? kCoissueBit : 0));
    uint32_t source = 0;
    for (const char letter : instruction.info->operands)
      AddOperand(letter, instruction, source);
    if (version_.major >= 2)
      out_[start] |= (static_cast<uint32_t>(out_.size() - start - 1) & 0xF) << kLengthShift;
  }

 private:
  void AddOperand(char letter, const Instruction& instruction, uint32_t& source) {
    const auto& literals = instruction.literals;
    switch (letter) {
      case 'u':
        out_.push_back(kTopBit | literals[0] | literals[1] << kUsageIndexShift |
                       literals[2] << kTextureTypeShift);
        AddDestination(instruction.destination);
        return;
      case 'd':
      case 'a':
      case 'p':
      case 'k':
        AddDestination(instruction.destination);
        if (instruction.is_predicated) AddSource(instruction.predicate);
        return;
      case 'f':
      case 'n':
        out_.insert(out_.end(), literals.begin(), literals.end());
        return;
      case 'o':
        out_.push_back(literals[0]);
        return;
      default:
        AddSource(instruction.sources[source++]);
        return;
    }
  }

  void AddDestination(const Destination& destination) {
    out_.push_back(RegisterBits(destination.type, destination.number) |
                   (destination.is_relative ? kRelativeBit : 0) |
                   uint32_t{destination.mask} << kComponentShift |
                   (destination.saturates ? kSaturateBit : 0) |
                   (destination.is_partial_precision ? kPartialPrecisionBit : 0) |
                   (destination.is_centroid ? kCentroidBit : 0) |
                   (static_cast<uint32_t>(destination.shift) & 0xF) << kModifierShift);
    if (destination.is_relative) AddAddress(destination.relative);
  }

  void AddSource(const Source& source) {
    out_.push_back(RegisterBits(source.type, source.number) |
                   (source.is_relative ? kRelativeBit : 0) | SwizzleBits(source.swizzle) |
                   static_cast<uint32_t>(source.modifier) << kModifierShift);
    if (source.is_relative) AddAddress(source.relative);
  }

  // Version 1 has no token for the address: it is a0.x.
  void AddAddress(const RelativeAddress& address) {
    if (version_.major < 2) return;
    const uint8_t component = address.component;
    out_.push_back(RegisterBits(address.type, address.number) |
                   SwizzleBits(address.type == RegisterType::kLoop
                                   ? kIdentitySwizzle
                                   : std::array{component, component, component, component}));
  }

  Version version_;
  std::vector<uint32_t>& out_;
};

}  // namespace

void EncodeInstruction(Version version, const Instruction& instruction,
                       std::vector<uint32_t>& out) {
  InstructionEncoder(version, out).Add(instruction);
}

}  // namespace dp2trace::shader
