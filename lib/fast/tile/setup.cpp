#include "fast/tile/setup.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace dp2trace::fast {
namespace {

using raster::FixedPoint;
using raster::Gradient;
using raster::kSubpixels;
using raster::TriangleGeometry;
using raster::TriangleVertices;

constexpr uint32_t kMaxVertices = 16;
constexpr uint64_t kQuadsOfBlock = 16;

bool AreIdentical(float a, float b, float c) {
  const auto bits = std::bit_cast<uint32_t>(a);
  return bits == std::bit_cast<uint32_t>(b) && bits == std::bit_cast<uint32_t>(c);
}

double Magnitude(double x) {
  return x < 0 ? -x : x;
}

double Pixels(int64_t fixed) {
  return static_cast<double>(fixed) / 256.0;
}

// The number of a vertex that a component carries.
float ValueOf(const raster::ScreenVertex& vertex, const PixelInput& component,
              raster::FogSource fog) {
  if (component.slot != kFogSlot) return vertex.varyings[component.slot][component.component];
  return fog == raster::FogSource::kZ ? vertex.z : vertex.fog;
}

// One component: the same everywhere, or a plane.
class ComponentWriter {
 public:
  ComponentWriter(const TriangleGeometry& geometry, Triangle& triangle, uint32_t padded)
      : geometry_(geometry), triangle_(triangle), planes_(PlanesOf(triangle, padded)) {}

  void SetConstant(uint32_t i, float value) {
    triangle_.constant |= uint64_t{1} << i;
    Set(i, double{value}, {});
    // A sum with -0 keeps every number, -0 too.
    planes_.step_x[i] = planes_.step_y[i] = -0.0F;
  }
  void SetPlane(uint32_t i, float a0, float a1, float a2) {
    Set(i, double{a0}, geometry_.GradientOf(double{a0}, double{a1}, double{a2}));
  }

 private:
  void Set(uint32_t i, double origin, const Gradient& gradient) {
    planes_.origin[i] = origin;
    planes_.gradient_x[i] = gradient.x;
    planes_.gradient_y[i] = gradient.y;
    planes_.step_x[i] = static_cast<float>(gradient.x);
    planes_.step_y[i] = static_cast<float>(gradient.y);
  }

  const TriangleGeometry& geometry_;
  Triangle& triangle_;
  Planes planes_;
};

void SetEdges(std::array<FixedPoint, 3> p, Triangle& triangle) {
  if (triangle.is_front == 0) std::swap(p[1], p[2]);
  for (size_t i = 0; i < 3; ++i) {
    const FixedPoint& a = p[i];
    const FixedPoint& b = p[(i + 1) % 3];
    const int64_t dx = b.x - a.x;
    const int64_t dy = b.y - a.y;
    const bool is_top_left = (dy == 0 && dx > 0) || dy < 0;
    triangle.corner[i] = (dy * a.x - dx * a.y - (is_top_left ? 0 : 1)) >> 8;
    triangle.dx[i] = static_cast<int32_t>(dx);
    triangle.dy[i] = static_cast<int32_t>(dy);
  }
}

}  // namespace

bool TriangleSetup::IsCulled(int64_t area2) const {
  const raster::RasterState& state = draw_->plan.raster;
  return area2 == 0 || (area2 > 0 ? state.culls_clockwise : state.culls_counter_clockwise);
}

void TriangleSetup::Polygon(const raster::ScreenVertex* vertices, uint32_t count,
                            uint32_t /*edges*/) {
  if (count < 3 || count > kMaxVertices || work_->is_spent()) return;
  std::array<FixedPoint, kMaxVertices> points;
  for (uint32_t i = 0; i < count; ++i) {
    const std::optional<FixedPoint> point = raster::Snap(vertices[i]);
    if (!point) return;
    points[i] = *point;
  }
  for (uint32_t i = 1; i + 1 < count; ++i) {
    const std::array<FixedPoint, 3> corners = {points[0], points[i], points[i + 1]};
    const int64_t area2 = raster::Area2(corners[0], corners[1], corners[2]);
    if (!IsCulled(area2)) Add({&vertices[0], &vertices[i], &vertices[i + 1]}, corners, area2);
  }
}

