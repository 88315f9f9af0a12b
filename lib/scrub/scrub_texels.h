// Pictures that are no longer those of the program that was recorded.
#pragma once

#include <cstdint>
#include <span>

#include "d3d/formats.h"
#include "d3d/geometry.h"
#include "scrub/noise.h"

namespace dp2trace::scrub {

// How the texels lie in the bytes. 0: without padding.
struct TexelRows {
  uint64_t row_size = 0;     // bytes of texels
  uint64_t pitch = 0;        // bytes from row to row
  uint64_t slice_pitch = 0;  // bytes from slice to slice
};

// Replaces texels in place. Alpha stays a mask: 0 and opaque stay, what is between becomes noise between; palette indices stay below the
// largest one; texels inside a colour key stay, others stay outside; floats keep 0 and the largest exponent of the array; padding becomes
// 0, one colour one colour. Scrubbed texels stay what they are when they are scrubbed again.
void ScrubTexels(const d3d::FormatInfo& info, std::span<const d3d::ColorKey> keys,
                 const TexelRows& rows, const Noise& noise, std::span<uint8_t> bytes);

// One block of a format of kind kBlock: blocks keep their mode and which texels are transparent or opaque.
void ScrubBlock(const d3d::FormatInfo& info, uint64_t place, const Noise& noise, uint8_t* block);

// 0 and 255 stay, what is between becomes noise between.
uint8_t ScrubAlpha(uint8_t alpha, uint64_t random);

}  // namespace dp2trace::scrub
