// The vertex side of a draw: fetch, process, assemble, flat shading, wrap, clip, viewport; the result goes to a PrimitiveSink.
// Source: lib/raster/rendering-geometry.md 1.1, 1.6, 1.7 and 2; lib/raster/rendering-texture.md 3.2 (WRAP).
#pragma once

#include "base/work_budget.h"
#include "device/context.h"
#include "device/draw.h"
#include "raster/vertex/processor.h"
#include "raster/vertex/sink.h"

namespace dp2trace::raster {

class Probe;

// Draws all primitives of all instances, or those before the budget is spent. `processor` is of this draw.
// A probe learns which primitive comes, and the vertices of those with a fragment at its pixel.
void RunVertexPipeline(const device::Context& context, const device::Draw& draw,
                       const VertexProcessor& processor, PrimitiveSink& sink,
                       WorkBudget* work = nullptr, Probe* probe = nullptr);

}  // namespace dp2trace::raster
