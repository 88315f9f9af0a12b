#include "api/options.h"

#include <algorithm>

#include "device/trace_work.h"
#include "play/renderers.h"
#include "trace/reader.h"
#include "validate/rule_set.h"

namespace dp2trace::api {

dp2trace_options DefaultOptions() {
  dp2trace_options options{};
  options.max_memory = trace::ReaderOptions().max_memory;
  options.max_surface_memory = device::SurfaceBytesFor({});
  options.max_draw_steps = raster::Options().max_draw_steps;
  return options;
}

std::optional<play::Options> PlayOptionsOf(const dp2trace_options& options) {
  play::Options play;
  play::RunnerOptions& validation = play.validation;
  validation.max_surface_bytes = options.max_surface_memory;
  validation.device.surfaces.max_bytes =
      std::min(validation.device.surfaces.max_bytes, options.max_surface_memory);
  validation.device.surfaces.keeps_pixels = options.is_lint == 0;
  play.raster.max_draw_steps = options.max_draw_steps;
  play.raster.threads = options.threads;
  if (options.driver_level != 0) {
    if (options.driver_level < 6 || options.driver_level > 9) return std::nullopt;
    validation.level = options.driver_level;
  }
  const auto preset =
      validate::FindPreset(options.preset != nullptr ? options.preset : "recommended");
  if (!preset) return std::nullopt;
  validation.rules = validate::RuleSet(*preset);
  if (options.renderer != nullptr) {
    if (play::FindRenderer(options.renderer) == nullptr) return std::nullopt;
    play.renderer = options.renderer;
  }
  return play;
}

}  // namespace dp2trace::api
