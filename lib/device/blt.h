// Blits between surfaces: stretched and converted copies with colour keys, raw fills, mip chains, and the paired levels of TEXBLT.
// Works only on surfaces; handles and tokens are the callers' business.
// Source: lib/opcode/dp2.md 16; lib/raster/rendering-output.md 7.1, 7.2 and 7.4.
#pragma once

#include <cstdint>
#include <optional>

#include "base/status.h"
#include "d3d/geometry.h"
#include "image/surface.h"
#include "image/texel.h"

namespace dp2trace::device {

enum class StretchFilter : uint8_t { kPoint, kLinear };

// An area of one level of one face.
struct BltPlace {
  uint32_t face = 0;
  uint32_t level = 0;
  image::Area area;
};

// What it costs at most to write the place (device/trace_work.h): not more than the level has, whatever the area says.
uint64_t StepsOf(const image::Surface& surface, const BltPlace& place);
// The same, of all levels and faces.
uint64_t StepsOf(const image::Surface& surface);

struct BltOptions {
  StretchFilter filter = StretchFilter::kPoint;
  // Pixels of the source inside the range are not copied.
  std::optional<d3d::ColorKey> source_key = {};
  // Only pixels of the destination inside the range are written.
  std::optional<d3d::ColorKey> destination_key = {};
  const image::Palette* palette = nullptr;  // of the source
};

// What Stretch costs at most: a multisampled source is resolved whole.
uint64_t StretchSteps(const image::Surface& source, const image::Surface& destination,
                      const BltPlace& to);
// Copies as if the source were read first, so both may be the same surface. Equal formats keep their bits (unless filtered); others are
// decoded and encoded. Multisampled sources are resolved. Fails without a change: as Surface::CheckArea, or DP2-BLT-010 where no
// conversion is defined.
Status Stretch(const image::Surface& source, const BltPlace& from, image::Surface& destination,
               const BltPlace& to, const BltOptions& options);

// Stores the low bytes of `value` in every pixel. Fails as Surface::CheckArea.
Status FillRaw(image::Surface& surface, const BltPlace& place, uint32_t value);
// Stores the depth bits of `value`, as they lie in the pixel, and keeps the stencil. Fails as CheckArea or DP2-BLT-011.
Status FillRawDepth(image::Surface& surface, const BltPlace& place, uint32_t value);

// Every level of every face from the level above: texel (2x, 2y), or the mean of 2 x 2 texels. Slices of a volume are taken by twos: the
// first of each pair counts (Unspecified; chosen). Formats that cannot be averaged stay as they are.
void MakeSubLevels(image::Surface& surface, StretchFilter filter);

// ---------- paired levels ----------

// The smallest source level that has the width and height (and depth) of level 0 of the destination.
std::optional<uint32_t> FindPairedLevel(const image::Surface& source,
                                        const image::Surface& destination);
// Where no level has: the first one whose largest extent is none above that of the destination, or the last.
uint32_t FindFittingLevel(const image::Surface& source, const image::Surface& destination);

// The area one level further down: starts round down, ends round up, never empty.
image::Area ReduceArea(const image::Area& area);

struct ChainCopy {
  uint32_t source_face = 0;
  uint32_t source_level = 0;  // the partner of level 0 of the destination
  image::Area area;           // in source level 0
  uint32_t destination_face = 0;
  uint32_t x = 0, y = 0, z = 0;  // in level 0 of the destination
  uint32_t level_count = 1;      // pairs to copy, at most those that exist
};
// Copies the area in every pair of levels, cut at the edges of both and grown to whole blocks. Fails as image::CopyArea.
Status CopyChain(const image::Surface& source, image::Surface& destination, const ChainCopy& copy);

}  // namespace dp2trace::device
