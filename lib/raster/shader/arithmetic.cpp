#include "raster/shader/arithmetic.h"

#include <cfloat>
#include <cmath>

#include "base/transcendental.h"

namespace dp2trace::raster {
namespace {

using shader::Op;

Float4 Replicate(float x) {
  return {x, x, x, x};
}

template <class Function>
Float4 PerComponent(const Float4& a, const Float4& b, Function function) {
  return {function(a[0], b[0]), function(a[1], b[1]), function(a[2], b[2]), function(a[3], b[3])};
}

// a + (-b), which has the sign of zero that a subtraction has.
Float4 Subtract(const Float4& a, const Float4& b) {
  return PerComponent(a, b, [](float x, float y) { return x + -y; });
}

Float4 MultiplyAdd(const Float4& a, const Float4& b, const Float4& c) {
  Float4 result = {};
  for (size_t i = 0; i < 4; ++i) {
    const float product = a[i] * b[i];
    result[i] = product + c[i];
  }
  return result;
}

Float4 Interpolate(const Float4& a, const Float4& b, const Float4& c) {
  Float4 result = {};
  for (size_t i = 0; i < 4; ++i) {
    const float difference = b[i] - c[i];
    const float product = a[i] * difference;
    result[i] = product + c[i];
  }
  return result;
}

float Reciprocal(float x) {
  if (x == 1.0F) return 1.0F;
  return x == 0.0F ? FLT_MAX : 1.0F / x;
}

float ReciprocalRoot(float x) {
  const float magnitude = std::fabs(x);
  return magnitude == 0.0F ? FLT_MAX : 1.0F / std::sqrt(magnitude);
}

float Logarithm(float x) {
  const float magnitude = std::fabs(x);
  return magnitude == 0.0F ? -FLT_MAX : Log2(magnitude);
}

// Of version 1.1: (2^floor(x), x - floor(x), 2^x, 1).
Float4 ExponentParts(float x) {
  const float whole = std::floor(x);
  return {Exp2(whole), x - whole, Exp2(x), 1.0F};
}

// Of version 1.1: (e, m, log2(x), 1) with |x| = m * 2^e, 1 <= m < 2.
// Unspecified: infinities and NaN; chosen: (128, 1, 128, 1) and NaN in the first three components.
Float4 LogarithmParts(float x) {
  const float magnitude = std::fabs(x);
  if (magnitude == 0.0F) return {-FLT_MAX, 1.0F, -FLT_MAX, 1.0F};
  if (!(magnitude <= FLT_MAX)) {
    const float value = Log2(magnitude);
    return {value, magnitude > FLT_MAX ? 1.0F : value, value, 1.0F};
  }
  int exponent = 0;
  auto mantissa = double{magnitude};
  while (mantissa >= 2.0) {
    mantissa *= 0.5;
    ++exponent;
  }
  while (mantissa < 1.0) {
    mantissa *= 2.0;
    --exponent;
  }
  return {static_cast<float>(exponent), static_cast<float>(mantissa), Log2(magnitude), 1.0F};
}

Float4 Light(const Float4& s) {
  constexpr float kMaxPower = 127.9961F;
  const float power = Min(Max(s[3], -kMaxPower), kMaxPower);
  const bool is_lit = s[0] > 0.0F && s[1] > 0.0F;
  return {1.0F, Max(s[0], 0.0F), is_lit ? Pow(s[1], power) : 0.0F, 1.0F};
}

Float4 Cross(const Float4& a, const Float4& b) {
  Float4 result = {};
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3;
    const size_t k = (i + 2) % 3;
    const float first = a[j] * b[k];
    const float second = a[k] * b[j];
    result[i] = first - second;
  }
  return result;
}

Float4 Normalized(const Float4& s) {
  const float square = Dot3(s.data(), s.data());
  if (square == 0.0F) return {};
  const float scale = 1.0F / std::sqrt(square);
  return {s[0] * scale, s[1] * scale, s[2] * scale, s[3] * scale};
}

Float4 Signs(const Float4& s) {
  return PerComponent(s, s, [](float x, float) {
    return x < 0.0F ? -1.0F : x > 0.0F ? 1.0F : 0.0F;
  });
}

Float4 Select(const Float4& decision, const Float4& yes, const Float4& no, bool (*decide)(float)) {
  Float4 result = {};
  for (size_t i = 0; i < 4; ++i)
    result[i] = decide(decision[i]) ? yes[i] : no[i];
  return result;
}

// Below 1.4 the alpha of r0 decides for all components; co-issued with an alpha instruction, a colour instruction picks the first
// source whatever it is. Source: lib/raster/rendering-shaders.md 8.5 and 8.7; facts V1 to V3.
Float4 Condition(const shader::Instruction& instruction, shader::Version version,
                 const std::array<Float4, 4>& s) {
  constexpr uint8_t kAlphaMask = 8;
  const auto is_above = [](float x) { return x > 0.5F; };
  if (version.code() >= 0x14) return Select(s[0], s[1], s[2], is_above);
  if (instruction.is_coissued && instruction.destination.mask != kAlphaMask) return s[1];
  return Select(Replicate(s[0][3]), s[1], s[2], is_above);
}

Float4 Move(const shader::Instruction& instruction, const Float4& s) {
  if (instruction.destination.type != shader::RegisterType::kAddress) return s;
  return PerComponent(s, s, [](float x, float) { return std::floor(x); });
}

// One source, of which the last component counts where one does (vs_1_1 without a swizzle: .w).
Float4 EvaluateUnary(const shader::Instruction& instruction, shader::Version version,
                     const Float4& s) {
  const float scalar = s[3];
  const bool has_parts = !version.is_pixel && version.major == 1;
  switch (instruction.op()) {
    case Op::Mov:
      return Move(instruction, s);
    case Op::Mova:
      return PerComponent(s, s, [](float x, float) { return std::floor(x + 0.5F); });
    case Op::Rcp:
      return Replicate(Reciprocal(scalar));
    case Op::Rsq:
      return Replicate(ReciprocalRoot(scalar));
    case Op::Exp:
      return Replicate(Exp2(scalar));
    case Op::ExpP:
      return has_parts ? ExponentParts(scalar) : Replicate(Exp2(scalar));
    case Op::Log:
      return Replicate(Logarithm(scalar));
    case Op::LogP:
      return has_parts ? LogarithmParts(scalar) : Replicate(Logarithm(scalar));
    case Op::Lit:
      return Light(s);
    case Op::Frc:
      return PerComponent(s, s, [](float x, float) { return x - std::floor(x); });
    case Op::Sgn:
      return Signs(s);
    case Op::Abs:
      return PerComponent(s, s, [](float x, float) { return std::fabs(x); });
    case Op::Nrm:
      return Normalized(s);
    case Op::SinCos:
      return {Cos(scalar), Sin(scalar), 0.0F, 0.0F};
    default:
      return {};
  }
}

}  // namespace

