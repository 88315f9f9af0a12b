// IEEE binary16. Source: lib/raster/rendering-texture.md 3.7 (half rounding on write: nearest even, overflow gives infinity) and 0.3 rule 5.
#pragma once

#include <cstdint>

namespace dp2trace::image {

inline constexpr uint32_t kCanonicalNaN32 = 0x7FC00000;
inline constexpr uint16_t kCanonicalNaN16 = 0x7E00;

// Exact; denormals, infinities and NaN payloads are kept.
float HalfToFloat(uint16_t half);
// Nearest even; overflow gives infinity, every NaN the canonical one.
uint16_t FloatToHalf(float value);

// The 20e4 depth float of D24FS8: exponent in bits 23..20 with bias 15, mantissa in bits 19..0, exponent 0 is denormal, no infinities.
// Source: lib/raster/rendering-texture.md 3.11.
double DepthFloat24ToDouble(uint32_t bits);
// Nearest even; clamps to [0, largest], NaN gives 0.
uint32_t DoubleToDepthFloat24(double value);

}  // namespace dp2trace::image
