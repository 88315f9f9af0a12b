#include "fast/native/piece_compiler.h"

#include <algorithm>
#include <utility>

#include "fast/machine/operands.h"

namespace dp2trace::fast {

PieceCompiler::PieceCompiler(const Program& program, VectorAssembler& out)
    : program_(program),
      out_(out),
      values_(program.register_count + program.constants.size()),
      is_written_(program.register_count),
      places_{out.Register(0), out.Register(0), out.Register(0), out.Register(0)} {}

void PieceCompiler::Compile(const Piece& piece) {
  FindTouches(piece);
  Forget(piece);
  vectors_ = {};
  next_touch_ = 0;
  for (uint32_t number = piece.first; number < piece.last; ++number)
    Compile(program_.instructions[number]);
  Forget(piece);
}

void PieceCompiler::Forget(const Piece& piece) {
  for (uint32_t number = piece.first; number < piece.last; ++number) {
    const Instruction& i = program_.instructions[number];
    ForEachRead(i, [&](Operand read) { values_[NumberOf(read)] = {}; });
    ForEachWrite(i, [&](uint32_t to) {
      values_[to] = {};
      is_written_[to] = false;
    });
  }
}

void PieceCompiler::FindTouches(const Piece& piece) {
  // From the last to the first, then turned around.
  touches_.clear();
  for (uint32_t number = piece.last; number-- > piece.first;) {
    const Instruction& i = program_.instructions[number];
    std::array<Touch, 2 * kMostReads> own = {};
    size_t count = 0;
    ForEachRead(i, [&](Operand read) {
      bool is_replaced = false;
      ForEachWrite(i, [&](uint32_t to) {
        is_replaced = is_replaced || (!read.is_constant() && read.number() == to);
      });
      own[count++] = {is_replaced ? kNever : values_[NumberOf(read)].next_read, false};
    });
    ForEachWrite(i, [&](uint32_t to) {
      own[count++] = {values_[to].next_read, !is_written_[to] && piece.live[to]};
    });
    ForEachWrite(i, [&](uint32_t to) {
      values_[to].next_read = kNever;
      is_written_[to] = true;
    });
    ForEachRead(i, [&](Operand read) { values_[NumberOf(read)].next_read = number; });
    while (count != 0)
      touches_.push_back(own[--count]);
  }
  std::ranges::reverse(touches_);
}

void PieceCompiler::Compile(const Instruction& i) {
  source_count_ = 0;
  ForEachRead(i, [&](Operand read) {
    Value& value = values_[NumberOf(read)];
    value.next_read = touches_[next_touch_++].next_read;
    if (value.vector != kNone) vectors_[value.vector].is_pinned = true;
  });
  size_t touch = next_touch_;
  bool is_wanted = false;
  ForEachWrite(i, [&](uint32_t) {
    is_wanted = is_wanted || touches_[touch].is_needed || touches_[touch].next_read != kNever;
    ++touch;
  });
  if (is_wanted) {
    Emit(i);
  } else {
    ForEachWrite(i, [&](uint32_t to) { Release(to); });
  }
  next_touch_ = touch;
  ForEachRead(i, [&](Operand read) {
    const uint32_t number = NumberOf(read);
    // What was written in its place has a next read of its own.
    if (values_[number].next_read == kNever) Release(number);
  });
  for (Vector& vector : vectors_)
    vector.is_pinned = false;
}

Xbyak::Address PieceCompiler::PlaceOf(uint32_t value) const {
  return value < program_.register_count ? out_.Register(value)
                                         : out_.Constant(value - program_.register_count);
}

void PieceCompiler::Release(uint32_t value) {
  const uint32_t vector = std::exchange(values_[value].vector, kNone);
  if (vector != kNone) vectors_[vector].value = kNone;
}

uint32_t PieceCompiler::Allocate() {
  uint32_t best = kNone;
  uint32_t best_read = 0;
  for (uint32_t vector = 0; vector < out_.register_count(); ++vector) {
    if (vectors_[vector].is_pinned) continue;
    const uint32_t value = vectors_[vector].value;
    const uint32_t next_read = value == kNone ? kNever : values_[value].next_read;
    if (best != kNone && next_read <= best_read) continue;
    best = vector;
    best_read = next_read;
  }
  const uint32_t value = vectors_[best].value;
  if (value != kNone) {
    if (!values_[value].is_in_memory && values_[value].next_read != kNever)
      out_.Store(PlaceOf(value), out_.At(best));
    values_[value].is_in_memory = true;
    Release(value);
  }
  vectors_[best].is_pinned = true;
  return best;
}

VectorAssembler::Vector PieceCompiler::InVector(Operand operand) {
  const uint32_t number = NumberOf(operand);
  if (values_[number].vector == kNone) {
    const uint32_t vector = Allocate();
    out_.Load(out_.At(vector), PlaceOf(number));
    values_[number].vector = vector;
    vectors_[vector].value = number;
  }
  return out_.At(values_[number].vector);
}

const VectorAssembler::Source& PieceCompiler::Anywhere(Operand operand) {
  const uint32_t place = source_count_++;
  if (!IsHeld(operand) &&
      (operand.is_constant() || values_[NumberOf(operand)].next_read == kNever)) {
    places_[place] = PlaceOf(NumberOf(operand));
    return places_[place];
  }
  held_[place] = InVector(operand);
  return held_[place];
}

VectorAssembler::Vector PieceCompiler::Result(bool is_apart) {
  for (uint32_t vector = 0; !is_apart && vector < out_.register_count(); ++vector) {
    const uint32_t value = vectors_[vector].value;
    if (!vectors_[vector].is_pinned || value == kNone || values_[value].next_read != kNever)
      continue;
    Release(value);
    result_ = vector;
    return out_.At(vector);
  }
  result_ = Allocate();
  return out_.At(result_);
}

void PieceCompiler::SetResult(uint32_t to) {
  Release(to);
  const Touch& touch = touches_[next_touch_++];
  values_[to] = {result_, touch.next_read, touch.is_needed};
  vectors_[result_].value = to;
  if (touch.is_needed) out_.Store(out_.Register(to), out_.At(result_));
  if (touch.next_read == kNever) Release(to);
}

void PieceCompiler::EmitArithmetic(Arithmetic what, Operand a, Operand b) {
  const auto first = InVector(a);
  const auto& second = Anywhere(b);
  out_.Do(what, Result(false), first, second);
}

void PieceCompiler::EmitComparison(Comparison what, const Instruction& i) {
  const auto first = InVector(i.a);
  const auto& second = Anywhere(i.b);
  out_.Compare(what, Result(false), first, second);
}

// 1 / a or 1 / sqrt(|a|), and the largest number where a is 0.
void PieceCompiler::EmitReciprocal(const Instruction& i, bool is_root) {
  const auto a = InVector(i.a);
  const auto to = Result(true);
  const auto quotient = Scratch();
  const auto is_zero = Scratch();
  out_.Load(quotient, out_.Of(Literal::kOne));
  if (is_root) {
    out_.Do(Arithmetic::kAnd, to, a, out_.Of(Literal::kMagnitude));
    out_.SquareRoot(to, to);
  }
  out_.Do(Arithmetic::kDivide, quotient, quotient, is_root ? to : a);
  out_.Compare(Comparison::kEqual, is_zero, a, out_.Of(Literal::kZero));
  out_.Select(to, is_zero, out_.Of(Literal::kLargest), quotient);
}

void PieceCompiler::EmitTransform(const Instruction& i) {
  std::array<VectorAssembler::Vector, 4> row;
  for (uint32_t k = 0; k < 4; ++k)
    row[k] = InVector(Operand::Register(i.a.number() + k));
  const auto product = Scratch();
  for (uint32_t j = 0; j < 4; ++j) {
    const auto sum = Result(true);
    for (uint32_t k = 0; k < 4; ++k) {
      const auto matrix = out_.Constant(i.b.number() + 4 * k + j);
      out_.Do(Arithmetic::kMultiply, k == 0 ? sum : product, row[k], matrix);
      if (k != 0) out_.Do(Arithmetic::kAdd, sum, product, sum);
    }
    SetResult(i.to + j);
  }
}

void PieceCompiler::Emit(const Instruction& i) {
  const auto symmetric = [&](Arithmetic what) {
    IsHeld(i.a) || !IsHeld(i.b) ? EmitArithmetic(what, i.a, i.b) : EmitArithmetic(what, i.b, i.a);
  };
  // The product of a and b, and c.
  const auto product = [&](Arithmetic what) {
    const auto a = InVector(i.a);
    const auto& b = Anywhere(i.b);
    const auto& c = Anywhere(i.c);
    const auto to = Result(true);
    out_.Do(Arithmetic::kMultiply, to, a, b);
    out_.Do(what, to, to, c);
  };
  const auto with_literal = [&](Arithmetic what, Literal literal) {
    const auto a = InVector(i.a);
    out_.Do(what, Result(false), a, out_.Of(literal));
  };
  switch (i.op) {
    case Op::kMove: {
      const auto& a = Anywhere(i.a);
      out_.Load(Result(false), a);
      break;
    }
    case Op::kAdd:
      symmetric(Arithmetic::kAdd);
      break;
    case Op::kSubtract:
      EmitArithmetic(Arithmetic::kSubtract, i.a, i.b);
      break;
    case Op::kMultiply:
      symmetric(Arithmetic::kMultiply);
      break;
    case Op::kDivide:
      EmitArithmetic(Arithmetic::kDivide, i.a, i.b);
      break;
    case Op::kMin:
      EmitArithmetic(Arithmetic::kMin, i.a, i.b);
      break;
    case Op::kMax:
      EmitArithmetic(Arithmetic::kMax, i.a, i.b);
      break;
    case Op::kAnd:
      symmetric(Arithmetic::kAnd);
      break;
    case Op::kOr:
      symmetric(Arithmetic::kOr);
      break;
    case Op::kXor:
      symmetric(Arithmetic::kXor);
      break;
    case Op::kAndNot:
      EmitArithmetic(Arithmetic::kAndNot, i.a, i.b);
      break;
    case Op::kClamp: {
      const auto a = InVector(i.a);
      const auto& least = Anywhere(i.b);
      const auto& most = Anywhere(i.c);
      const auto to = Result(true);
      out_.Do(Arithmetic::kMax, to, a, least);
      out_.Do(Arithmetic::kMin, to, to, most);
      break;
    }
    case Op::kSaturate: {
      const auto a = InVector(i.a);
      const auto to = Result(false);
      out_.Do(Arithmetic::kMax, to, a, out_.Of(Literal::kZero));
      out_.Do(Arithmetic::kMin, to, to, out_.Of(Literal::kOne));
      break;
    }
    case Op::kMultiplyAdd:
      product(Arithmetic::kAdd);
      break;
    case Op::kMultiplySubtract:
      product(Arithmetic::kSubtract);
      break;
    case Op::kBlend: {
      const auto a = InVector(i.a);
      const auto& b = Anywhere(i.b);
      const auto& c = Anywhere(i.c);
      const auto to = Result(true);
      const auto part = Scratch();
      out_.Do(Arithmetic::kMultiply, part, a, c);
      out_.Load(to, out_.Of(Literal::kOne));
      out_.Do(Arithmetic::kSubtract, to, to, c);
      out_.Do(Arithmetic::kMultiply, to, to, b);
      out_.Do(Arithmetic::kAdd, to, part, to);
      break;
    }
    case Op::kLerp: {
      const auto b = InVector(i.b);
      const auto& a = Anywhere(i.a);
      const auto& c = Anywhere(i.c);
      const auto to = Result(true);
      out_.Do(Arithmetic::kSubtract, to, b, c);
      out_.Do(Arithmetic::kMultiply, to, to, a);
      out_.Do(Arithmetic::kAdd, to, to, c);
      break;
    }
    case Op::kComplement: {
      const auto& a = Anywhere(i.a);
      const auto to = Result(true);
      out_.Load(to, out_.Of(Literal::kOne));
      out_.Do(Arithmetic::kSubtract, to, to, a);
      break;
    }
    case Op::kNegate:
      with_literal(Arithmetic::kXor, Literal::kSign);
      break;
    case Op::kAbs:
      with_literal(Arithmetic::kAnd, Literal::kMagnitude);
      break;
    case Op::kFloor: {
      const auto& a = Anywhere(i.a);
      out_.Floor(Result(false), a);
      break;
    }
    case Op::kSquareRoot: {
      const auto& a = Anywhere(i.a);
      out_.SquareRoot(Result(false), a);
      break;
    }
    case Op::kFraction: {
      const auto a = InVector(i.a);
      const auto to = Result(true);
      out_.Floor(to, a);
      out_.Do(Arithmetic::kSubtract, to, a, to);
      break;
    }
    case Op::kIsLess:
      EmitComparison(Comparison::kLess, i);
      break;
    case Op::kIsLessEqual:
      EmitComparison(Comparison::kLessEqual, i);
      break;
    case Op::kIsEqual:
      EmitComparison(Comparison::kEqual, i);
      break;
    case Op::kIsNotEqual:
      EmitComparison(Comparison::kNotEqual, i);
      break;
    case Op::kSelect: {
      const auto mask = InVector(i.a);
      const auto& b = Anywhere(i.b);
      const auto& c = Anywhere(i.c);
      out_.Select(Result(true), mask, b, c);
      break;
    }
    case Op::kReciprocal:
      EmitReciprocal(i, false);
      break;
    case Op::kReciprocalRoot:
      EmitReciprocal(i, true);
      break;
    case Op::kTransform:
      return EmitTransform(i);
    default:
      break;  // FindPieces() leaves them out
  }
  SetResult(i.to);
}

}  // namespace dp2trace::fast
