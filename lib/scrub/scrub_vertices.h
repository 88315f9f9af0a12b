// Vertices that are no longer those of the program that was recorded.
#pragma once

#include <cstdint>
#include <span>

#include "scrub/noise.h"

namespace dp2trace::scrub {

// Replaces words of 4 bytes, counted from `first` (the offset of the bytes in their buffer), in place. Whatever the format of the
// vertices is: floats keep sign and exponent, so that what is positive, finite, below 1 or inside a guard band stays so; of packed colours
// these are the alpha and the highest bit of the next channel; of small bytes the highest bits, and the last of four. Equal words become equal words, so
// vertices that coincide still do. 0, 1, -1, infinity, opaque black and white stay.
// The noise hangs on where a word first stood, and on nothing else of it. Scrubbed bytes stay what they are when they are scrubbed again.
void ScrubVertices(const Noise& noise, uint64_t first, std::span<uint8_t> bytes);

}  // namespace dp2trace::scrub
