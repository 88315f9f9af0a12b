// Surfaces as pictures, and the hashes by which pictures are compared.
// Source: lib/raster/rendering-output.md 7.6; lib/design.md 7.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "image/picture.h"
#include "image/surface.h"
#include "image/texel.h"

namespace dp2trace::image {

// The area (one slice) of a level as RGBA8: colours as the sampler decodes them, rounded to 8 bits; signed channels as 0.5 * v + 0.5;
// depth as grey; multisampled surfaces resolved. Palette indices go through `palette`, P8 opaque; without one they are grey.
// Fails as Surface::CheckArea does, and (REPLAY-SURFACE-002) for buffers, empty areas and areas of more than one slice; (IO-001) when
// the picture would be too large for a PNG.
Result<Picture> ToPicture(const Surface& surface, uint32_t face, uint32_t level, const Area& area,
                          const Palette* palette = nullptr);

// A content of a level, and the palette that its indices go through.
struct PictureSource {
  const Surface& surface;
  uint32_t face = 0, level = 0;
  const Palette* palette = nullptr;
};
// ToPicture() of one XOR that of the other, byte by byte: how two contents of one size and format differ. Fails as ToPicture does.
Result<Picture> PictureDifference(const PictureSource& before, const PictureSource& after,
                                  const Area& area);

// The stencil part as grey. Only where the format has one.
Result<Picture> StencilPicture(const Surface& surface, uint32_t face, uint32_t level,
                               const Area& area);

// XXH3-128 (32 hex digits) of width, height and D3DFORMAT as u32 and the RGBA bytes.
std::string HashOf(const Picture& picture, d3d::Format format);

// True where a picture does not hold every stored bit: channels of more than 8 bits, floats, depth, samples, palette indices.
bool LosesStoredBits(const Surface& surface);

// XXH3-128 of the same three numbers and the stored rows of the area without padding, sample after sample. Fails as CheckArea does.
Result<std::string> RawHashOf(const Surface& surface, uint32_t face, uint32_t level,
                              const Area& area);

}  // namespace dp2trace::image
