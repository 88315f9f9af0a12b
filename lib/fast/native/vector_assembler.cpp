#include "fast/native/vector_assembler.h"

#include <cfloat>

#include "fast/machine/block.h"

namespace dp2trace::fast {
namespace {

using Xbyak::CodeGenerator;
using Source = VectorAssembler::Source;
using Vector = VectorAssembler::Vector;

// The instructions of an arithmetic operation: with two operands, the first of which is the result, and with three.
struct Forms {
  void (CodeGenerator::*two)(const Vector&, const Source&);
  void (CodeGenerator::*three)(const Vector&, const Source&, const Source&);
  bool is_symmetric;
};
constexpr Forms kForms[] = {
    {&CodeGenerator::addps, &CodeGenerator::vaddps, true},
    {&CodeGenerator::subps, &CodeGenerator::vsubps, false},
    {&CodeGenerator::mulps, &CodeGenerator::vmulps, true},
    {&CodeGenerator::divps, &CodeGenerator::vdivps, false},
    {&CodeGenerator::minps, &CodeGenerator::vminps, false},
    {&CodeGenerator::maxps, &CodeGenerator::vmaxps, false},
    {&CodeGenerator::andps, &CodeGenerator::vandps, true},
    {&CodeGenerator::orps, &CodeGenerator::vorps, true},
    {&CodeGenerator::xorps, &CodeGenerator::vxorps, true},
    {&CodeGenerator::andnps, &CodeGenerator::vandnps, false},
};

constexpr uint32_t kLiteralBits[] = {0, 0x3F800000, 0x80000000, 0x7FFFFFFF, 0x7F7FFFFF};
constexpr uint32_t kSpare = 15;   // of SSE4: a register that no value is in
constexpr uint8_t kDownward = 9;  // rounding towards minus infinity, without exceptions
constexpr size_t kLiteralBytes = 64;

bool IsSame(const Source& a, const Vector& b) {
  return !a.isMEM() && a.getIdx() == b.getIdx();
}

}  // namespace

VectorAssembler::VectorAssembler(VectorSet set, uint8_t* memory, size_t size)
    : CodeGenerator(size, memory),
      set_(set),
      kind_(set == VectorSet::kAvx512 ? Source::ZMM
            : set == VectorSet::kAvx2 ? Source::YMM
                                      : Source::XMM),
      vector_bytes_(set == VectorSet::kAvx512 ? 64
                    : set == VectorSet::kAvx2 ? 32
                                              : 16) {
  Xbyak::ClearError();
}

// rdi: the registers, from the current lanes on; rsi: the constants; rdx: where rdi ends.
Xbyak::Address VectorAssembler::Register(uint32_t number) const {
  return ptr[rdi + number * sizeof(Block)];
}

Xbyak::Address VectorAssembler::Constant(uint32_t number) const {
  return ptr[rsi + number * sizeof(fast::Constant)];
}

Xbyak::Address VectorAssembler::Of(Literal literal) {
  return ptr[rip + literals_[static_cast<size_t>(literal)]];
}

size_t VectorAssembler::BeginPiece() {
  align(16);
  const size_t start = offset();
  add(rdx, rdi);
  loop_.emplace();
  L(*loop_);
  return start;
}

void VectorAssembler::EndPiece() {
  add(rdi, vector_bytes_);
  cmp(rdi, rdx);
  jb(*loop_, T_NEAR);
  if (set_ != VectorSet::kSse4) vzeroupper();
  ret();
}

void VectorAssembler::AddLiterals() {
  align(kLiteralBytes);
  for (size_t i = 0; i < literals_.size(); ++i) {
    L(literals_[i]);
    for (size_t bytes = 0; bytes < kLiteralBytes; bytes += sizeof(uint32_t))
      dd(kLiteralBits[i]);
  }
}

void VectorAssembler::Load(const Vector& to, const Source& from) {
  if (IsSame(from, to)) return;
  set_ == VectorSet::kSse4 ? movaps(to, from) : vmovaps(to, from);
}

void VectorAssembler::Store(const Xbyak::Address& to, const Vector& from) {
  set_ == VectorSet::kSse4 ? movaps(to, from) : vmovaps(to, from);
}

void VectorAssembler::Do(Arithmetic what, const Vector& to, const Vector& a, const Source& b) {
  const Forms& forms = kForms[static_cast<size_t>(what)];
  if (set_ != VectorSet::kSse4) return (this->*forms.three)(to, a, b);
  if (!IsSame(b, to) || IsSame(a, to)) {
    Load(to, a);
    (this->*forms.two)(to, b);
  } else if (forms.is_symmetric) {
    (this->*forms.two)(to, a);
  } else {
    const Vector spare = At(kSpare);
    Load(spare, a);
    (this->*forms.two)(spare, b);
    Load(to, spare);
  }
}

void VectorAssembler::Compare(Comparison what, const Vector& to, const Vector& a, const Source& b) {
  const auto condition = static_cast<uint8_t>(what);
  if (set_ == VectorSet::kAvx512) {
    vcmpps(k1, a, b, condition);
    vpmovm2d(to, k1);
  } else if (set_ == VectorSet::kAvx2) {
    vcmpps(to, a, b, condition);
  } else {
    const Vector spare = At(kSpare);
    Load(spare, a);
    cmpps(spare, b, condition);
    Load(to, spare);
  }
}

void VectorAssembler::SquareRoot(const Vector& to, const Source& a) {
  set_ == VectorSet::kSse4 ? sqrtps(to, a) : vsqrtps(to, a);
}

void VectorAssembler::Floor(const Vector& to, const Source& a) {
  if (set_ == VectorSet::kAvx512) return vrndscaleps(to, a, kDownward);
  set_ == VectorSet::kSse4 ? roundps(to, a, kDownward) : vroundps(to, a, kDownward);
}

void VectorAssembler::Select(const Vector& to, const Vector& mask, const Source& b,
                             const Source& c) {
  if (set_ == VectorSet::kAvx512) {
    constexpr uint8_t kMiddleChooses = 0xB8;  // mask ? b : to, of the bits of to, mask and b
    Load(to, c);
    vpternlogd(to, mask, b, kMiddleChooses);
  } else if (set_ == VectorSet::kAvx2) {
    Load(to, c);
    vblendvps(to, to, b, mask);
  } else {
    const Vector spare = At(kSpare);
    Load(spare, mask);
    andnps(spare, c);
    Load(to, mask);
    andps(to, b);
    orps(to, spare);
  }
}

}  // namespace dp2trace::fast
