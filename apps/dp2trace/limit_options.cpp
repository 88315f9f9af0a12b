#include "limit_options.h"

#include "options.h"

namespace dp2trace::app {

void AddLimitOptions(CLI::App& command, replay::RunnerOptions& validation,
                     raster::Options& raster) {
  command.add_option("--max-surface-extent", validation.device.surfaces.max_dimension,
                     "Largest width, height or depth of a surface (16384)");
  AddSize(command, "--max-surface-memory", validation.device.max_surface_bytes,
          "Memory of all surfaces together, with K, M or G (4G)");
  command.add_option("--max-primitives", validation.device.max_primitives,
                     "Largest number of primitives of one draw (16777216)");
  AddSize(command, "--max-draw-steps", raster.max_draw_steps,
          "Work of one draw: vertices, quads of pixels, shader instructions, with K, M or G (1G)");
  command.add_option("--max-patch-segments", raster.max_patch_segments,
                     "Largest number of segments along the edge of a patch (128)");
}

}  // namespace dp2trace::app
