// Reads control points and writes the vertices that come of them. Source: lib/raster/rendering-geometry.md 6.2 and 6.3.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "raster/patch/basis.h"
#include "raster/patch/patch.h"
#include "raster/vertex/processor.h"

namespace dp2trace::raster {

using Double3 = std::array<double, 3>;
using Double4 = std::array<double, 4>;

Double3 Cross(const Double3& a, const Double3& b);
double Dot(const Double3& a, const Double3& b);
// v / |v|; zero stays zero.
Double3 Normalize(const Double3& v);

// FetchVertex() with matrix indices that are packed as a D3DCOLOR as four numbers.
VertexInput ReadControlPoint(const device::Draw& points, int64_t number, uint32_t instance);

// Where a vertex of a patch lies.
struct PatchSample {
  SurfaceWeights weights;  // partial derivatives by u and v of the whole patch
  double u = 0, v = 0;
};

class VertexBuilder {
 public:
  // `source` outlives the builder. Each element becomes as many floats as its type has; what a declaration method generates 3 or 2.
  explicit VertexBuilder(const device::VertexLayout& source);

  uint32_t vertex_count() const { return vertex_count_; }
  void AppendIndices(std::span<const uint32_t> indices, uint32_t first_vertex);
  // The values of all elements; colours are clamped to [0, 1].
  void Append(const std::vector<Double4>& values);
  // A point of a patch: weighted sums of the control points, and what the declaration methods generate.
  void Append(const PatchSample& sample, std::span<const VertexInput> points);
  Tessellated Take() { return std::move(result_); }

 private:
  Double4 Element(const device::VertexElement& element, size_t index, const PatchSample& sample,
                  std::span<const VertexInput> points) const;

  const device::VertexLayout* source_;
  uint32_t position_;
  uint32_t vertex_count_ = 0;
  std::vector<Double4> values_;
  Tessellated result_;
};

// Sum of weight * element over the points, in their order.
Double4 WeightedSum(std::span<const VertexInput> points, std::span<const double> weights,
                    size_t element);

}  // namespace dp2trace::raster
