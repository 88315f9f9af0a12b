// How frames are drawn where an edit depends on what they show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "raster/renderer.h"

namespace dp2trace::edit {

struct RenderOptions {
  std::string renderer = {};  // a row of replay::Renderers(); empty: the first
  raster::Options raster;
  std::optional<uint64_t> file_bytes = {};  // of the trace: bounds its work and its surfaces
};

}  // namespace dp2trace::edit
