#include "fast/shader/arithmetic.h"

#include <algorithm>

namespace dp2trace::fast {
namespace {

using Code = shader::Op;
using shader::Modifier;

bool IsMatrix(const shader::Instruction& instruction) {
  return instruction.info->matrix_rows != 0;
}

}  // namespace

ArithmeticCompiler::Work ArithmeticCompiler::Start(const shader::Instruction& instruction,
                                                   bool keeps_destination) {
  Work work{.instruction = &instruction, .keeps_destination = keeps_destination};
  for (uint32_t i = 0; i < instruction.source_count; ++i) {
    if (IsMatrix(instruction) && i == 1) continue;  // read row by row
    work.sources[i] = operands_->ReadAll(instruction.sources[i]);
  }
  return work;
}

uint32_t ArithmeticCompiler::To(Work& work, uint32_t component, uint32_t first_needed) {
  if (work.keeps_destination) return emitter_->Temp();
  const uint32_t to = operands_->Target(*work.instruction, component);
  // A register that components of the sources still name is not to be written yet.
  for (const Vector& source : work.sources) {
    if (std::find(source.begin() + first_needed, source.end(), Operand::Register(to)) !=
        source.end())
      return emitter_->Temp();
  }
  return to;
}

void ArithmeticCompiler::Set(uint32_t first_needed, Work& work, uint32_t component, Op op,
                             Operand a, Operand b, Operand c) {
  if (!IsWanted(work, component)) return;
  const uint32_t to = To(work, component, first_needed);
  emitter_->To(to, op, a, b, c);
  work.results[component] = Operand::Register(to);
}

void ArithmeticCompiler::SetAll(Work& work, Operand value) {
  for (uint32_t i = 0; i < 4; ++i)
    Set(work, i, Op::kMove, value);
}

void ArithmeticCompiler::PerComponent(Work& work, Op op, uint32_t count) {
  const auto& s = work.sources;
  for (uint32_t i = 0; i < 4; ++i) {
    Set(i + 1, work, i, op, s[0][i], count > 1 ? s[1][i] : Operand(),
        count > 2 ? s[2][i] : Operand());
  }
}

void ArithmeticCompiler::Finish(const Work& work) {
  for (uint32_t i = 0; i < 4; ++i) {
    if (IsWanted(work, i)) operands_->Write(*work.instruction, i, work.results[i], *constants_);
  }
}

void ArithmeticCompiler::Compile(const shader::Instruction& instruction) {
  if (instruction.op() == Code::SetP) return SetPredicate(instruction);
  if (!instruction.has_destination) return;
  Work work = Start(instruction, false);
  Calculate(work);
  Finish(work);
}

void ArithmeticCompiler::CompilePair(const shader::Instruction& first,
                                     const shader::Instruction& second) {
  Work a = Start(first, true);
  if (first.has_destination) Calculate(a);
  Work b = Start(second, true);
  if (second.has_destination) Calculate(b);
  if (first.has_destination) Finish(a);
  if (second.has_destination) Finish(b);
}

Operand ArithmeticCompiler::Compare(uint8_t comparison, Operand a, Operand b) {
  switch (static_cast<shader::Comparison>(comparison)) {
    case shader::Comparison::kGreater:
      return emitter_->New(Op::kIsLess, b, a);
    case shader::Comparison::kEqual:
      return emitter_->New(Op::kIsEqual, a, b);
    case shader::Comparison::kGreaterEqual:
      return emitter_->New(Op::kIsLessEqual, b, a);
    case shader::Comparison::kLess:
      return emitter_->New(Op::kIsLess, a, b);
    case shader::Comparison::kNotEqual:
      return emitter_->New(Op::kIsNotEqual, a, b);
    case shader::Comparison::kLessEqual:
      return emitter_->New(Op::kIsLessEqual, a, b);
  }
  return emitter_->New(Op::kMove, Zero());
}

void ArithmeticCompiler::SetPredicate(const shader::Instruction& instruction) {
  Work work = Start(instruction, true);
  // There is one predicate register, and nothing but the mask applies to it.
  shader::Instruction plain = instruction;
  plain.destination = {.type = shader::RegisterType::kPredicate,
                       .mask = instruction.destination.mask,
                       .relative = {}};
  work.instruction = &plain;
  for (uint32_t i = 0; i < 4; ++i) {
    if (IsWanted(work, i))
      work.results[i] = Compare(instruction.control, work.sources[0][i], work.sources[1][i]);
  }
  Finish(work);
}

void ArithmeticCompiler::Calculate(Work& work) {
  if (IsMatrix(*work.instruction)) return CalculateMatrix(work);
  if (!CalculateSimple(work) && !CalculateVector(work)) CalculateScalar(work);
}

// One operation for each component.
bool ArithmeticCompiler::CalculateSimple(Work& work) {
  const auto& s = work.sources;
  switch (work.instruction->op()) {
    case Code::Mov:
      if (work.instruction->destination.type == shader::RegisterType::kAddress) {
        PerComponent(work, Op::kFloor, 1);
      } else {
        PerComponent(work, Op::kMove, 1);
      }
      return true;
    case Code::Mova:
      for (uint32_t i = 0; i < 4; ++i) {
        if (IsWanted(work, i))
          Set(work, i, Op::kFloor, emitter_->New(Op::kAdd, s[0][i], emitter_->Literal(0.5F)));
      }
      return true;
    case Code::Add:
      PerComponent(work, Op::kAdd, 2);
      return true;
    case Code::Sub:
      PerComponent(work, Op::kSubtract, 2);
      return true;
    case Code::Mul:
      PerComponent(work, Op::kMultiply, 2);
      return true;
    case Code::Mad:
      PerComponent(work, Op::kMultiplyAdd, 3);
      return true;
    case Code::Lrp:
      PerComponent(work, Op::kLerp, 3);
      return true;
    case Code::Min:
      PerComponent(work, Op::kMin, 2);
      return true;
    case Code::Max:
      PerComponent(work, Op::kMax, 2);
      return true;
    case Code::Frc:
      PerComponent(work, Op::kFraction, 1);
      return true;
    case Code::Abs:
      PerComponent(work, Op::kAbs, 1);
      return true;
    case Code::Slt:
      for (uint32_t i = 0; i < 4; ++i) {
        if (IsWanted(work, i))
          Set(work, i, Op::kAnd, emitter_->New(Op::kIsLess, s[0][i], s[1][i]), One());
      }
      return true;
    case Code::Sge:
      for (uint32_t i = 0; i < 4; ++i) {
        if (IsWanted(work, i))
          Set(work, i, Op::kAnd, emitter_->New(Op::kIsLessEqual, s[1][i], s[0][i]), One());
      }
      return true;
    case Code::Cmp:
      for (uint32_t i = 0; i < 4; ++i) {
        if (IsWanted(work, i)) {
          Set(i + 1, work, i, Op::kSelect, emitter_->New(Op::kIsLessEqual, Zero(), s[0][i]),
              s[1][i], s[2][i]);
        }
      }
      return true;
    case Code::Sgn:
      for (uint32_t i = 0; i < 4; ++i) {
        if (!IsWanted(work, i)) continue;
        const Operand below = emitter_->New(Op::kAnd, emitter_->New(Op::kIsLess, s[0][i], Zero()),
                                            emitter_->Literal(-1.0F));
        const Operand above =
            emitter_->New(Op::kAnd, emitter_->New(Op::kIsLess, Zero(), s[0][i]), One());
        Set(work, i, Op::kOr, below, above);
      }
      return true;
    case Code::Dsx:
    case Code::Dsy:
      for (uint32_t i = 0; i < 4; ++i) {
        if (IsWanted(work, i)) {
          Set(work, i, work.instruction->op() == Code::Dsx ? Op::kDerivativeX : Op::kDerivativeY,
              emitter_->InRegister(s[0][i]));
        }
      }
      return true;
    case Code::Cnd:
      Condition(work);
      return true;
    default:
      return false;
  }
}

// Below 1.4 the alpha of r0 decides for all components; co-issued with an alpha instruction, a colour instruction picks the first
// source whatever it is. Source: lib/raster/rendering-shaders.md 8.5 and 8.7; facts V1 to V3.
void ArithmeticCompiler::Condition(Work& work) {
  constexpr uint8_t kAlphaMask = 8;
  const auto& s = work.sources;
  const bool is_own = program_->version.code() >= 0x14;
  if (!is_own && work.instruction->is_coissued &&
      work.instruction->destination.mask != kAlphaMask) {
    for (uint32_t i = 0; i < 4; ++i)
      Set(work, i, Op::kMove, s[1][i]);
    return;
  }
  for (uint32_t i = 0; i < 4; ++i) {
    if (!IsWanted(work, i)) continue;
    const Operand is_above =
        emitter_->New(Op::kIsLess, emitter_->Literal(0.5F), s[0][is_own ? i : 3]);
    Set(i + 1, work, i, Op::kSelect, is_above, s[1][i], s[2][i]);
  }
}

// (1, max(x, 0), power or 0, 1): the third component.
Operand ArithmeticCompiler::Shine(const Vector& s) {
  constexpr float kMaxPower = 127.9961F;
  const Operand power =
      emitter_->New(Op::kClamp, s[3], emitter_->Literal(-kMaxPower), emitter_->Literal(kMaxPower));
  const Operand is_lit = emitter_->New(Op::kAnd, emitter_->New(Op::kIsLess, Zero(), s[0]),
                                       emitter_->New(Op::kIsLess, Zero(), s[1]));
  return emitter_->New(Op::kAnd, is_lit, emitter_->New(Op::kPower, s[1], power));
}

// What mixes components.
bool ArithmeticCompiler::CalculateVector(Work& work) {
  const auto& [a, b, c, d] = work.sources;
  switch (work.instruction->op()) {
    case Code::Dp3:
      SetAll(work, emitter_->Dot(a, b, 3));
      return true;
    case Code::Dp4:
      SetAll(work, emitter_->Dot(a, b, 4));
      return true;
    case Code::Dp2Add:
      SetAll(work, emitter_->New(Op::kAdd, emitter_->Dot(a, b, 2), c[3]));
      return true;
    case Code::Dst:
      Set(work, 0, Op::kMove, One());
      Set(work, 1, Op::kMultiply, a[1], b[1]);
      Set(work, 2, Op::kMove, a[2]);
      Set(work, 3, Op::kMove, b[3]);
      return true;
    case Code::Lit:
      Set(work, 0, Op::kMove, One());
      Set(work, 1, Op::kMax, a[0], Zero());
      if (IsWanted(work, 2)) Set(work, 2, Op::kMove, Shine(a));
      Set(work, 3, Op::kMove, One());
      return true;
    case Code::Crs:
      for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t j = (i + 1) % 3;
        const uint32_t k = (i + 2) % 3;
        if (IsWanted(work, i))
          Set(work, i, Op::kMultiplySubtract, a[j], b[k], emitter_->New(Op::kMultiply, a[k], b[j]));
      }
      return true;
    case Code::Nrm: {
      const Operand square = emitter_->Dot(a, a, 3);
      const Operand scale =
          emitter_->New(Op::kDivide, One(), emitter_->New(Op::kSquareRoot, square));
      const Operand is_long = emitter_->New(Op::kIsNotEqual, square, Zero());
      for (uint32_t i = 0; i < 4; ++i) {
        if (IsWanted(work, i))
          Set(work, i, Op::kAnd, is_long, emitter_->New(Op::kMultiply, a[i], scale));
      }
      return true;
    }
    case Code::Bem: {
      const uint32_t stage = work.instruction->destination.number;
      for (uint32_t i = 0; i < 2; ++i) {
        const Operand from_x = operands_->Bump(stage, static_cast<uint8_t>(i));
        const Operand from_y = operands_->Bump(stage, static_cast<uint8_t>(2 + i));
        if (IsWanted(work, i)) {
          Set(work, i, Op::kMultiplyAdd, from_y, b[1],
              emitter_->New(Op::kMultiplyAdd, from_x, b[0], a[i]));
        }
      }
      for (uint32_t i = 2; i < 4; ++i)
        Set(work, i, Op::kMove, Zero());
      return true;
    }
    default:
      return false;
  }
}

