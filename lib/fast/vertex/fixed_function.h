// Fixed-function vertex processing as a program. Source: lib/raster/rendering-geometry.md 2; lib/vertex has the same results.
#pragma once

#include <memory>

#include "fast/vertex/vertex_code.h"
#include "raster/vertex/fixed_function.h"

namespace dp2trace::fast {

// Null for blending and tweening, which go vertex by vertex.
std::shared_ptr<VertexCode> CompileFixedFunction(const raster::FixedFunctionProcessor& processor,
                                                 const vertex::ViewportMapping& viewport);

// The numbers of the state that its parameters are, in their order.
std::vector<float> FixedFunctionParameters(const raster::FixedFunctionProcessor& processor,
                                           const vertex::ViewportMapping& viewport);

// All that CompileFixedFunction reads beside them, as words: equal keys give equal programs.
std::vector<uint32_t> FixedFunctionKey(const raster::FixedFunctionProcessor& processor,
                                       const vertex::ViewportMapping& viewport);

}  // namespace dp2trace::fast
