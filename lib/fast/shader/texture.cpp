#include "fast/shader/texture.h"

#include <algorithm>

namespace dp2trace::fast {
namespace {

using Code = shader::Op;

}  // namespace

Vector TextureCompiler::CoordinatesOf(uint32_t stage) {
  if (stage >= d3d::kCombinerStageCount) return {Zero(), Zero(), Zero(), Zero()};
  const auto [place, is_new] = code_->coordinates.try_emplace(stage);
  if (is_new) place->second = emitter_->program().AddRegisters(4);
  const uint32_t first = place->second;
  return {Operand::Register(first), Operand::Register(first + 1), Operand::Register(first + 2),
          Operand::Register(first + 3)};
}

Vector TextureCompiler::Divided(const Vector& coordinates, Operand by) {
  const uint32_t first = emitter_->TempVector();
  Vector result;
  for (uint32_t i = 0; i < 4; ++i) {
    emitter_->To(first + i, Op::kDivide, coordinates[i], by);
    result[i] = Operand::Register(first + i);
  }
  return result;
}

Vector TextureCompiler::Projected(uint32_t stage, const Vector& coordinates) {
  const std::optional<uint32_t> divisor = environment_->textures->divisor(stage);
  return divisor ? Divided(coordinates, coordinates[*divisor]) : coordinates;
}

Vector TextureCompiler::Sample(uint32_t number, const Vector& coordinates, const Lod& lod,
                               std::optional<uint32_t> whole) {
  const raster::Sampler* const sampler = environment_->textures->sampler(number);
  if (sampler == nullptr) return {Zero(), Zero(), Zero(), One()};
  // A colour key kills active lanes only; the kernels kill all that match.
  if (sampler->may_kill() && !flow_->active().is_all()) has_failed_ = true;
  code_->may_kill = code_->may_kill || sampler->may_kill();
  const Operand from = emitter_->Consecutive(coordinates);
  const bool overlaps = whole && from.number() < *whole + 4 && *whole < from.number() + 3;
  const uint32_t to = whole && !overlaps ? *whole : emitter_->TempVector();
  const auto place = std::ranges::find(code_->samplers, number);
  const auto index = static_cast<uint32_t>(place - code_->samplers.begin());
  if (place == code_->samplers.end()) code_->samplers.push_back(number);
  emitter_->To(to, lod.op, from, lod.b, lod.c, index);
  return {Operand::Register(to), Operand::Register(to + 1), Operand::Register(to + 2),
          Operand::Register(to + 3)};
}

void TextureCompiler::WriteAll(const shader::Instruction& instruction, const Vector& value) {
  const shader::Destination& target = instruction.destination;
  Vector kept = value;
  std::array<bool, 4> is_own = {};
  for (uint32_t i = 0; registers_->Exists(target.type, target.number) && i < 4; ++i) {
    const uint32_t first = registers_->Place(target.type, target.number);
    is_own[i] = value[i] == Operand::Register(first + i);
    // What another component is about to overwrite.
    const bool is_lost = !is_own[i] && !value[i].is_constant() && value[i].number() >= first &&
                         value[i].number() < first + 4;
    if (is_lost) kept[i] = emitter_->New(Op::kMove, value[i]);
  }
  for (uint32_t i = 0; i < 4; ++i) {
    if ((uint32_t{instruction.result_mask()} >> i & 1U) != 0)
      operands_->Write(instruction, i, kept[i], *environment_->constants, !is_own[i]);
  }
}

void TextureCompiler::Compile(const shader::Instruction& instruction) {
  if (flow_->active().is_none()) return;
  if (instruction.op() == Code::TexKill) return Kill(instruction);
  whole_ = instruction.has_destination ? operands_->WholeTarget(instruction) : std::nullopt;
  const Vector result = program_->version.major == 1 ? Legacy(instruction) : Modern(instruction);
  if (instruction.has_destination) WriteAll(instruction, result);
}

// Components that decide: three in version 1, four from 2.0 on. NaN does not kill.
void TextureCompiler::Kill(const shader::Instruction& instruction) {
  const shader::Destination& target = instruction.destination;
  const bool reads_coordinates = program_->version.code() <= 0x13;
  const bool exists = reads_coordinates ? target.number < d3d::kCombinerStageCount
                                        : registers_->Exists(target.type, target.number);
  if (!exists) return;
  const uint32_t count = program_->version.major == 1 ? 3 : 4;
  const uint32_t killed = emitter_->Temp();
  emitter_->Copy(killed, Zero());
  for (uint32_t i = 0; i < count; ++i) {
    const Operand value = reads_coordinates ? CoordinatesOf(target.number)[i]
                                            : registers_->Read(target.type, target.number, i);
    Operand is_below = emitter_->New(Op::kIsLess, value, Zero());
    if (instruction.is_predicated) {
      const LaneMask counts =
          operands_->Condition(instruction.predicate, i, *environment_->constants);
      if (counts.is_none()) continue;
      if (!counts.is_all())
        is_below = emitter_->New(Op::kAnd, is_below, Operand::Register(counts.mask));
    }
    emitter_->To(killed, Op::kOr, Operand::Register(killed), is_below);
  }
  if (!flow_->active().is_all()) {
    emitter_->To(killed, Op::kAnd, Operand::Register(killed),
                 Operand::Register(flow_->active().mask));
  }
  emitter_->To(killed, Op::kKill, Operand::Register(killed));
  code_->may_kill = true;
}

Vector TextureCompiler::Modern(const shader::Instruction& instruction) {
  Vector coordinates = operands_->ReadAll(instruction.sources[0]);
  Lod lod;
  if (instruction.op() == Code::TexLdl)
    lod = {.op = Op::kSampleLevel, .b = coordinates[3], .c = {}};
  if (instruction.op() == Code::Tex && instruction.control == shader::kTexBias)
    lod = {.op = Op::kSampleBias, .b = coordinates[3], .c = {}};
  if (instruction.op() == Code::TexLdd) {
    lod = {.op = Op::kSampleGradients,
           .b = emitter_->Consecutive(operands_->ReadAll(instruction.sources[2])),
           .c = emitter_->Consecutive(operands_->ReadAll(instruction.sources[3]))};
  }
  if (instruction.op() == Code::Tex && instruction.control == shader::kTexProject)
    coordinates = Divided(coordinates, coordinates[3]);
  const shader::Source& sampler = instruction.sources[1];
  const bool is_straight = sampler.swizzle == shader::kIdentitySwizzle;
  // The bias lies in a register that the texel must not take.
  const bool may_take_whole = is_straight && lod.op == Op::kSample;
  const Vector texel =
      Sample(sampler.number, coordinates, lod, may_take_whole ? whole_ : std::nullopt);
  return {texel[sampler.swizzle[0]], texel[sampler.swizzle[1]], texel[sampler.swizzle[2]],
          texel[sampler.swizzle[3]]};
}

Vector TextureCompiler::LoadStage(const shader::Instruction& instruction, const Vector& source) {
  const uint32_t stage = instruction.destination.number;
  if (instruction.source_count > 0) return Sample(stage, source, {}, whole_);  // 1.4
  return Sample(stage, Projected(stage, CoordinatesOf(stage)), {}, whole_);
}

// u + M00*tn.r + M10*tn.g, v + M01*tn.r + M11*tn.g; TexBemL scales the result.
Vector TextureCompiler::Bumped(const shader::Instruction& instruction, const Vector& source) {
  const uint32_t stage = instruction.destination.number;
  Vector coordinates = Projected(stage, CoordinatesOf(stage));
  for (uint32_t i = 0; i < 2; ++i) {
    const Operand from_x = operands_->Bump(stage, static_cast<uint8_t>(i));
    const Operand from_y = operands_->Bump(stage, static_cast<uint8_t>(2 + i));
    coordinates[i] =
        emitter_->New(Op::kMultiplyAdd, from_y, source[1],
                      emitter_->New(Op::kMultiplyAdd, from_x, source[0], coordinates[i]));
  }
  Vector colors = Sample(stage, coordinates, {});
  if (instruction.op() == Code::TexBem) return colors;
  const Operand factor = emitter_->New(Op::kMultiplyAdd, source[2], operands_->Bump(stage, 4),
                                       operands_->Bump(stage, 5));
  for (Operand& color : colors)
    color = emitter_->New(Op::kMultiply, color, factor);
  return colors;
}

void TextureCompiler::AddRow(const shader::Instruction& instruction, const Vector& source) {
  if (row_count_ >= 2) row_count_ = 0;  // a matrix that was not finished
  const uint32_t row = emitter_->program().AddRegister();
  emitter_->Copy(row, emitter_->Dot(CoordinatesOf(instruction.destination.number), source, 3));
  rows_[row_count_++] = Operand::Register(row);
}

// The rows of the pads with the row of this instruction after them.
Vector TextureCompiler::CompleteMatrix(const shader::Instruction& instruction, const Vector& source,
                                       uint32_t rows) {
  row_count_ = 0;
  Vector result = {rows_[0], rows_[1], Zero(), One()};
  result[rows - 1] = emitter_->Dot(CoordinatesOf(instruction.destination.number), source, 3);
  return result;
}

// 2*(N.E)/(N.N)*N - E; E a constant, or the fourth coordinates of the three stages of the matrix.
Vector TextureCompiler::Reflected(const shader::Instruction& instruction, const Vector& source) {
  const uint32_t stage = instruction.destination.number;
  const Vector normal = CompleteMatrix(instruction, source, 3);
  Vector eye;
  if (instruction.op() == Code::TexM3x3Spec) {
    eye = operands_->ReadAll(instruction.sources[1]);
  } else {
    eye = {CoordinatesOf(stage - 2)[3], CoordinatesOf(stage - 1)[3], CoordinatesOf(stage)[3],
           Zero()};
  }
  const Operand twice =
      emitter_->New(Op::kMultiply, emitter_->Literal(2.0F), emitter_->Dot(normal, eye, 3));
  const Operand scale = emitter_->New(Op::kDivide, twice, emitter_->Dot(normal, normal, 3));
  Vector direction = {Zero(), Zero(), Zero(), One()};
  for (uint32_t i = 0; i < 3; ++i)
    direction[i] = emitter_->New(Op::kMultiplySubtract, scale, normal[i], eye[i]);
  return direction;
}

// Depth a / b, 1 where b is 0, in [0, 1].
void TextureCompiler::WriteDepth(const Vector& value) {
  if (!code_->legacy_depth)
    code_->legacy_depth = Operand::Register(emitter_->program().AddRegister());
  const Operand is_zero = emitter_->New(Op::kIsEqual, value[1], Zero());
  const Operand depth =
      emitter_->New(Op::kSaturate, emitter_->New(Op::kDivide, value[0], value[1]));
  emitter_->To(code_->legacy_depth->number(), Op::kSelect, is_zero, One(), depth);
  code_->may_kill = true;
}

Vector TextureCompiler::Legacy(const shader::Instruction& instruction) {
  const uint32_t stage = instruction.destination.number;
  Vector source = {Zero(), Zero(), Zero(), Zero()};
  if (instruction.source_count > 0) source = operands_->ReadAll(instruction.sources[0]);
  const Vector none = {Zero(), Zero(), Zero(), Zero()};
  switch (instruction.op()) {
    case Code::TexCoord: {
      if (instruction.source_count > 0) return source;
      const Vector coordinates = CoordinatesOf(stage);
      return {emitter_->New(Op::kSaturate, coordinates[0]),
              emitter_->New(Op::kSaturate, coordinates[1]),
              emitter_->New(Op::kSaturate, coordinates[2]), One()};
    }
    case Code::Tex:
      return LoadStage(instruction, source);
    case Code::TexBem:
    case Code::TexBemL:
      return Bumped(instruction, source);
    case Code::TexReg2Ar:
      return Sample(stage, {source[3], source[0], Zero(), One()}, {});
    case Code::TexReg2Gb:
      return Sample(stage, {source[1], source[2], Zero(), One()}, {});
    case Code::TexReg2Rgb:
      return Sample(stage, {source[0], source[1], source[2], One()}, {});
    case Code::TexM3x2Pad:
    case Code::TexM3x3Pad:
      AddRow(instruction, source);
      return none;
    case Code::TexM3x2Tex:
      return Sample(stage, CompleteMatrix(instruction, source, 2), {});
    case Code::TexM3x3Tex:
      return Sample(stage, CompleteMatrix(instruction, source, 3), {});
    case Code::TexM3x3:
      return CompleteMatrix(instruction, source, 3);
    case Code::TexM3x3Spec:
    case Code::TexM3x3VSpec:
      return Sample(stage, Reflected(instruction, source), {});
    case Code::TexM3x2Depth:
      WriteDepth(CompleteMatrix(instruction, source, 2));
      return none;
    case Code::TexDepth: {
      if (!registers_->Exists(instruction.destination.type, stage)) return none;
      Vector value;
      for (uint32_t i = 0; i < 4; ++i)
        value[i] = registers_->Read(instruction.destination.type, stage, i);
      WriteDepth(value);
      return value;
    }
    case Code::TexDp3:
    case Code::TexDp3Tex: {
      const Operand dot = emitter_->Dot(CoordinatesOf(stage), source, 3);
      if (instruction.op() == Code::TexDp3) return {dot, dot, dot, dot};
      return Sample(stage, {dot, Zero(), Zero(), One()}, {});
    }
    default:
      return none;
  }
}

}  // namespace dp2trace::fast