// One source, of which the last component counts (vs_1_1 without a swizzle: .w).
void ArithmeticCompiler::CalculateScalar(Work& work) {
  const Operand x = work.sources[0][3];
  const bool has_parts = !program_->version.is_pixel && program_->version.major == 1;
  switch (work.instruction->op()) {
    case Code::Rcp:
      return SetAll(work, emitter_->New(Op::kReciprocal, x));
    case Code::Rsq:
      return SetAll(work, emitter_->New(Op::kReciprocalRoot, x));
    case Code::Pow:
      return SetAll(work, emitter_->New(Op::kPower, x, work.sources[1][3]));
    case Code::ExpP:
      if (has_parts) {
        const Operand whole = emitter_->New(Op::kFloor, x);
        Set(work, 0, Op::kExp2, whole);
        Set(work, 1, Op::kSubtract, x, whole);
        Set(work, 2, Op::kExp2, x);
        return Set(work, 3, Op::kMove, One());
      }
      [[fallthrough]];
    case Code::Exp:
      return SetAll(work, emitter_->New(Op::kExp2, x));
    case Code::LogP:
      if (has_parts) {
        Set(work, 0, Op::kExponent, x);
        Set(work, 1, Op::kMantissa, x);
        Set(work, 2, Op::kLog2, x);
        return Set(work, 3, Op::kMove, One());
      }
      [[fallthrough]];
    case Code::Log:
      return SetAll(work, emitter_->New(Op::kLog2, x));
    case Code::SinCos:
      Set(work, 0, Op::kCosine, x);
      return Set(work, 1, Op::kSine, x);
    default:
      return SetAll(work, Zero());
  }
}

// The rows of a matrix are consecutive registers.
void ArithmeticCompiler::CalculateMatrix(Work& work) {
  const shader::Instruction& instruction = *work.instruction;
  const bool is_four = instruction.op() == Code::M4x4 || instruction.op() == Code::M4x3;
  // Rows that are registers may be those that are written.
  work.keeps_destination =
      work.keeps_destination || instruction.sources[1].type != shader::RegisterType::kConst;
  for (uint32_t row = 0; row < instruction.info->matrix_rows; ++row) {
    if (!IsWanted(work, row)) continue;
    const Vector coefficients = operands_->ReadAll(instruction.sources[1], row);
    const Operand dot = emitter_->Dot(work.sources[0], coefficients, is_four ? 4 : 3);
    Set(work, row, Op::kMove, dot);
  }
}

}  // namespace dp2trace::fast