// Pixels whose centre may be inside; false where there are none.
bool TriangleSetup::SetBounds(const std::array<FixedPoint, 3>& p, Triangle& triangle) {
  const auto [min_x, max_x] = std::minmax({p[0].x, p[1].x, p[2].x});
  const auto [min_y, max_y] = std::minmax({p[0].y, p[1].y, p[2].y});
  const raster::PixelRect bounds = raster::Intersect(
      draw_->plan.raster.clip,
      {raster::CeilDiv(min_x, kSubpixels), raster::CeilDiv(min_y, kSubpixels),
       raster::FloorDiv(max_x, kSubpixels) + 1, raster::FloorDiv(max_y, kSubpixels) + 1});
  if (bounds.empty()) return false;
  triangle.left = static_cast<int32_t>(bounds.left);
  triangle.top = static_cast<int32_t>(bounds.top);
  triangle.right = static_cast<int32_t>(bounds.right);
  triangle.bottom = static_cast<int32_t>(bounds.bottom);
  return true;
}

void TriangleSetup::Add(const TriangleVertices& vertices, const std::array<FixedPoint, 3>& points,
                        int64_t area2) {
  const DrawQueue::Mark mark = queue_->mark();
  Triangle& triangle = queue_->AllocateTriangle(draw_->padded);
  if (!SetBounds(points, triangle)) return queue_->TakeBack(mark);
  // One block more on each side than the bounds have: what the reference may examine.
  const auto columns = static_cast<uint64_t>((triangle.right - triangle.left) / kBlockSize + 3);
  const auto rows = static_cast<uint64_t>((triangle.bottom - triangle.top) / kBlockSize + 3);
  if (!work_->Spend(columns * rows * (1 + kQuadsOfBlock * (1 + draw_->code->steps)))) return;
  triangle.is_front = area2 > 0 ? 1 : 0;
  SetEdges(points, triangle);
  const TriangleGeometry geometry(points);
  triangle.x0 = Pixels(points[0].x);
  triangle.y0 = Pixels(points[0].y);
  if (draw_->quantizes) SetDepth(vertices, geometry, triangle);
  SetComponents(vertices, geometry, triangle);
  queue_->Bin(triangle);
  ++count_;
}

void TriangleSetup::SetDepth(const TriangleVertices& v, const TriangleGeometry& geometry,
                             Triangle& triangle) const {
  const raster::DepthRule& rule = draw_->plan.raster.depth;
  Gradient z;
  if (!AreIdentical(v[0]->z, v[1]->z, v[2]->z))
    z = geometry.GradientOf(double{v[0]->z}, double{v[1]->z}, double{v[2]->z});
  const double slope = raster::Max(Magnitude(z.x), Magnitude(z.y));
  const double slope_term = slope == 0 ? 0 : slope * rule.slope_bias;
  triangle.z0 = double{v[0]->z};
  triangle.zx = z.x;
  triangle.zy = z.y;
  triangle.bias = (rule.depth_bias + slope_term) + rule.z_bias;
  triangle.scaled_x = z.x * rule.scale;
  triangle.scaled_y = z.y * rule.scale;
}

// The three cases of 1.3.
void TriangleSetup::SetComponents(const TriangleVertices& v, const TriangleGeometry& geometry,
                                  Triangle& triangle) const {
  triangle.constant = triangle.perspective = 0;
  const float rhw[3] = {v[0]->rhw, v[1]->rhw, v[2]->rhw};
  const bool is_affine = AreIdentical(rhw[0], rhw[1], rhw[2]);
  ComponentWriter writer(geometry, triangle, draw_->padded);
  if (is_affine) {
    writer.SetConstant(0, rhw[0]);
  } else {
    writer.SetPlane(0, rhw[0], rhw[1], rhw[2]);
  }
  const raster::FogSource fog = draw_->plan.raster.fog;
  uint32_t i = 1;
  for (const PixelInput& component : draw_->components) {
    const float a[3] = {ValueOf(*v[0], component, fog), ValueOf(*v[1], component, fog),
                        ValueOf(*v[2], component, fog)};
    const bool is_perspective =
        component.slot == kFogSlot
            ? fog == raster::FogSource::kFactor
            : (draw_->plan.outputs.perspective_mask >> component.slot & 1U) != 0;
    if (AreIdentical(a[0], a[1], a[2])) {
      writer.SetConstant(i, a[0]);
    } else if (is_affine || !is_perspective) {
      writer.SetPlane(i, a[0], a[1], a[2]);
    } else {
      triangle.perspective |= uint64_t{1} << i;
      writer.SetPlane(i, a[0] * rhw[0], a[1] * rhw[1], a[2] * rhw[2]);
    }
    ++i;
  }
  triangle.has_perspective = triangle.perspective != 0 ? 1 : 0;
  for (; i < draw_->padded; ++i)
    writer.SetConstant(i, 0.0F);
}

}  // namespace dp2trace::fast
