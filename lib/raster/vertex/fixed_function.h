// Fixed-function vertex processing: the parts in the order of lib/raster/rendering-geometry.md 2.2.
// Source: lib/raster/rendering-geometry.md 2.
#pragma once

#include <optional>
#include <vector>

#include "raster/vertex/placement.h"
#include "raster/vertex/processor.h"
#include "raster/vertex/stage_coordinates.h"
#include "raster/vertex/vertex_fog.h"
#include "vertex/lighting.h"

namespace dp2trace::raster {

class FixedFunctionProcessor final : public VertexProcessor {
 public:
  // Context and draw outlive the object.
  FixedFunctionProcessor(const device::Context& context, const device::Draw& draw);

  Vertex Process(const VertexInput& input) const override {
    return is_transformed_ ? ProcessTransformed(input) : ProcessUntransformed(input);
  }
  const VertexOutputs& outputs() const override { return outputs_; }

  // What it does, for those who do it in another way. Elements are places in VertexInput::values or kNoElement.
  const device::State& state() const { return state_; }
  bool is_transformed() const { return is_transformed_; }
  bool is_lit() const { return is_lit_; }
  const VertexPlacement& placement() const { return placement_; }
  const vertex::Lighting& lighting() const { return lighting_; }
  const VertexFog& fog() const { return fog_; }
  const std::vector<StageCoordinates>& stages() const { return stages_; }
  uint32_t position_element() const { return position_; }
  uint32_t diffuse_element() const { return diffuse_; }
  uint32_t specular_element() const { return specular_; }

 private:
  void PrepareOutputs();
  Vertex ProcessTransformed(const VertexInput& input) const;
  Vertex ProcessUntransformed(const VertexInput& input) const;
  vertex::VertexColors UnlitColors(const VertexInput& input) const;
  void WriteColors(const vertex::VertexColors& colors, const VertexInput& input, const Float4& eye,
                   Vertex& out) const;
  void WriteCoordinates(const VertexInput& input, const Float3& eye, const Float3& normal,
                        Vertex& out) const;
  void WritePlaneDistances(const Float4& world, Vertex& out) const;
  float GivenPointSize(const VertexInput& input) const;

  const device::State& state_;
  bool is_transformed_, is_lit_, scales_points_;
  std::vector<StageCoordinates> stages_;
  VertexPlacement placement_;
  vertex::Lighting lighting_;
  VertexFog fog_;
  uint32_t position_, diffuse_, specular_, point_size_;
  float viewport_height_;
  VertexOutputs outputs_;
};

}  // namespace dp2trace::raster
