#include "base/transcendental.h"

#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>

namespace dp2trace {
namespace {

// ln(2)^k / k!
constexpr double kExp2[] = {0x1.0000000000000p+0,  0x1.62e42fefa39efp-1,  0x1.ebfbdff82c58ep-3,
                            0x1.c6b08d704a0bfp-5,  0x1.3b2ab6fba4e77p-7,  0x1.5d87fe78a6730p-10,
                            0x1.430912f86c786p-13, 0x1.ffcbfc588b0c5p-17, 0x1.62c0223a5c822p-20};

// floor() without libm: exact for |x| < 2^62.
double Floor(double x) {
  const auto truncated = static_cast<double>(static_cast<int64_t>(x));
  return truncated > x ? truncated - 1.0 : truncated;
}

// 2^n for -1022 <= n <= 1023.
double PowerOfTwo(int64_t n) {
  return std::bit_cast<double>(static_cast<uint64_t>(n + 1023) << 52);
}

}  // namespace

float Exp2D(double x) {
  if (x != x) return std::numeric_limits<float>::quiet_NaN();
  if (x >= 128.0) return FLT_MAX;
  if (x <= -150.0) return 0.0f;
  const double n = Floor(x + 0.5);
  const double f = x - n;
  double p = kExp2[8];
  for (int k = 7; k >= 0; --k)
    p = p * f + kExp2[k];
  const auto exponent = static_cast<int64_t>(n);
  const double result =
      exponent < -126 ? (p * PowerOfTwo(exponent + 64)) * 0x1p-64 : p * PowerOfTwo(exponent);
  // Half an ulp above FLT_MAX rounds to infinity.
  return result >= 0x1.ffffffp+127 ? FLT_MAX : static_cast<float>(result);
}

float Exp2(float x) {
  return Exp2D(static_cast<double>(x));
}

double Log2D(float x) {
  if (x != x) return static_cast<double>(x);
  if (x > FLT_MAX) return 128.0;
  // Every binary32, denormals included, is a normal binary64.
  const auto bits = std::bit_cast<uint64_t>(static_cast<double>(x));
  int64_t e = static_cast<int64_t>((bits >> 52) & 0x7FF) - 1022;
  auto m = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFFull) | (1022ull << 52));  // [0.5, 1)
  if (m < 0.70710678118654752440) {
    m = 2.0 * m;
    e = e - 1;
  }
  const double s = (m - 1.0) / (m + 1.0);
  const double t = s * s;
  double p = 1.0 / 11.0;
  for (int k = 9; k >= 1; k -= 2)
    p = p * t + 1.0 / static_cast<double>(k);
  return 0x1.71547652b82fep+1 * (s * p) + static_cast<double>(e);
}

float Log2(float x) {
  return static_cast<float>(Log2D(x));
}

float PowD(double x, double y) {
  if (y == 0.0) return 1.0f;
  const auto narrow = static_cast<float>(x);
  if (narrow == 0.0f) return y > 0.0 ? 0.0f : FLT_MAX;
  return Exp2D(y * Log2D(narrow < 0.0f ? -narrow : narrow));
}

float Pow(float x, float y) {
  return PowD(static_cast<double>(x), static_cast<double>(y));
}

namespace {

constexpr double kSin[] = {1.0,
                           -1.0 / 6.0,
                           1.0 / 120.0,
                           -1.0 / 5040.0,
                           1.0 / 362880.0,
                           -1.0 / 39916800.0,
                           1.0 / 6227020800.0};
constexpr double kCos[] = {1.0,           -1.0 / 2.0,       1.0 / 24.0,       -1.0 / 720.0,
                           1.0 / 40320.0, -1.0 / 3628800.0, 1.0 / 479001600.0};

double Horner7(const double (&c)[7], double t) {
  double p = c[6];
  for (int k = 5; k >= 0; --k)
    p = p * t + c[k];
  return p;
}

// The sine of x + quarter_turns * pi/2.
float SinOfQuadrant(float x, int64_t quarter_turns) {
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  constexpr double kHalfPiHigh = 0x1.921fb54400000p+0;
  constexpr double kHalfPiLow = 0x1.0b4611a626331p-34;
  auto angle = static_cast<double>(x);
  if (!(angle >= -1048576.0 && angle <= 1048576.0)) angle = 0.0;
  const double k = Floor(angle * kTwoOverPi + 0.5);
  const double r = (angle - k * kHalfPiHigh) - k * kHalfPiLow;
  const auto quadrant = static_cast<uint64_t>(static_cast<int64_t>(k) + quarter_turns) & 3;
  const double t = r * r;
  const double value = (quadrant & 1) != 0 ? Horner7(kCos, t) : Horner7(kSin, t) * r;
  return static_cast<float>((quadrant & 2) != 0 ? -value : value);
}

}  // namespace

float Sin(float x) {
  return SinOfQuadrant(x, 0);
}
float Cos(float x) {
  return SinOfQuadrant(x, 1);
}

}  // namespace dp2trace
