// Bits of shader tokens. Internal to this folder.
// Source: lib/raster/rendering-shaders.md 8.1.
#pragma once

#include <cstdint>

namespace dp2trace::shader {

inline constexpr uint32_t kEndToken = 0x0000FFFF;
inline constexpr uint32_t kCommentOpcode = 0xFFFE;
inline constexpr uint32_t kTopBit = 0x80000000;  // of parameters
inline constexpr uint32_t kWordSize = 4;

// Instructions: opcode in 15:0.
inline constexpr uint32_t kControlShift = 16;
inline constexpr uint32_t kLengthShift = 24;
inline constexpr uint32_t kPredicatedBit = 1U << 28;
inline constexpr uint32_t kCoissueBit = 1U << 30;

// Parameters: number in 10:0, type in 30:28 and 12:11.
inline constexpr uint32_t kNumberMask = 0x7FF;
inline constexpr uint32_t kRelativeBit = 1U << 13;
inline constexpr uint32_t kComponentShift =
    16;  // mask, or two bits for each component of a swizzle
inline constexpr uint32_t kSaturateBit = 1U << 20;
inline constexpr uint32_t kPartialPrecisionBit = 1U << 21;
inline constexpr uint32_t kCentroidBit = 1U << 22;
inline constexpr uint32_t kModifierShift = 24;  // of a source; the shift of a destination
inline constexpr uint32_t kAddressType = 3;     // kTexture in pixel shaders
// Types 11 to 13 are constants from 2048, 4096 and 6144 on.
inline constexpr uint32_t kConstantBankSize = 2048;
inline constexpr uint32_t kFirstConstantBank = 10;

// Usage tokens of declarations.
inline constexpr uint32_t kUsageIndexShift = 16;
inline constexpr uint32_t kTextureTypeShift = 27;

}  // namespace dp2trace::shader
