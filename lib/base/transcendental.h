// Transcendental functions that give the same bits on every compiler and ISA: binary64 polynomials, one final rounding. No libm.
// Source: lib/raster/rendering.md 0.4 (determinism profile D1).
#pragma once

namespace dp2trace {

// 2^x. NaN -> NaN, x >= 128 -> FLT_MAX, x <= -150 -> 0; a result that would round to infinity is FLT_MAX.
float Exp2(float x);
// The same with a binary64 argument.
float Exp2D(double x);

// log2(x) in binary64 for x >= 0; +Inf -> 128, NaN -> NaN. The caller handles x = 0 and signs.
double Log2D(float x);
float Log2(float x);

// |x|^y; x^0 = 1, 0^y = 0 for y > 0 and FLT_MAX for y < 0.
float Pow(float x, float y);
// The same with binary64 arguments (x is rounded to binary32 first).
float PowD(double x, double y);

// Documented input range [-pi, pi]; |x| > 2^20, NaN and infinities give the result of x = 0.
float Sin(float x);
float Cos(float x);

}  // namespace dp2trace
