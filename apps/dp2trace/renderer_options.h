// --renderer, --threads and --isa of the verbs that draw.
#pragma once

#include <string>

#include "options.h"
#include "raster/renderer.h"

namespace dp2trace::app {

void AddRendererOptions(Verb& command, std::string& renderer, raster::Options& options);

}  // namespace dp2trace::app
