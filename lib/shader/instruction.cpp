#include "shader/instruction.h"

namespace dp2trace::shader {
namespace {

constexpr uint32_t kVertexTag = 0xFFFE;
constexpr uint32_t kPixelTag = 0xFFFF;
constexpr uint8_t kSoftware = 0xFF;

constexpr InstructionInfo kInstructions[] = {
#define DP2TRACE_INSTRUCTION(Enumerator, opcode, name, kind, operands, vf, vl, pf, pl, s1, s2, \
                             rows)                                                             \
  {Op::Enumerator, name, OpKind::kind, operands, vf, vl, pf, pl, s1, s2, rows},
#include "shader/instruction.def"
#undef DP2TRACE_INSTRUCTION
};

#define DP2TRACE_INSTRUCTION(Enumerator, opcode, name, kind, operands, vf, vl, pf, pl, s1, s2, \
                             rows)                                                             \
  static_assert(static_cast<uint32_t>(Op::Enumerator) == (opcode));
#include "shader/instruction.def"
#undef DP2TRACE_INSTRUCTION

constexpr bool IsSorted() {
  for (size_t i = 1; i < std::size(kInstructions); ++i) {
    if (kInstructions[i].op < kInstructions[i - 1].op) return false;
  }
  return true;
}
static_assert(IsSorted());

constexpr bool IsBetween(uint8_t code, uint8_t first, uint8_t last) {
  return first != 0 && code >= first && code <= last;
}

}  // namespace

// Unspecified: versions 1.0 of the first DirectX 8 release; chosen: as 1.1.
uint8_t Version::code() const {
  const uint8_t small = is_software()                ? (major == 2 ? 1 : 0)
                        : (major == 1 && minor == 0) ? 1
                                                     : minor;
  return static_cast<uint8_t>(major * 16 + small);
}

bool ReadVersion(uint32_t token, Version& out) {
  const uint32_t tag = token >> 16;
  if (tag != kVertexTag && tag != kPixelTag) return false;
  out.is_pixel = tag == kPixelTag;
  out.major = static_cast<uint8_t>(token >> 8);
  out.minor = static_cast<uint8_t>(token);
  switch (out.major) {
    case 1:
      return out.minor <= (out.is_pixel ? 4 : 1);
    case 2:
      return out.minor <= 1 || out.minor == kSoftware;
    case 3:
      return out.minor == 0 || out.minor == kSoftware;
    default:
      return false;
  }
}

bool InstructionInfo::IsIn(Version version) const {
  return version.is_pixel ? IsBetween(version.code(), pixel_first, pixel_last)
                          : IsBetween(version.code(), vertex_first, vertex_last);
}

const InstructionInfo* FindInstruction(uint32_t opcode, Version version) {
  const InstructionInfo* first = nullptr;
  for (const InstructionInfo& row : kInstructions) {
    if (static_cast<uint32_t>(row.op) != opcode) continue;
    if (row.IsIn(version)) return &row;
    if (first == nullptr) first = &row;
  }
  return first;
}

std::span<const InstructionInfo> AllInstructions() {
  return kInstructions;
}

}  // namespace dp2trace::shader
