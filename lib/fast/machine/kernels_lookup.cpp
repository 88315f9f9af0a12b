// Operations that go lane by lane: constants by relative address, parts of a logarithm.
// Source: lib/raster/rendering-shaders.md 8.3 and 8.5.
#include <bit>
#include <cfloat>
#include <cmath>

#include "fast/machine/kernels.h"

namespace dp2trace::fast {
namespace {

template <class Function>
void PerLane(const Instruction& i, Frame& frame, Function function) {
  const bool repeats = i.a.is_constant();
  const float* a = repeats ? frame.constants[i.a.number()].lanes.data()
                           : frame.registers[i.a.number()].lanes.data();
  float* to = frame.registers[i.to].lanes.data();
  for (size_t lane = 0; lane < kLanes; ++lane)
    to[lane] = function(repeats ? a[0] : a[lane]);
}

// Registers that do not exist are 0.
void LoadReal(const Instruction& i, Frame& frame) {
  PerLane(i, frame, [&](float place) {
    if (!(place >= 0.0F && place < static_cast<float>(frame.real_count))) return 0.0F;
    return frame.reals[static_cast<size_t>(place)][i.data];
  });
}

// |x| = m * 2^e with 1 <= m < 2. Infinities and NaN: as raster/shader/arithmetic.cpp has it.
void Exponent(const Instruction& i, Frame& frame) {
  PerLane(i, frame, [](float x) {
    const float magnitude = std::fabs(x);
    if (magnitude == 0.0F) return -FLT_MAX;
    if (magnitude > FLT_MAX) return 128.0F;
    if (magnitude != magnitude) return magnitude;
    const auto bits = std::bit_cast<uint64_t>(double{magnitude});
    return static_cast<float>(static_cast<int64_t>(bits >> 52) - 1023);
  });
}

void Mantissa(const Instruction& i, Frame& frame) {
  PerLane(i, frame, [](float x) {
    const float magnitude = std::fabs(x);
    if (magnitude == 0.0F || magnitude > FLT_MAX) return 1.0F;
    if (magnitude != magnitude) return magnitude;
    constexpr uint64_t kFraction = (uint64_t{1} << 52) - 1;
    constexpr uint64_t kOne = uint64_t{1023} << 52;
    const auto bits = std::bit_cast<uint64_t>(double{magnitude});
    return static_cast<float>(std::bit_cast<double>((bits & kFraction) | kOne));
  });
}

}  // namespace

void AddLookupKernels(KernelTable& table) {
  table[Op::kLoadReal] = LoadReal;
  table[Op::kExponent] = Exponent;
  table[Op::kMantissa] = Mantissa;
}

}  // namespace dp2trace::fast
