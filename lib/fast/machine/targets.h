// Included before Highway by every file of kernels: which instruction sets are compiled.
#pragma once

// SSSE3 adds nothing that a machine without SSE4 would notice; what is better than AVX3, the smaller numbers, only what integers and small
// floats need.
// Vectors without a size at compile time cannot be members of structures: of ARM it is NEON.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | (HWY_AVX3 - 1) | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
// The portable target has vectors of 128 bits. Highway avoids it where GCC before 12.3 compiles high halves of products wrongly (GCC bug
// 106322): no kernel has such products.
#define HWY_BROKEN_EMU128 0
