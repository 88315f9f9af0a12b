// The vertices that a drawing token names, as far as rules about states need them.
// Source: lib/opcode/dp2.md 3, 5, 6, 17 and 18.
#pragma once

#include <cstdint>

#include "validate/command_view.h"

namespace dp2trace::validate {

// True for tokens that rasterise: primitives and patches, not CLEAR and COMPOSERECTS.
bool DrawsGeometry(const CommandView& view);

struct DrawFormat {
  bool is_known = false;         // false: the format is missing, which other rules say
  bool is_programmable = false;  // a vertex shader with code
  bool is_transformed = false;
  uint32_t weights = 0;       // blend weights of a vertex
  uint32_t texture_sets = 0;  // bit s: the vertex has texture coordinate set s
  bool has_diffuse = false, has_specular = false, has_point_size = false, has_fog = false;

  // Transforms, lights and vertex fog of the fixed function work on these vertices.
  bool is_fixed_function() const { return is_known && !is_programmable && !is_transformed; }
};

// Of a token for which DrawsGeometry() holds.
DrawFormat FormatOf(const CommandView& view);

}  // namespace dp2trace::validate
