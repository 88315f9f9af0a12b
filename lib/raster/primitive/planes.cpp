#include "raster/primitive/planes.h"

#include <bit>
#include <cmath>

#include "image/depth.h"

namespace dp2trace::raster {
namespace {

bool AreIdentical(const std::array<float, 3>& a) {
  const auto bits = std::bit_cast<uint32_t>(a[0]);
  return bits == std::bit_cast<uint32_t>(a[1]) && bits == std::bit_cast<uint32_t>(a[2]);
}

double Magnitude(double x) {
  return x < 0 ? -x : x;
}

double Pixels(int64_t fixed) {
  return static_cast<double>(fixed) / 256.0;
}

Gradient GradientOf(const TriangleGeometry& geometry, const std::array<float, 3>& a) {
  if (AreIdentical(a)) return {};
  return geometry.GradientOf(double{a[0]}, double{a[1]}, double{a[2]});
}

}  // namespace

TriangleGeometry::TriangleGeometry(const std::array<FixedPoint, 3>& points)
    : x0_(Pixels(points[0].x)),
      y0_(Pixels(points[0].y)),
      dx1_(Pixels(points[1].x) - x0_),
      dy1_(Pixels(points[1].y) - y0_),
      dx2_(Pixels(points[2].x) - x0_),
      dy2_(Pixels(points[2].y) - y0_),
      rdet_(1.0 / (dx1_ * dy2_ - dx2_ * dy1_)) {}

Gradient TriangleGeometry::GradientOf(double a0, double a1, double a2) const {
  return {((a1 - a0) * dy2_ - (a2 - a0) * dy1_) * rdet_,
          ((a2 - a0) * dx1_ - (a1 - a0) * dx2_) * rdet_};
}

Plane::Plane(const TriangleGeometry& geometry, float a0, float a1, float a2)
    : origin(double{a0}), gradient(geometry.GradientOf(double{a0}, double{a1}, double{a2})) {
  x_step = static_cast<float>(gradient.x);
  y_step = static_cast<float>(gradient.y);
}

AttributePlanes::AttributePlanes(const RasterState& state, const TriangleVertices& vertices,
                                 const TriangleGeometry& geometry)
    : state_(&state),
      geometry_(&geometry),
      rhw_({vertices[0]->rhw, vertices[1]->rhw, vertices[2]->rhw}),
      is_affine_(AreIdentical(rhw_)) {
  if (!is_affine_) rhw_plane_ = Plane(geometry, rhw_[0], rhw_[1], rhw_[2]);
  const VertexOutputs& outputs = state.outputs;
  for (uint32_t slot = 0; slot < kVaryingCount; ++slot) {
    if ((outputs.varying_mask >> slot & 1U) == 0) continue;
    const bool is_perspective = (outputs.perspective_mask >> slot & 1U) != 0;
    for (uint32_t i = 0; i < 4; ++i) {
      Add({vertices[0]->varyings[slot][i], vertices[1]->varyings[slot][i],
           vertices[2]->varyings[slot][i]},
          is_perspective, slot, i);
    }
  }
  AddFog(vertices);
}

void AttributePlanes::AddFog(const TriangleVertices& v) {
  switch (state_->fog) {
    case FogSource::kFactor:
      return Add({v[0]->fog, v[1]->fog, v[2]->fog}, true, kVaryingCount, 0);
    case FogSource::kZ:
      return Add({v[0]->z, v[1]->z, v[2]->z}, false, kVaryingCount, 0);
    // 1 / rhw is the perspective form of the attribute w, whose a * rhw is 1 everywhere.
    case FogSource::kW:
    case FogSource::kNone:
      break;
  }
}

void AttributePlanes::Add(const std::array<float, 3>& a, bool is_perspective, uint32_t slot,
                          uint32_t index) {
  Component& component = components_[count_++];
  component.slot = static_cast<uint8_t>(slot);
  component.index = static_cast<uint8_t>(index);
  if (AreIdentical(a)) {
    component.kind = Kind::kConstant;
    component.constant = a[0];
  } else if (is_affine_ || !is_perspective) {
    component.kind = Kind::kAffine;
    component.plane = Plane(*geometry_, a[0], a[1], a[2]);
  } else {
    component.kind = Kind::kPerspective;
    component.plane = Plane(*geometry_, a[0] * rhw_[0], a[1] * rhw_[1], a[2] * rhw_[2]);
  }
}

void AttributePlanes::MoveTo(int32_t x, int32_t y) {
  if (!is_affine_) rhw_plane_.MoveTo(*geometry_, x, y);
  for (uint32_t i = 0; i < count_; ++i) {
    if (components_[i].kind != Kind::kConstant) components_[i].plane.MoveTo(*geometry_, x, y);
  }
}

void AttributePlanes::Evaluate(int32_t x, int32_t y, FragmentQuad& out) const {
  for (uint32_t lane = 0; lane < kLaneCount; ++lane) {
    const auto px = static_cast<float>(x + static_cast<int32_t>(lane & 1U));
    const auto py = static_cast<float>(y + static_cast<int32_t>(lane >> 1U));
    const float w = InverseRhw(px, py);
    for (uint32_t i = 0; i < count_; ++i) {
      const Component& component = components_[i];
      const float value = ValueOf(component, px, py, w);
      if (component.slot == kVaryingCount) {
        out.fog[lane] = value;
      } else {
        out.quad.varyings[component.slot][lane][component.index] = value;
      }
    }
    if (state_->fog == FogSource::kW) out.fog[lane] = w;
    ClampColors(state_->outputs, out.quad, lane);
  }
}

void AttributePlanes::EvaluateSlots(uint32_t slots, uint32_t lane, float x, float y,
                                    FragmentQuad& out) const {
  const float w = InverseRhw(x, y);
  for (uint32_t i = 0; i < count_; ++i) {
    const Component& component = components_[i];
    const bool is_wanted = component.slot < kVaryingCount && (slots >> component.slot & 1U) != 0;
    if (is_wanted)
      out.quad.varyings[component.slot][lane][component.index] = ValueOf(component, x, y, w);
  }
  ClampColors(state_->outputs, out.quad, lane);
}

DepthPlane::DepthPlane(const DepthRule& rule, const TriangleVertices& vertices,
                       const TriangleGeometry& geometry)
    : rule_(&rule),
      geometry_(&geometry),
      z0_(double{vertices[0]->z}),
      rhw0_(double{vertices[0]->rhw}),
      z_(GradientOf(geometry, {vertices[0]->z, vertices[1]->z, vertices[2]->z})),
      rhw_(GradientOf(geometry, {vertices[0]->rhw, vertices[1]->rhw, vertices[2]->rhw})),
      scaled_({z_.x * rule.scale, z_.y * rule.scale}) {
  const double slope = Max(Magnitude(z_.x), Magnitude(z_.y));
  const double slope_term = slope == 0 ? 0 : slope * rule.slope_bias;
  bias_ = (rule.depth_bias + slope_term) + rule.z_bias;
}

void DepthPlane::MoveTo(int32_t x, int32_t y) {
  raw_base_ = geometry_->AtCorner(z0_, z_, x, y);
  scaled_base_ = (raw_base_ + bias_) * rule_->scale;
  rhw_base_ = geometry_->AtCorner(rhw0_, rhw_, x, y);
}

// Source: lib/raster/rendering-geometry.md 1.8; the bias is in the normalised unit.
double DepthPlane::WAt(double x, double y) const {
  const double rhw = (rhw_base_ + rhw_.x * x) + rhw_.y * y;
  return (1.0 / rhw - rule_->w_near) / (rule_->w_far - rule_->w_near) + bias_;
}

std::optional<uint32_t> DepthPlane::At(double x, double y) const {
  if (rule_->clips_z) {
    const double raw = (raw_base_ + z_.x * x) + z_.y * y;
    if (!(raw >= 0.0 && raw <= 1.0)) return std::nullopt;
  }
  if (rule_->uses_w) return image::QuantizeDepth(*rule_->format, WAt(x, y));
  const double scaled = (scaled_base_ + scaled_.x * x) + scaled_.y * y;
  if (rule_->is_float) return image::QuantizeDepth(*rule_->format, scaled);
  const double clamped = Min(Max(scaled, 0.0), rule_->scale);
  return static_cast<uint32_t>(std::floor(clamped + 0.5));  // below 2^32
}

void ClampColors(const VertexOutputs& outputs, Quad& quad, uint32_t lane) {
  if (!outputs.clamps_colors) return;
  for (const uint32_t slot : {kDiffuseSlot, kSpecularSlot}) {
    if ((outputs.varying_mask >> slot & 1U) == 0) continue;
    quad.varyings[slot][lane] = Saturate(quad.varyings[slot][lane]);
  }
}

}  // namespace dp2trace::raster
