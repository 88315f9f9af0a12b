// Where the fog factor of a draw comes from.
// Source: lib/raster/rendering-geometry.md 2.7.
#pragma once

#include <cstdint>

#include "device/draw.h"
#include "device/state.h"
#include "device/table_fog.h"
#include "raster/vertex/placement.h"
#include "vertex/fog.h"

namespace dp2trace::raster {

// The numbers of the state for the equation of this mode.
vertex::FogEquation FogEquationOf(const device::State& state, d3d::RenderState mode);

// The fog factor of fixed function vertices.
class VertexFog {
 public:
  enum class Source : uint8_t { kNone, kElement, kSpecularAlpha, kEquation };

  VertexFog(const device::State& state, const device::VertexLayout& layout);

  // `specular_alpha`: of the output, 0 without specular. 1 where fog is off or of a table.
  float Factor(const VertexInput& input, const Float4& eye, float specular_alpha) const;

  Source source() const { return source_; }
  uint32_t element() const { return element_; }
  const vertex::FogEquation& equation() const { return equation_; }
  bool is_range() const { return is_range_; }

 private:
  vertex::FogEquation equation_;
  bool is_range_;
  uint32_t element_;
  Source source_ = Source::kNone;
};

}  // namespace dp2trace::raster
