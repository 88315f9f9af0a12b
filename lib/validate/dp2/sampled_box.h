// What a draw samples of a texture, where its vertices say so.
#pragma once

#include <cstdint>

#include "device/draw.h"
#include "image/surface.h"
#include "validate/command_view.h"

namespace dp2trace::validate {

// Texture coordinates, from the least to the largest; 0 to 1 is the texture.
struct SampledBox {
  float left = 0, top = 0, right = 1, bottom = 1;
  // The texels of a level with these bounds that are sampled; neighbours that a filter reads are not.
  image::Area At(const image::Area& whole) const;
};

// The coordinates of the stage are those of the vertices: no shader, no transform and no generator makes them, and the texture has two
// dimensions.
bool HasPlainCoordinates(const CommandView& view, uint32_t stage);
// The coordinates of what is drawn, where they are plain. All of the texture where they leave it, or cannot be read.
SampledBox FindSampledBox(const CommandView& view, const device::Draw& draw, uint32_t stage);

}  // namespace dp2trace::validate
