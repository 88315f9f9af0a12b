#include "fast/shader/operands.h"

#include <algorithm>
#include <bit>

#include "shader/limits.h"

namespace dp2trace::fast {
namespace {

using shader::Modifier;
using shader::RegisterType;

// Addresses beyond name no register.
constexpr float kAddressLimit = 1048576.0F;

bool IsDivision(Modifier modifier) {
  return modifier == Modifier::kDivideZ || modifier == Modifier::kDivideW;
}

}  // namespace

Operand OperandCompiler::OpenReal(int64_t number, uint8_t component, Modifier modifier) {
  const OpenConstant wanted{.modifier = modifier, .component = component, .number = number};
  for (const OpenConstant& constant : code_->constants) {
    OpenConstant same = constant;
    same.index = 0;
    if (same == wanted) return Operand::OfConstant(constant.index);
  }
  code_->constants.push_back(wanted);
  code_->constants.back().index = emitter_->AddOpenConstant();
  return Operand::OfConstant(code_->constants.back().index);
}

Operand OperandCompiler::Bump(uint32_t stage, uint8_t component) {
  code_->constants.push_back({.kind = OpenConstant::Kind::kBump,
                              .component = component,
                              .number = stage,
                              .index = emitter_->AddOpenConstant()});
  return Operand::OfConstant(code_->constants.back().index);
}

Operand OperandCompiler::Place(uint32_t number, const shader::RelativeAddress& relative) {
  const Operand address = registers_->Read(RegisterType::kAddress, 0, relative.component);
  const Operand limited = emitter_->New(Op::kClamp, address, emitter_->Literal(-kAddressLimit),
                                        emitter_->Literal(kAddressLimit));
  const Operand whole = emitter_->New(Op::kFloor, limited);
  return emitter_->New(Op::kAdd, whole, emitter_->Literal(static_cast<float>(number)));
}

Operand OperandCompiler::Raw(const shader::Source& source, uint32_t component, uint32_t row) {
  int64_t number = int64_t{source.number} + row;
  if (source.is_relative && source.relative.type == RegisterType::kLoop)
    number += flow_->loop_counter();
  const bool is_dynamic = source.is_relative && source.relative.type != RegisterType::kLoop;
  if (!is_dynamic) {
    return source.type == RegisterType::kConst
               ? OpenReal(number, static_cast<uint8_t>(component), Modifier::kNone)
               : registers_->Read(source.type, number, component);
  }
  const Operand place = Place(source.number + row, source.relative);
  if (source.type == RegisterType::kConst) {
    code_->reads_constants = true;
    const uint32_t to = emitter_->Temp();
    emitter_->To(to, Op::kLoadReal, place, {}, {}, component);
    return Operand::Register(to);
  }
  // Registers of the machine have no address: the value is that of the one whose number is right.
  const uint32_t value = emitter_->Temp();
  emitter_->Copy(value, emitter_->Literal(0.0F));
  const uint32_t count = VectorRegisterCount(source.type);
  for (uint32_t i = 0; i < count; ++i) {
    const Operand is_meant =
        emitter_->New(Op::kIsEqual, place, emitter_->Literal(static_cast<float>(i)));
    emitter_->To(value, Op::kSelect, is_meant, registers_->Read(source.type, i, component),
                 Operand::Register(value));
  }
  return Operand::Register(value);
}

Operand OperandCompiler::Modified(Modifier modifier, Operand value) {
  const auto half = [&] { return emitter_->Literal(0.5F); };
  const auto two = [&] { return emitter_->Literal(2.0F); };
  switch (modifier) {
    case Modifier::kNegate:
      return emitter_->New(Op::kNegate, value);
    case Modifier::kBias:
      return emitter_->New(Op::kSubtract, value, half());
    case Modifier::kBiasNegate:
      return emitter_->New(Op::kNegate, Modified(Modifier::kBias, value));
    case Modifier::kSigned:
      return emitter_->New(Op::kMultiply, two(), Modified(Modifier::kBias, value));
    case Modifier::kSignedNegate:
      return emitter_->New(Op::kNegate, Modified(Modifier::kSigned, value));
    case Modifier::kComplement:
      return emitter_->New(Op::kComplement, value);
    case Modifier::kDouble:
      return emitter_->New(Op::kMultiply, two(), value);
    case Modifier::kDoubleNegate:
      return emitter_->New(Op::kNegate, Modified(Modifier::kDouble, value));
    case Modifier::kAbsolute:
      return emitter_->New(Op::kAbs, value);
    case Modifier::kAbsoluteNegate:
      return emitter_->New(Op::kNegate, Modified(Modifier::kAbsolute, value));
    case Modifier::kNone:
    case Modifier::kDivideZ:
    case Modifier::kDivideW:
    case Modifier::kNot:
      break;
  }
  return value;
}

Operand OperandCompiler::Read(const shader::Source& source, uint32_t component, uint32_t row) {
  const uint8_t from = source.swizzle[component];
  const bool is_open = source.type == RegisterType::kConst &&
                       (!source.is_relative || source.relative.type == RegisterType::kLoop);
  if (is_open && !IsDivision(source.modifier)) {
    const int64_t offset = source.is_relative ? flow_->loop_counter() : 0;
    return OpenReal(int64_t{source.number} + row + offset, from, source.modifier);
  }
  const Operand value = Modified(source.modifier, Raw(source, from, row));
  if (!IsDivision(source.modifier) || component > 1) return value;
  // x and y divided by a component of the register; by 0 they are 1.
  const Operand by = Raw(source, source.modifier == Modifier::kDivideZ ? 2 : 3, row);
  const Operand is_zero = emitter_->New(Op::kIsEqual, by, emitter_->Literal(0.0F));
  return emitter_->New(Op::kSelect, is_zero, emitter_->Literal(1.0F),
                       emitter_->New(Op::kDivide, value, by));
}

Vector OperandCompiler::ReadAll(const shader::Source& source, uint32_t row) {
  return {Read(source, 0, row), Read(source, 1, row), Read(source, 2, row), Read(source, 3, row)};
}

LaneMask OperandCompiler::Condition(const shader::Source& condition, uint32_t component,
                                    const raster::ConstantRegisters& constants) {
  const bool is_negated = condition.modifier == Modifier::kNot;
  if (condition.type != RegisterType::kPredicate) {
    return constants.Boolean(condition.number) != is_negated ? LaneMask::All() : LaneMask::None();
  }
  Operand value = registers_->Read(RegisterType::kPredicate, 0, condition.swizzle[component]);
  if (is_negated) value = emitter_->New(Op::kAndNot, value, emitter_->AllOnes());
  return LaneMask::Some(value.number());
}

bool OperandCompiler::IsPlain(const shader::Instruction& instruction) const {
  const shader::Destination& target = instruction.destination;
  return flow_->active().is_all() && !instruction.is_predicated && !target.is_relative;
}

uint32_t OperandCompiler::Target(const shader::Instruction& instruction, uint32_t component) {
  const shader::Destination& target = instruction.destination;
  if (!IsPlain(instruction) || !registers_->Exists(target.type, target.number))
    return emitter_->Temp();
  return registers_->Place(target.type, target.number) + component;
}

std::optional<uint32_t> OperandCompiler::WholeTarget(const shader::Instruction& instruction) {
  const shader::Destination& target = instruction.destination;
  if (!IsPlain(instruction) || instruction.result_mask() != shader::kFullMask ||
      !registers_->Exists(target.type, target.number))
    return std::nullopt;
  return registers_->Place(target.type, target.number);
}

void OperandCompiler::Store(RegisterType type, int64_t number, uint32_t component, Operand value,
                            const LaneMask& lanes) {
  if (lanes.is_none()) return;
  const std::optional<uint32_t> to = registers_->Write(type, number, component, !lanes.is_all());
  if (!to) return;
  if (lanes.is_all()) {
    emitter_->Copy(*to, value);
  } else {
    emitter_->To(*to, Op::kSelect, Operand::Register(lanes.mask), value, Operand::Register(*to));
  }
}

int64_t OperandCompiler::NumberOf(const shader::Destination& target) const {
  return int64_t{target.number} + (target.is_relative ? flow_->loop_counter() : 0);
}

std::vector<OperandCompiler::Change> OperandCompiler::ChangesOf(
    const shader::Destination& target) const {
  std::vector<Change> changes;
  if (target.shift != 0) {
    const auto power = static_cast<float>(
        1U << static_cast<uint32_t>(target.shift < 0 ? -target.shift : target.shift));
    changes.push_back({.op = Op::kMultiply,
                       .b = emitter_->Literal(target.shift < 0 ? 1.0F / power : power),
                       .c = {}});
  }
  const bool is_limited = program_->version.is_pixel && program_->version.major == 1 &&
                          target.type == RegisterType::kTemp;
  if (target.saturates) {
    changes.push_back({.op = Op::kSaturate, .b = {}, .c = {}});
  } else if (is_limited) {
    changes.push_back({.op = Op::kClamp,
                       .b = emitter_->Literal(-shader::kLegacyRange),
                       .c = emitter_->Literal(shader::kLegacyRange)});
  }
  return changes;
}

Operand OperandCompiler::Changed(const shader::Instruction& instruction, uint32_t component,
                                 Operand value, const LaneMask& lanes, bool is_read_later) {
  const shader::Destination& target = instruction.destination;
  const std::vector<Change> changes = ChangesOf(target);
  for (const Change& change : changes) {
    // The last one goes to the register itself where nothing else stands between. Others are done in place.
    std::optional<uint32_t> to;
    if (&change == &changes.back() && lanes.is_all() && !IsDynamic(target))
      to = registers_->Write(target.type, NumberOf(target), component, false);
    const bool is_own = !is_read_later && !value.is_constant() && lanes.is_all();
    if (!to) to = is_own ? value.number() : emitter_->Temp();
    emitter_->To(*to, change.op, value, change.b, change.c);
    value = Operand::Register(*to);
    is_read_later = false;
  }
  return value;
}

void OperandCompiler::Write(const shader::Instruction& instruction, uint32_t component,
                            Operand value, const raster::ConstantRegisters& constants,
                            bool is_read_later) {
  const shader::Destination& target = instruction.destination;
  LaneMask lanes = flow_->active();
  if (lanes.is_none()) return;
  if (instruction.is_predicated) {
    const LaneMask predicate = Condition(instruction.predicate, component, constants);
    if (predicate.is_none()) return;
    if (lanes.is_all()) {
      lanes = predicate;
    } else if (!predicate.is_all()) {
      lanes = LaneMask::Some(
          emitter_->New(Op::kAnd, Operand::Register(lanes.mask), Operand::Register(predicate.mask))
              .number());
    }
  }
  value = Changed(instruction, component, value, lanes, is_read_later);
  if (!IsDynamic(target)) {
    return Store(target.type, NumberOf(target), component, value, lanes);
  }
  const Operand place = Place(target.number, target.relative);
  for (uint32_t i = 0; i < VectorRegisterCount(target.type); ++i) {
    Operand is_meant = emitter_->New(Op::kIsEqual, place, emitter_->Literal(static_cast<float>(i)));
    if (!lanes.is_all())
      is_meant = emitter_->New(Op::kAnd, is_meant, Operand::Register(lanes.mask));
    Store(target.type, i, component, value, LaneMask::Some(is_meant.number()));
  }
}

}  // namespace dp2trace::fast