bool CompareReals(uint8_t comparison, float a, float b) {
  switch (static_cast<shader::Comparison>(comparison)) {
    case shader::Comparison::kGreater:
      return a > b;
    case shader::Comparison::kEqual:
      return a == b;
    case shader::Comparison::kGreaterEqual:
      return a >= b;
    case shader::Comparison::kLess:
      return a < b;
    case shader::Comparison::kNotEqual:
      return a != b;
    case shader::Comparison::kLessEqual:
      return a <= b;
  }
  return false;
}

Float4 Evaluate(const shader::Instruction& instruction, shader::Version version,
                const std::array<Float4, 4>& sources) {
  const auto& [a, b, c, d] = sources;
  switch (instruction.op()) {
    case Op::Add:
      return PerComponent(a, b, [](float x, float y) { return x + y; });
    case Op::Sub:
      return Subtract(a, b);
    case Op::Mul:
      return PerComponent(a, b, [](float x, float y) { return x * y; });
    case Op::Mad:
      return MultiplyAdd(a, b, c);
    case Op::Lrp:
      return Interpolate(a, b, c);
    case Op::Min:
      return PerComponent(a, b, [](float x, float y) { return Min(x, y); });
    case Op::Max:
      return PerComponent(a, b, [](float x, float y) { return Max(x, y); });
    case Op::Slt:
      return PerComponent(a, b, [](float x, float y) { return x < y ? 1.0F : 0.0F; });
    case Op::Sge:
      return PerComponent(a, b, [](float x, float y) { return x >= y ? 1.0F : 0.0F; });
    case Op::Dp3:
      return Replicate(Dot3(a.data(), b.data()));
    case Op::Dp4:
      return Replicate(Dot4(a.data(), b.data()));
    case Op::Dp2Add:
      return Replicate((a[0] * b[0] + a[1] * b[1]) + c[3]);
    case Op::Dst:
      return {1.0F, a[1] * b[1], a[2], b[3]};
    case Op::Crs:
      return Cross(a, b);
    case Op::Pow:
      return Replicate(Pow(a[3], b[3]));
    case Op::Cmp:
      return Select(a, b, c, [](float x) { return x >= 0.0F; });
    case Op::Cnd:
      return Condition(instruction, version, sources);
    default:
      return EvaluateUnary(instruction, version, a);
  }
}

}  // namespace dp2trace::raster
