// The machine code of a piece of a program.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fast/machine/program.h"
#include "fast/native/pieces.h"
#include "fast/native/vector_assembler.h"

namespace dp2trace::fast {

// Values stay in vectors, the registers of the machine, while there is room: those that are read soonest. What is read after the piece goes to its
// place in memory where it is made.
class PieceCompiler {
 public:
  PieceCompiler(const Program& program, VectorAssembler& out);

  void Compile(const Piece& piece);

 private:
  static constexpr uint32_t kNever = UINT32_MAX;
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kMostVectors = 32;
  static constexpr uint32_t kMostReads = 4;

  // Something that is read or written: a register of the program, or a constant.
  struct Value {
    uint32_t vector = kNone;      // that holds it
    uint32_t next_read = kNever;  // instruction, after the current one
    bool is_in_memory = true;     // its place has it
  };
  struct Vector {
    uint32_t value = kNone;
    bool is_pinned = false;  // the current instruction uses it
  };
  // What is known of a value that an instruction touches.
  struct Touch {
    uint32_t next_read = kNever;
    bool is_needed = false;  // it is read after the piece
  };

  uint32_t NumberOf(Operand operand) const {
    return operand.is_constant() ? program_.register_count + operand.number() : operand.number();
  }
  bool IsHeld(Operand operand) const { return values_[NumberOf(operand)].vector != kNone; }
  // Of all instructions, each with what it reads and then what it writes.
  void FindTouches(const Piece& piece);
  // As if no piece had been compiled; only what it touches, since a program may have many of both.
  void Forget(const Piece& piece);
  void Compile(const Instruction& i);
  void Emit(const Instruction& i);
  void EmitArithmetic(Arithmetic what, Operand a, Operand b);
  void EmitComparison(Comparison what, const Instruction& i);
  void EmitReciprocal(const Instruction& i, bool is_root);
  void EmitTransform(const Instruction& i);

  // An operand in a vector.
  VectorAssembler::Vector InVector(Operand operand);
  // The same, or its place in memory if that is as good.
  const VectorAssembler::Source& Anywhere(Operand operand);
  // Where the next result goes: a vector of its own, or (not `is_apart`) that of an operand that is not read again.
  VectorAssembler::Vector Result(bool is_apart);
  VectorAssembler::Vector Scratch() { return out_.At(Allocate()); }
  // A free vector, which is pinned.
  uint32_t Allocate();
  void SetResult(uint32_t to);
  void Release(uint32_t value);
  Xbyak::Address PlaceOf(uint32_t value) const;

  const Program& program_;
  VectorAssembler& out_;
  std::array<Vector, kMostVectors> vectors_ = {};
  std::vector<Value> values_;  // by NumberOf()
  std::vector<Touch> touches_;
  std::vector<bool> is_written_;  // by register: later in the piece
  size_t next_touch_ = 0;
  uint32_t result_ = 0;  // vector
  // What Anywhere() returns lives here until the next instruction.
  std::array<VectorAssembler::Vector, kMostReads> held_;
  std::array<Xbyak::Address, kMostReads> places_;
  uint32_t source_count_ = 0;
};

}  // namespace dp2trace::fast
