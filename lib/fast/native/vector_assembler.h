// Vector instructions of x86 by what they do, for three instruction sets: one lowering serves all.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2; github.com/herumi/xbyak.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#define XBYAK_NO_EXCEPTION
#include <xbyak/xbyak.h>

namespace dp2trace::fast {

enum class VectorSet : uint8_t { kSse4, kAvx2, kAvx512 };

// Numbers that operations need, one for all lanes.
enum class Literal : uint8_t { kZero, kOne, kSign, kMagnitude, kLargest, kCount };

enum class Arithmetic : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kMin,  // a < b ? a : b
  kMax,  // a > b ? a : b
  kAnd,
  kOr,
  kXor,
  kAndNot,  // ~a & b
};

// As the instructions number them.
enum class Comparison : uint8_t { kEqual = 0, kLess = 1, kLessEqual = 2, kNotEqual = 4 };

// Writes code into memory of the caller. Nothing is checked while it is written: is_good() says at the end whether it fits.
class VectorAssembler : private Xbyak::CodeGenerator {
 public:
  using Vector = Xbyak::Xmm;
  using Source = Xbyak::Operand;  // a vector, or memory

  VectorAssembler(VectorSet set, uint8_t* memory, size_t size);

  uint32_t register_count() const {
    return set_ == VectorSet::kAvx512 ? 32 : set_ == VectorSet::kAvx2 ? 16 : 15;
  }
  Vector At(uint32_t number) const { return {kind_, static_cast<int>(number)}; }
  // The current lanes of a register of the machine, and a constant.
  Xbyak::Address Register(uint32_t number) const;
  Xbyak::Address Constant(uint32_t number) const;
  Xbyak::Address Of(Literal literal);

  size_t offset() const { return getSize(); }
  bool is_good() const { return Xbyak::GetError() == 0; }
  // Between the two: what is done to as many lanes as a vector has. Gives where the code begins.
  size_t BeginPiece();
  void EndPiece();
  // After the last piece.
  void AddLiterals();

  void Load(const Vector& to, const Source& from);
  void Store(const Xbyak::Address& to, const Vector& from);
  // `b` may be memory. `to` may be any of the others.
  void Do(Arithmetic what, const Vector& to, const Vector& a, const Source& b);
  // All ones where it is true. `to` may be any of the others.
  void Compare(Comparison what, const Vector& to, const Vector& a, const Source& b);
  void SquareRoot(const Vector& to, const Source& a);
  void Floor(const Vector& to, const Source& a);
  // b where the mask is set, c elsewhere. `to` is none of the others.
  void Select(const Vector& to, const Vector& mask, const Source& b, const Source& c);

 private:
  VectorSet set_;
  Xbyak::Operand::Kind kind_;
  uint32_t vector_bytes_;
  std::array<Xbyak::Label, static_cast<size_t>(Literal::kCount)> literals_;
  std::optional<Xbyak::Label> loop_;  // of the piece
};

}  // namespace dp2trace::fast
