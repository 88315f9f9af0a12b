// Vertex processing: from the bytes of the streams to Vertex. Fixed function here; vertex shaders have the same interface.
// Source: lib/raster/rendering-geometry.md 2.
#pragma once

#include <cstdint>
#include <memory>

#include "device/context.h"
#include "device/draw.h"
#include "raster/vertex/vertex.h"

namespace dp2trace::raster {

// One vertex as the declaration gives it, 4 floats for each element of the layout, in its order.
struct VertexInput {
  std::array<Float4, 64> values = {};
};

struct ProbedShading;

class VertexProcessor {
 public:
  virtual ~VertexProcessor() = default;
  // The processed vertex, for clipping and rasterization.
  virtual Vertex Process(const VertexInput& input) const = 0;
  // The same; a shader reports its steps to the probe if it wants them.
  virtual Vertex ProcessProbed(const VertexInput& input, ProbedShading& /*probe*/) const {
    return Process(input);
  }
  virtual const VertexOutputs& outputs() const = 0;
};

// Reads vertex `number` of all streams. Elements past the end of a stream are 0. Source: lib/raster/rendering-geometry.md 2.1; lib/opcode/dp2.md 20.2.
VertexInput FetchVertex(const device::Draw& draw, int64_t number, uint32_t instance);

// One element of the layout of the draw, as FetchVertex reads it.
Float4 FetchElement(const device::Draw& draw, size_t element, int64_t number, uint32_t instance);
// True where a vertex of the stream lies at its number whatever the instance: no divider acts.
bool IsReadByNumber(const device::Draw& draw, const device::VertexStream& stream);

// Everything that stays the same for the whole draw is computed here, once. The context and the draw outlive the processor.
std::unique_ptr<VertexProcessor> MakeFixedFunctionProcessor(const device::Context& context,
                                                            const device::Draw& draw);

}  // namespace dp2trace::raster
