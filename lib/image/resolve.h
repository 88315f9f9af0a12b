// Multisampled surfaces to one sample per pixel. Source: lib/raster/rendering-geometry.md 1.10.
#pragma once

#include <span>

#include "base/status.h"
#include "image/decoder.h"
#include "image/surface.h"

namespace dp2trace::image {

// The colour of a pixel over all slices of the level, which are its samples: (sum + n/2) / n in the stored integers when every channel
// has 8 unsigned bits, else the binary32 sum in sample order times 1/n. Depth formats: sample 0 (Unspecified; chosen).
Texel ResolveTexel(const Decoder& decoder, const ConstLevel& samples, uint32_t x, uint32_t y);

// The bytes of row y from texel `left` on, each the average of that byte in all samples: of formats whose channels have 8 unsigned bits,
// what ResolveTexel makes of them, and of their unused bytes.
void AverageBytes(const ConstLevel& samples, uint32_t left, uint32_t y, std::span<uint8_t> row);

// A surface of one sample and equal format. Surfaces without samples, and formats that drawing cannot write, come out as sample 0.
Result<Surface> Resolve(const Surface& surface);

}  // namespace dp2trace::image
