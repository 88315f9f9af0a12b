// The renderers that there are, by name.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "raster/renderer.h"
#include "trace/events.h"

namespace dp2trace::play {

// The first row is the default.
std::span<const raster::RendererType> Renderers();
// Null where no renderer has this name.
const raster::RendererType* FindRenderer(std::string_view name);

// `name` is that of a row, or empty: the default. Findings go to the list, which outlives the renderer.
std::unique_ptr<raster::Renderer> MakeRenderer(std::string_view name,
                                               const raster::Options& options,
                                               DiagnosticList& findings);

// What the device of the trace says about transformed vertices; the default where it says nothing. Source: lib/raster/rendering-geometry.md 1.7.
bool ClipsTransformedZ(const trace::Header& header, bool default_value);

}  // namespace dp2trace::play
