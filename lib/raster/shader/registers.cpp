#include "raster/shader/registers.h"

#include <cmath>
#include <utility>

#include "shader/limits.h"

namespace dp2trace::raster {
namespace {

using shader::Modifier;
using shader::RegisterType;

template <size_t kCount>
const Float4Quad* At(const std::array<Float4Quad, kCount>& registers, int64_t number) {
  return number >= 0 && number < static_cast<int64_t>(kCount)
             ? &registers[static_cast<size_t>(number)]
             : nullptr;
}

float Apply(Modifier modifier, float x) {
  switch (modifier) {
    case Modifier::kNegate:
      return -x;
    case Modifier::kBias:
      return x - 0.5F;
    case Modifier::kBiasNegate:
      return -(x - 0.5F);
    case Modifier::kSigned:
      return 2.0F * (x - 0.5F);
    case Modifier::kSignedNegate:
      return -(2.0F * (x - 0.5F));
    case Modifier::kComplement:
      return 1.0F - x;
    case Modifier::kDouble:
      return 2.0F * x;
    case Modifier::kDoubleNegate:
      return -(2.0F * x);
    case Modifier::kAbsolute:
      return std::fabs(x);
    case Modifier::kAbsoluteNegate:
      return -std::fabs(x);
    case Modifier::kNone:
    case Modifier::kDivideZ:
    case Modifier::kDivideW:
    case Modifier::kNot:
      break;
  }
  return x;
}

// x and y divided by a component of the register; by 0 they are 1.
void Divide(float divisor, Float4& value) {
  for (size_t i = 0; i < 2; ++i)
    value[i] = divisor == 0.0F ? 1.0F : value[i] / divisor;
}

// 2^shift, exact.
float ScaleOf(int8_t shift) {
  const auto power = static_cast<float>(1U << static_cast<uint32_t>(shift < 0 ? -shift : shift));
  return shift < 0 ? 1.0F / power : power;
}

}  // namespace

const Float4Quad* ShaderRegisters::Find(RegisterType type, int64_t number) const {
  switch (type) {
    case RegisterType::kTemp:
      return At(temps, number);
    case RegisterType::kInput:
      return At(inputs, number);
    case RegisterType::kTexture:
      return At(textures, number);
    case RegisterType::kOutput:
      return At(outputs, number);
    case RegisterType::kAttributeOut:
      return At(attributes, number);
    case RegisterType::kRastOut:
      return At(rasterizer, number);
    case RegisterType::kColorOut:
      return At(colors, number);
    case RegisterType::kMisc:
      return At(misc, number);
    case RegisterType::kDepthOut:
      return number == 0 ? &depth : nullptr;
    case RegisterType::kAddress:
      return number == 0 ? &address : nullptr;
    case RegisterType::kConst:
    case RegisterType::kConstInt:
    case RegisterType::kConstBool:
    case RegisterType::kSampler:
    case RegisterType::kLoop:
    case RegisterType::kTempFloat16:
    case RegisterType::kLabel:
    case RegisterType::kPredicate:
      break;
  }
  return nullptr;
}

Float4Quad* ShaderRegisters::Find(RegisterType type, int64_t number) {
  return const_cast<Float4Quad*>(
      std::as_const(*this).Find(type, number));  // NOLINT: the registers are not constant
}

int64_t OperandReader::Place(uint32_t number, bool is_relative,
                             const shader::RelativeAddress& relative, uint32_t lane) const {
  if (!is_relative) return number;
  constexpr float kLimit = 1048576.0F;  // far beyond any register
  if (relative.type == RegisterType::kLoop) return number + registers_->loop_counter;
  const float address = registers_->address[lane][relative.component];
  return number + FloorToInt(double{Min(Max(address, -kLimit), kLimit)});
}

Float4 OperandReader::Read(const shader::Source& source, uint32_t lane, uint32_t row) const {
  const int64_t place = Place(source.number, source.is_relative, source.relative, lane) + row;
  Float4 raw = {};
  if (source.type == RegisterType::kConst) {
    raw = constants_->Real(place);
  } else if (const Float4Quad* found = registers_->Find(source.type, place)) {
    raw = (*found)[lane];
  }
  Float4 value = {};
  for (size_t i = 0; i < 4; ++i)
    value[i] = Apply(source.modifier, raw[source.swizzle[i]]);
  if (source.modifier == Modifier::kDivideZ) Divide(raw[2], value);
  if (source.modifier == Modifier::kDivideW) Divide(raw[3], value);
  return value;
}

Float4Quad OperandReader::ReadAll(const shader::Source& source, uint32_t lane_count) const {
  Float4Quad values = {};
  for (uint32_t lane = 0; lane < lane_count; ++lane)
    values[lane] = Read(source, lane);
  return values;
}

bool OperandReader::IsTrue(const shader::Source& condition, uint32_t lane,
                           uint32_t component) const {
  const bool value = condition.type == RegisterType::kPredicate
                         ? registers_->predicate[lane][condition.swizzle[component]]
                         : constants_->Boolean(condition.number);
  return value != (condition.modifier == Modifier::kNot);
}

void WriteResult(const shader::Program& program, const shader::Instruction& instruction,
                 const Float4Quad& result, uint32_t lanes, const OperandReader& operands,
                 ShaderRegisters& registers) {
  const shader::Destination& target = instruction.destination;
  const bool is_limited =
      program.version.is_pixel && program.version.major == 1 && target.type == RegisterType::kTemp;
  const float scale = ScaleOf(target.shift);
  const uint8_t mask = instruction.result_mask();
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    Float4Quad* out = registers.Find(
        target.type, operands.Place(target.number, target.is_relative, target.relative, lane));
    if (out == nullptr) continue;
    for (uint32_t i = 0; i < 4; ++i) {
      if ((mask >> i & 1) == 0) continue;
      if (instruction.is_predicated && !operands.IsTrue(instruction.predicate, lane, i)) continue;
      float value = result[lane][i] * scale;
      if (target.saturates) value = Saturate(value);
      if (is_limited) value = Min(Max(value, -shader::kLegacyRange), shader::kLegacyRange);
      (*out)[lane][i] = value;
    }
  }
}

}  // namespace dp2trace::raster
