#include "raster/patch/basis.h"

#include <span>

#include "d3d/enums.h"

namespace dp2trace::raster {
namespace {

using d3d::Basis;

// A basis as polynomials: coefficient of t^k for point c is [k * (degree + 1) + c] / divisor.
struct PolynomialBasis {
  uint32_t degree;
  double divisor;
  std::span<const double> coefficients;
};

constexpr std::array<double, 4> kLinear = {1, 0, -1, 1};
constexpr std::array<double, 16> kBezierCubic = {1, 0,  0, 0, -3, 3, 0,  0,
                                                 3, -6, 3, 0, -1, 3, -3, 1};
constexpr std::array<double, 16> kBSplineCubic = {1, 4,  1, 0, -3, 0, 3,  0,
                                                  3, -6, 3, 0, -1, 3, -3, 1};
constexpr std::array<double, 16> kCatmullRom = {0, 2,  0, 0,  -1, 0, 1,  0,
                                                2, -5, 4, -1, -1, 3, -3, 1};
// clang-format off
constexpr std::array<double, 36> kBSplineQuintic = {
     1,  26,  66,  26,   1, 0,
    -5, -50,   0,  50,   5, 0,
    10,  20, -60,  20,  10, 0,
   -10,  20,   0, -20,  10, 0,
     5, -20,  30, -20,   5, 0,
    -1,   5, -10,  10,  -5, 1};
// clang-format on

using Powers = std::array<double, kMaxDegree + 1>;

Powers PowersOf(double t) {
  Powers powers = {1};
  for (size_t k = 1; k < powers.size(); ++k)
    powers[k] = powers[k - 1] * t;
  return powers;
}

PolynomialBasis FindBasis(uint32_t basis, uint32_t degree) {
  if (degree == 1) return {1, 1, kLinear};
  if (basis == d3d::Value(Basis::CatmullRom)) return {3, 2, kCatmullRom};
  if (basis == d3d::Value(Basis::Bezier)) return {3, 1, kBezierCubic};
  if (degree == 5) return {5, 120, kBSplineQuintic};
  return {3, 6, kBSplineCubic};
}

BasisWeights Evaluate(const PolynomialBasis& basis, double t) {
  BasisWeights result;
  const Powers powers = PowersOf(t);
  const uint32_t count = basis.degree + 1;
  for (uint32_t c = 0; c < count; ++c) {
    double weight = basis.coefficients[c];
    double derivative = 0;
    for (uint32_t k = 1; k < count; ++k) {
      const double m = basis.coefficients[k * count + c];
      weight = weight + powers[k] * m;
      derivative = derivative + k * powers[k - 1] * m;
    }
    result.weight[c] = weight / basis.divisor;
    result.derivative[c] = derivative / basis.divisor;
  }
  return result;
}

BasisWeights BezierQuintic(double t) {
  constexpr std::array<double, 6> kBinomials = {1, 5, 10, 10, 5, 1};
  const Powers p = PowersOf(t);
  const Powers q = PowersOf(1 - t);
  BasisWeights result;
  for (uint32_t i = 0; i <= 5; ++i) {
    result.weight[i] = kBinomials[i] * p[i] * q[5 - i];
    const double rising = i == 0 ? 0 : i * p[i - 1] * q[5 - i];
    const double falling = i == 5 ? 0 : (5 - i) * p[i] * q[4 - i];
    result.derivative[i] = kBinomials[i] * (rising - falling);
  }
  return result;
}

double Factorial(uint32_t n) {
  double product = 1;
  for (uint32_t i = 2; i <= n; ++i)
    product = product * i;
  return product;
}

// x^n and n x^(n-1).
double Power(const Powers& powers, uint32_t n) {
  return powers[n];
}
double PowerDerivative(const Powers& powers, uint32_t n) {
  return n == 0 ? 0 : n * powers[n - 1];
}

}  // namespace

bool IsRectBasis(uint32_t basis, uint32_t degree) {
  if (basis == d3d::Value(Basis::CatmullRom)) return degree == 3;
  const bool is_known = basis == d3d::Value(Basis::Bezier) || basis == d3d::Value(Basis::BSpline);
  return is_known && (degree == 1 || degree == 3 || degree == 5);
}

uint32_t SpanCount(uint32_t basis, uint32_t degree, uint32_t point_count) {
  if (point_count <= degree) return 0;
  if (basis != d3d::Value(Basis::Bezier)) return point_count - degree;
  return (point_count - 1) % degree == 0 ? (point_count - 1) / degree : 0;
}

BasisWeights WeightsAt(uint32_t basis, uint32_t degree, double t) {
  if (basis == d3d::Value(Basis::Bezier) && degree == 5) return BezierQuintic(t);
  return Evaluate(FindBasis(basis, degree), t);
}

SurfaceWeights RectWeights(uint32_t basis, uint32_t degree, double u, double v) {
  const BasisWeights bu = WeightsAt(basis, degree, u);
  const BasisWeights bv = WeightsAt(basis, degree, v);
  SurfaceWeights result;
  for (uint32_t r = 0; r <= degree; ++r) {
    for (uint32_t c = 0; c <= degree; ++c) {
      result.value[result.count] = bv.weight[r] * bu.weight[c];
      result.partial_u[result.count] = bv.weight[r] * bu.derivative[c];
      result.partial_v[result.count] = bv.derivative[r] * bu.weight[c];
      ++result.count;
    }
  }
  return result;
}

SurfaceWeights TriangleWeights(uint32_t degree, double a, double b, double c) {
  const Powers pa = PowersOf(a);
  const Powers pb = PowersOf(b);
  const Powers pc = PowersOf(c);
  SurfaceWeights result;
  for (uint32_t row = 0; row <= degree; ++row) {
    for (uint32_t k = 0; k <= row; ++k) {
      const uint32_t i = degree - row;
      const uint32_t j = row - k;
      const double factor = Factorial(degree) / (Factorial(i) * Factorial(j) * Factorial(k));
      result.value[result.count] = factor * Power(pa, i) * Power(pb, j) * Power(pc, k);
      const double by_a = factor * PowerDerivative(pa, i) * Power(pb, j) * Power(pc, k);
      const double by_b = factor * Power(pa, i) * PowerDerivative(pb, j) * Power(pc, k);
      const double by_c = factor * Power(pa, i) * Power(pb, j) * PowerDerivative(pc, k);
      result.partial_u[result.count] = by_c - by_b;
      result.partial_v[result.count] = by_b - by_a;
      ++result.count;
    }
  }
  return result;
}

}  // namespace dp2trace::raster
