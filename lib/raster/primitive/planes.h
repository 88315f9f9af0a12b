// Attributes and depth of a triangle as plane equations, based at the corner of the fixed 8x8 block that holds the pixel.
// Source: lib/raster/rendering-geometry.md 1.3, 1.8 and 1.9 (binding to the last bit).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "raster/pixel/output.h"
#include "raster/primitive/raster_state.h"

namespace dp2trace::raster {

inline constexpr int32_t kBlockSize = 8;

// In the order of the driver interface.
using TriangleVertices = std::array<const ScreenVertex*, 3>;

struct Gradient {
  double x = 0, y = 0;
};

// The snapped positions. The area is not 0.
class TriangleGeometry {
 public:
  explicit TriangleGeometry(const std::array<FixedPoint, 3>& points);
  Gradient GradientOf(double a0, double a1, double a2) const;
  // a0 at vertex 0, carried to the block corner.
  double AtCorner(double a0, const Gradient& gradient, int32_t x, int32_t y) const {
    return (a0 + gradient.x * (static_cast<double>(x) - x0_)) +
           gradient.y * (static_cast<double>(y) - y0_);
  }

 private:
  double x0_, y0_, dx1_, dy1_, dx2_, dy2_, rdet_;
};

// One number that is linear on screen.
struct Plane {
  double origin = 0;
  Gradient gradient;
  float x_step = 0, y_step = 0, base = 0;

  Plane() = default;
  Plane(const TriangleGeometry& geometry, float a0, float a1, float a2);
  void MoveTo(const TriangleGeometry& geometry, int32_t x, int32_t y) {
    base = static_cast<float>(geometry.AtCorner(origin, gradient, x, y));
  }
  // Pixels from the corner of the block.
  float At(float x, float y) const { return (base + x_step * x) + y_step * y; }
};

// Varyings and fog of a triangle.
class AttributePlanes {
 public:
  AttributePlanes(const RasterState& state, const TriangleVertices& vertices,
                  const TriangleGeometry& geometry);
  // To the block with this corner.
  void MoveTo(int32_t x, int32_t y);
  // All four lanes of the quad at this offset from the corner.
  void Evaluate(int32_t x, int32_t y, FragmentQuad& out) const;
  // The slots of the mask in one lane again, at this place from the corner.
  void EvaluateSlots(uint32_t slots, uint32_t lane, float x, float y, FragmentQuad& out) const;

 private:
  enum class Kind : uint8_t { kConstant, kAffine, kPerspective };
  struct Component {
    Plane plane;  // of a * rhw where perspective
    float constant = 0;
    Kind kind = Kind::kConstant;
    uint8_t slot = 0;  // kVaryingCount: fog
    uint8_t index = 0;
  };
  float InverseRhw(float x, float y) const {
    return 1.0F / (is_affine_ ? rhw_[0] : rhw_plane_.At(x, y));
  }
  static float ValueOf(const Component& component, float x, float y, float w) {
    if (component.kind == Kind::kConstant) return component.constant;
    const float value = component.plane.At(x, y);
    return component.kind == Kind::kPerspective ? value * w : value;
  }
  void Add(const std::array<float, 3>& a, bool is_perspective, uint32_t slot, uint32_t index);
  void AddFog(const TriangleVertices& vertices);

  const RasterState* state_;
  const TriangleGeometry* geometry_;
  std::array<float, 3> rhw_;
  bool is_affine_;
  Plane rhw_plane_;
  std::array<Component, 4 * kVaryingCount + 1> components_;
  uint32_t count_ = 0;
};

// The depth of a triangle with its bias.
class DepthPlane {
 public:
  DepthPlane(const DepthRule& rule, const TriangleVertices& vertices,
             const TriangleGeometry& geometry);
  double bias() const { return bias_; }
  void MoveTo(int32_t x, int32_t y);
  // The stored integer at an offset in pixels from the corner; nothing where z is clipped. Only where depth is tested.
  std::optional<uint32_t> At(double x, double y) const;

 private:
  double WAt(double x, double y) const;

  const DepthRule* rule_;
  const TriangleGeometry* geometry_;
  double z0_, rhw0_;
  Gradient z_, rhw_, scaled_;
  double bias_ = 0;
  double raw_base_ = 0, scaled_base_ = 0, rhw_base_ = 0;
};

// Clamps the colours of a lane where the draw wants it. Source: lib/raster/rendering-geometry.md 1.3, last sentence.
void ClampColors(const VertexOutputs& outputs, Quad& quad, uint32_t lane);

}  // namespace dp2trace::raster
