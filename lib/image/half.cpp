#include "image/half.h"

#include <bit>

namespace dp2trace::image {
namespace {

// value >> shift, rounded to nearest even. 1 <= shift <= 63.
uint64_t ShiftRoundEven(uint64_t value, uint32_t shift) {
  const uint64_t quotient = value >> shift;
  const uint64_t rest = value & ((uint64_t{1} << shift) - 1);
  const uint64_t half = uint64_t{1} << (shift - 1);
  const bool is_up = rest > half || (rest == half && (quotient & 1) != 0);
  return quotient + (is_up ? 1 : 0);
}

}  // namespace

float HalfToFloat(uint16_t half) {
  const uint32_t sign = uint32_t{half & 0x8000U} << 16;
  const uint32_t exponent = half >> 10 & 0x1FU;
  const uint32_t mantissa = half & 0x3FFU;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;  // exact
    return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
  }
  const uint32_t wide_exponent = exponent == 0x1F ? 0xFF : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide_exponent << 23 | mantissa << 13);
}

uint16_t FloatToHalf(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000U;
  const uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return kCanonicalNaN16;
  if (magnitude >= 0x47800000U) return static_cast<uint16_t>(sign | 0x7C00U);  // 2^16 and above
  const uint32_t exponent = magnitude >> 23;
  uint64_t rounded = 0;
  if (exponent >=
      113) {  // normal: rebias; a carry out of the mantissa raises the exponent, up to infinity
    rounded = ShiftRoundEven(magnitude - (112U << 23), 13);
  } else if (exponent >= 102) {  // denormal: multiples of 2^-24
    rounded = ShiftRoundEven((magnitude & 0x7FFFFFU) | 0x800000U, 126 - exponent);
  }
  return static_cast<uint16_t>(sign | rounded);
}

double DepthFloat24ToDouble(uint32_t bits) {
  const uint32_t exponent = bits >> 20 & 0xFU;
  const uint32_t mantissa = bits & 0xFFFFFU;
  if (exponent == 0) return static_cast<double>(mantissa) * 0x1p-34;
  const uint64_t wide_exponent = uint64_t{exponent} + (1023 - 15);
  return std::bit_cast<double>(wide_exponent << 52 | uint64_t{mantissa} << 32);
}

uint32_t DoubleToDepthFloat24(double value) {
  if (!(value > 0.0)) return 0;
  if (value >= 2.0) return 0xFFFFFFU;
  const auto bits = std::bit_cast<uint64_t>(value);
  const auto exponent = static_cast<uint32_t>(bits >> 52);
  uint64_t rounded = 0;
  if (exponent >= 1009) {  // 2^-14 and above
    rounded = ShiftRoundEven(bits - (uint64_t{1008} << 52), 32);
  } else if (exponent >= 988) {  // multiples of 2^-34
    const uint64_t mantissa = (bits & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
    rounded = ShiftRoundEven(mantissa, 1041 - exponent);
  }
  return rounded > 0xFFFFFFU ? 0xFFFFFFU : static_cast<uint32_t>(rounded);
}

}  // namespace dp2trace::image
