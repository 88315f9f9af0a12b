// A straight list of operations on blocks, made once and run for every 64 lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fast/machine/block.h"

namespace dp2trace::fast {

class NativeCode;

enum class Op : uint16_t {
#define DP2TRACE_FAST_OP(name, shape) k##name,
#include "fast/machine/ops.def"
#undef DP2TRACE_FAST_OP
  kCount
};

// Which of a, b and c an operation reads, and what it writes: a register, `to`, unless something else is said.
enum class OpShape : uint8_t {
  kUnary,            // a
  kBinary,           // a, b
  kTernary,          // a, b, c
  kTransform,        // registers a to a + 3; to to to + 3
  kJump,             // nothing
  kMask,             // a; nothing
  kSample,           // registers a to a + 2; to to to + 3
  kSampleBias,       // the same, and b
  kSampleLevel,      // the same, and b
  kSampleGradients,  // the same, and registers b to b + 2, c to c + 2
  kNative,           // what the code does
};

inline OpShape ShapeOf(Op op) {
  constexpr OpShape kShapes[] = {
#define DP2TRACE_FAST_OP(name, shape) OpShape::k##shape,
#include "fast/machine/ops.def"
#undef DP2TRACE_FAST_OP
  };
  return kShapes[static_cast<size_t>(op)];
}

// A register, or a constant of the program.
class Operand {
 public:
  constexpr Operand() = default;
  static constexpr Operand Register(uint32_t number) {
    return Operand(static_cast<int32_t>(number));
  }
  static constexpr Operand OfConstant(uint32_t number) {
    return Operand(-1 - static_cast<int32_t>(number));
  }
  constexpr bool is_constant() const { return value_ < 0; }
  constexpr uint32_t number() const {
    return static_cast<uint32_t>(value_ < 0 ? -1 - value_ : value_);
  }
  bool operator==(const Operand&) const = default;

 private:
  constexpr explicit Operand(int32_t value) : value_(value) {}
  int32_t value_ = 0;
};

struct Instruction {
  Op op = Op::kMove;
  uint16_t to = 0;  // register
  Operand a, b, c;
  uint32_t data = 0;  // what the operation says it is
};

struct Program {
  std::vector<Instruction> instructions;
  std::vector<Constant> constants;
  uint32_t register_count = 0;
  // What runs in place of the instructions; null: they do. Made once the instructions are complete.
  std::shared_ptr<const NativeCode> native;

  // The constant with these bits, added where there is none.
  Operand AddConstant(float value);
  uint32_t AddRegister() { return register_count++; }
  uint32_t AddRegisters(uint32_t count) {
    const uint32_t first = register_count;
    register_count += count;
    return first;
  }
  void Add(Op op, uint32_t to, Operand a, Operand b = {}, Operand c = {}, uint32_t data = 0);
};

}  // namespace dp2trace::fast
