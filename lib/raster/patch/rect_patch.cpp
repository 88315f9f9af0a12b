// Rectangle patches. Source: lib/raster/rendering-geometry.md 6.1 to 6.3.
#include <algorithm>
#include <cmath>
#include <limits>

#include "raster/patch/patch_kinds.h"
#include "raster/patch/segments.h"
#include "raster/patch/vertex_builder.h"

namespace dp2trace::raster {
namespace {

using d3d::RenderState;

// A global parameter as span and parameter inside it.
struct SpanParameter {
  uint32_t span = 0;
  double t = 0;

  SpanParameter(double global, uint32_t span_count) {
    const double x = global * span_count;
    span = static_cast<uint32_t>(std::min<int64_t>(FloorToInt(x), int64_t{span_count} - 1));
    t = x - span;
  }
};

class RectPatch {
 public:
  explicit RectPatch(const device::PatchDraw& patch)
      : patch_(patch),
        degree_(patch.info.degree),
        points_(size_t{degree_ + 1} * (degree_ + 1)),
        builder_(*patch.points.layout),
        spans_u_(SpanCount(patch.info.basis, degree_, patch.info.width)),
        spans_v_(SpanCount(patch.info.basis, degree_, patch.info.height)) {}

  // Row and column numbers that do not fit 32 bits count as no patch.
  static bool IsValid(const device::PatchInfo& info) {
    constexpr uint64_t kLast = std::numeric_limits<uint32_t>::max();
    if (!IsRectBasis(info.basis, info.degree)) return false;
    if (uint64_t{info.start_width} + info.width > kLast) return false;
    if (uint64_t{info.start_height} + info.height > kLast) return false;
    return SpanCount(info.basis, info.degree, info.width) != 0 &&
           SpanCount(info.basis, info.degree, info.height) != 0;
  }

  VertexInput ControlPoint(uint32_t row, uint32_t column) const {
    const device::PatchInfo& info = patch_.info;
    const uint64_t number = (uint64_t{info.start_height} + row) * info.stride;
    // Beyond the end of any buffer, but without overflow of the number.
    constexpr uint64_t kFar = uint64_t{1} << 40;
    const uint64_t limited = std::min(number, kFar) + info.start_width + column;
    return ReadControlPoint(patch_.points, static_cast<int64_t>(limited), 0);
  }

  void Append(double u, double v) {
    const SpanParameter along_u(u, spans_u_);
    const SpanParameter along_v(v, spans_v_);
    LoadSpan(along_u.span, along_v.span);
    PatchSample sample = {
        .weights = RectWeights(patch_.info.basis, degree_, along_u.t, along_v.t), .u = u, .v = v};
    for (uint32_t i = 0; i < sample.weights.count; ++i) {
      sample.weights.partial_u[i] = sample.weights.partial_u[i] * spans_u_;
      sample.weights.partial_v[i] = sample.weights.partial_v[i] * spans_v_;
    }
    builder_.Append(sample, points_);
  }

  VertexBuilder& builder() { return builder_; }

 private:
  void LoadSpan(uint32_t span_u, uint32_t span_v) {
    if (is_loaded_ && span_u == loaded_u_ && span_v == loaded_v_) return;
    const uint32_t step = patch_.info.basis == d3d::Value(d3d::Basis::Bezier) ? degree_ : 1;
    for (uint32_t r = 0; r <= degree_; ++r) {
      for (uint32_t c = 0; c <= degree_; ++c) {
        points_[r * (degree_ + 1) + c] = ControlPoint(span_v * step + r, span_u * step + c);
      }
    }
    is_loaded_ = true;
    loaded_u_ = span_u;
    loaded_v_ = span_v;
  }

  const device::PatchDraw& patch_;
  uint32_t degree_;
  std::vector<VertexInput> points_;  // of the loaded span, row by row
  VertexBuilder builder_;
  uint32_t spans_u_, spans_v_;
  bool is_loaded_ = false;
  uint32_t loaded_u_ = 0, loaded_v_ = 0;
};

// Counts of the edges row 0, last column, last row, first column.
std::array<float, 4> EdgeCounts(const device::State& state, const device::PatchDraw& patch,
                                const RectPatch& net) {
  if (state.value(RenderState::EnableAdaptiveTessellation) == 0) return patch.segments;
  const uint32_t row = patch.info.height - 1;
  const uint32_t column = patch.info.width - 1;
  const auto level = [&](uint32_t r, uint32_t c) {
    return AdaptiveLevel(state, *patch.points.layout, net.ControlPoint(r, c));
  };
  const std::array<float, 4> corners = {level(0, 0), level(0, column), level(row, column),
                                        level(row, 0)};
  std::array<float, 4> counts = {};
  for (size_t e = 0; e < 4; ++e)
    counts[e] = AdaptiveCount(state, corners[e], corners[(e + 1) % 4]);
  return counts;
}

}  // namespace

Tessellated TessellateRect(const device::Context& context, const device::PatchDraw& patch,
                           uint32_t max_segments, bool& limit_hit) {
  if (!RectPatch::IsValid(patch.info)) return {};
  RectPatch net(patch);
  const std::array<float, 4> counts = EdgeCounts(context.state, patch, net);
  const bool is_continuous = context.state.value(RenderState::PatchEdgeStyle) ==
                             d3d::Value(d3d::PatchEdgeStyle::Continuous);
  std::array<EdgeSegments, 4> edges;
  for (size_t e = 0; e < 4; ++e)
    edges[e] = MakeEdge(counts[e], is_continuous, max_segments, limit_hit);
  const PatchGrid<RectPoint> grid = MakeRectGrid(edges);
  for (const RectPoint& point : grid.points)
    net.Append(point.u, point.v);
  net.builder().AppendIndices(grid.indices, 0);
  return net.builder().Take();
}

}  // namespace dp2trace::raster
