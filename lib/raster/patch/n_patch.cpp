// N-patches (curved PN triangles). Source: lib/raster/rendering-geometry.md 6.4.
#include <algorithm>

#include "raster/patch/patch.h"
#include "raster/patch/segments.h"
#include "raster/patch/vertex_builder.h"
#include "raster/vertex/placement.h"

namespace dp2trace::raster {
namespace {

using d3d::PrimitiveType;
using d3d::RenderState;

constexpr uint32_t kBatchVertices = 1U << 16;

// Segments per edge. No operation carries the N-patch mode: at level 9, too, it is the state (lib/opcode/dp2.md 7).
float SegmentCount(const device::Context& context) {
  return context.state.real(RenderState::PatchSegments);
}

bool IsAdaptive(const device::State& state) {
  return state.value(RenderState::EnableAdaptiveTessellation) != 0;
}

Double3 ToDouble(const Float4& v) {
  return {double{v[0]}, double{v[1]}, double{v[2]}};
}

// Weighted sum of vectors, in their order.
template <size_t kCount>
Double3 Sum(const std::array<double, kCount>& weights, const std::array<Double3, kCount>& vectors) {
  Double3 sum = {};
  for (size_t n = 0; n < kCount; ++n) {
    for (size_t i = 0; i < 3; ++i)
      sum[i] = n == 0 ? weights[n] * vectors[n][i] : sum[i] + weights[n] * vectors[n][i];
  }
  return sum;
}

Double3 Difference(const Double3& a, const Double3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// The surface over one triangle: u and v belong to the second and third corner.
class PnTriangle {
 public:
  PnTriangle(const std::array<Double3, 3>& positions, const std::array<Double3, 3>& normals)
      : p_(positions), n_({Normalize(normals[0]), Normalize(normals[1]), Normalize(normals[2])}) {
    for (size_t e = 0; e < 3; ++e) {
      const size_t next = (e + 1) % 3;
      near_[e] = EdgePoint(e, next);
      far_[e] = EdgePoint(next, e);
      middle_normals_[e] = MiddleNormal(e, next);
    }
    const Double3 edges =
        Sum<6>({1, 1, 1, 1, 1, 1}, {near_[0], far_[0], near_[1], far_[1], near_[2], far_[2]});
    const Double3 corners = Sum<3>({1, 1, 1}, p_);
    for (size_t i = 0; i < 3; ++i) {
      const double e = edges[i] / 6;
      center_[i] = e + (e - corners[i] / 3) / 2;
    }
  }

  Double3 Position(double w, double u, double v) const {
    return Sum<10>(
        {w * w * w, u * u * u, v * v * v, 3 * w * w * u, 3 * w * u * u, 3 * w * w * v,
         3 * u * u * v, 3 * w * v * v, 3 * u * v * v, 6 * w * u * v},
        {p_[0], p_[1], p_[2], near_[0], far_[0], far_[2], near_[1], near_[2], far_[1], center_});
  }
  Double3 QuadraticNormal(double w, double u, double v) const {
    return Normalize(
        Sum<6>({w * w, u * u, v * v, w * u, u * v, w * v},
               {n_[0], n_[1], n_[2], middle_normals_[0], middle_normals_[1], middle_normals_[2]}));
  }

 private:
  // The control point next to corner i on the edge to corner j: b210, b120, b021, b012, b102 or b201.
  Double3 EdgePoint(size_t i, size_t j) const {
    const double w = Dot(Difference(p_[j], p_[i]), n_[i]);
    Double3 result;
    for (size_t k = 0; k < 3; ++k)
      result[k] = (2 * p_[i][k] + p_[j][k] - w * n_[i][k]) / 3;
    return result;
  }
  Double3 MiddleNormal(size_t i, size_t j) const {
    const Double3 edge = Difference(p_[j], p_[i]);
    const Double3 both = Sum<2>({1, 1}, {n_[i], n_[j]});
    const double square = Dot(edge, edge);
    const double v =
        // Unspecified: equal corners; chosen: no bend.
        square == 0 ? 0 : 2 * Dot(edge, both) / square;
    return Normalize(Difference(both, {v * edge[0], v * edge[1], v * edge[2]}));
  }

  std::array<Double3, 3> p_, n_;
  std::array<Double3, 3> near_ = {},
                         far_ = {};  // per edge 1-2, 2-3, 3-1: next to its start and end
  std::array<Double3, 3> middle_normals_ = {};
  Double3 center_ = {};
};

class NPatchTessellator {
 public:
  NPatchTessellator(const device::Context& context, const device::Draw& draw, uint32_t max_segments)
      : state_(context.state),
        draw_(draw),
        max_segments_(max_segments),
        count_(SegmentCount(context)),
        position_(ElementIndex(*draw.layout, d3d::DeclUsage::Position)),
        normal_(ElementIndex(*draw.layout, d3d::DeclUsage::Normal)),
        is_cubic_(state_.value(RenderState::PositionDegree) != d3d::Value(d3d::Degree::Linear)),
        is_quadratic_(state_.value(RenderState::NormalDegree) ==
                      d3d::Value(d3d::Degree::Quadratic)),
        builder_(*draw.layout),
        values_(std::min<size_t>(draw.layout->elements.size(), kNoElement)) {}

  void Append(uint32_t primitive, uint32_t instance, bool& limit_hit) {
    const device::Assembled assembled = device::Assemble(draw_, primitive);
    for (size_t i = 0; i < 3; ++i) {
      const int64_t number = draw_.base_vertex + int64_t{device::IndexAt(draw_, assembled.k[i])};
      corners_[i] = ReadControlPoint(draw_, number, instance);
    }
    const PnTriangle surface = MakeSurface();
    const PatchGrid<TrianglePoint> grid = MakeTriangleGrid(Edges(limit_hit));
    const uint32_t first_vertex = builder_.vertex_count();
    for (const TrianglePoint& point : grid.points)
      AppendPoint(surface, point.a, point.c, point.b);
    builder_.AppendIndices(grid.indices, first_vertex);
  }

  bool is_full() const { return builder_.vertex_count() >= kBatchVertices; }
  Tessellated Take() { return builder_.Take(); }

 private:
  std::array<EdgeSegments, 3> Edges(bool& limit_hit) const {
    std::array<float, 3> counts = {count_, count_, count_};
    if (IsAdaptive(state_)) {
      std::array<float, 3> levels = {};
      for (size_t i = 0; i < 3; ++i)
        levels[i] = AdaptiveLevel(state_, *draw_.layout, corners_[i]);
      for (size_t i = 0; i < 3; ++i)
        counts[i] = AdaptiveCount(state_, levels[i], levels[(i + 1) % 3]);
    }
    std::array<EdgeSegments, 3> edges;
    for (size_t i = 0; i < 3; ++i)
      edges[i] = MakeEdge(counts[i], false, max_segments_, limit_hit);
    return edges;
  }

  PnTriangle MakeSurface() const {
    std::array<Double3, 3> positions = {};
    std::array<Double3, 3> normals = {};
    for (size_t i = 0; i < 3; ++i) {
      if (position_ != kNoElement) positions[i] = ToDouble(corners_[i].values[position_]);
      if (normal_ != kNoElement) normals[i] = ToDouble(corners_[i].values[normal_]);
    }
    return {positions, normals};
  }

  // Unspecified: whether linear normals are those of the vertices or unit ones; chosen: those of the vertices.
  void AppendPoint(const PnTriangle& surface, double w, double u, double v) {
    const std::array<double, 3> weights = {w, u, v};
    for (size_t e = 0; e < values_.size(); ++e)
      values_[e] = WeightedSum(corners_, weights, e);
    if (is_cubic_ && position_ != kNoElement)
      Replace(values_[position_], surface.Position(w, u, v));
    if (is_quadratic_ && normal_ != kNoElement)
      Replace(values_[normal_], surface.QuadraticNormal(w, u, v));
    builder_.Append(values_);
  }

  static void Replace(Double4& value, const Double3& by) {
    std::copy(by.begin(), by.end(), value.begin());
  }

  const device::State& state_;
  const device::Draw& draw_;
  uint32_t max_segments_;
  float count_;
  uint32_t position_, normal_;
  bool is_cubic_, is_quadratic_;
  VertexBuilder builder_;
  std::array<VertexInput, 3> corners_;
  std::vector<Double4> values_;
};

bool IsTriangles(PrimitiveType type) {
  return type == PrimitiveType::TriangleList || type == PrimitiveType::TriangleStrip ||
         type == PrimitiveType::TriangleFan;
}

}  // namespace

bool UsesNPatches(const device::Context& context, const device::Draw& draw) {
  if (!IsTriangles(draw.type) || draw.layout->is_transformed) return false;
  if (draw.layout->Find(d3d::DeclUsage::Normal) == nullptr) return false;
  // Below 2 the discrete rule gives one flat triangle, which is the input.
  return SegmentCount(context) >= (IsAdaptive(context.state) ? 1.0F : 2.0F);
}

uint64_t NPatchCount(const device::Draw& draw) {
  return uint64_t{draw.primitive_count} * draw.instance_count;
}

Tessellated TessellateNPatches(const device::Context& context, const device::Draw& draw,
                               uint64_t& next, uint32_t max_segments, bool& limit_hit) {
  NPatchTessellator tessellator(context, draw, max_segments);
  for (const uint64_t count = NPatchCount(draw); next < count && !tessellator.is_full(); ++next) {
    const auto primitive = static_cast<uint32_t>(next % draw.primitive_count);
    tessellator.Append(primitive, static_cast<uint32_t>(next / draw.primitive_count), limit_hit);
  }
  return tessellator.Take();
}

}  // namespace dp2trace::raster
