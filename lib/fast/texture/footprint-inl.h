// Where pixels sample: coordinates, or the face that a direction points to, and what they change by to the next pixel. Included once for
// each target. Source: lib/raster/rendering-texture.md 3.4 and 3.6.
#if defined(DP2TRACE_FAST_FOOTPRINT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DP2TRACE_FAST_FOOTPRINT_INL_H_
#undef DP2TRACE_FAST_FOOTPRINT_INL_H_
#else
#define DP2TRACE_FAST_FOOTPRINT_INL_H_
#endif

#include <hwy/highway.h>

#include "fast/machine/lanes-inl.h"
#include "fast/texture/lod-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

struct Footprint {
  VF at[3];
  VF dx[3], dy[3];
  VI face;

  // Written out: an implicit one would not be compiled for the instruction set.
  HWY_INLINE Footprint() {}
};

struct Direction {
  VF c[3];

  HWY_INLINE Direction() {}
};

// The face of a direction: the axis of largest magnitude, z before y before x (3.6).
class CubeFace {
 public:
  HWY_INLINE explicit CubeFace(const Direction& direction) {
    const F32 d;
    const VF x = hn::Abs(direction.c[0]);
    const VF y = hn::Abs(direction.c[1]);
    const VF z = hn::Abs(direction.c[2]);
    is_z_ = hn::And(hn::Ge(z, y), hn::Ge(z, x));
    is_y_ = hn::AndNot(is_z_, hn::Ge(y, x));
    is_negative_ = hn::Lt(Major(direction), hn::Zero(d));
  }

  HWY_INLINE VI number() const {
    const F32 d;
    const VF axis =
        hn::IfThenElse(is_z_, hn::Set(d, 4.0F), hn::IfThenElseZero(is_y_, hn::Set(d, 2.0F)));
    return TruncateTo(I32(), hn::Add(axis, hn::IfThenElseZero(is_negative_, hn::Set(d, 1.0F))));
  }

  // u and v of a direction on this face, whether or not it points there.
  HWY_INLINE void Coordinates(const Direction& direction, VF& u, VF& v) const {
    const F32 d;
    const VF x = direction.c[0];
    const VF y = direction.c[1];
    const VF z = direction.c[2];
    const VF along_x = hn::IfThenElse(is_negative_, z, hn::Neg(z));
    const VF along_z = hn::IfThenElse(is_negative_, hn::Neg(x), x);
    u = hn::IfThenElse(is_z_, along_z, hn::IfThenElse(is_y_, x, along_x));
    v = hn::IfThenElse(is_y_, hn::IfThenElse(is_negative_, hn::Neg(z), z), hn::Neg(y));
    const VF major = hn::Abs(Major(direction));
    const auto is_none = hn::Eq(major, hn::Zero(d));
    const auto on_face = [&](VF component) {
      const VF moved = hn::Add(hn::Div(component, major), hn::Set(d, 1.0F));
      return hn::IfThenElse(is_none, hn::Set(d, 0.5F), hn::Mul(moved, hn::Set(d, 0.5F)));
    };
    u = on_face(u);
    v = on_face(v);
  }

 private:
  HWY_INLINE VF Major(const Direction& direction) const {
    return hn::IfThenElse(is_z_, direction.c[2],
                          hn::IfThenElse(is_y_, direction.c[1], direction.c[0]));
  }

  hn::Mask<F32> is_z_, is_y_, is_negative_;
};

// Of the lanes of a vector from `lane` on.
class FootprintRule {
 public:
  FootprintRule(const Block* from, const LodRule& rule, size_t lane)
      : from_(from), rule_(rule), lane_(lane) {}

  HWY_INLINE Footprint OfPlane() const {
    Footprint footprint;
    footprint.face = hn::Zero(I32());
    for (uint32_t i = 0; i < 3; ++i) {
      const float* values = from_[i].lanes.data();
      footprint.at[i] = hn::Load(F32(), values + lane_);
      footprint.dx[i] =
          rule_.has_gradients() ? rule_.GradientX(i, lane_) : ColumnDifference(values, lane_);
      footprint.dy[i] =
          rule_.has_gradients() ? rule_.GradientY(i, lane_) : RowDifference(F32(), values, lane_);
    }
    return footprint;
  }

  // All directions of a quad on the face of the lane. Unspecified: gradients of directions; chosen: the difference that they make there.
  HWY_INLINE Footprint OfCube() const {
    const F32 d;
    const Direction own = At([&](const float* values) { return hn::Load(d, values + lane_); });
    const CubeFace face(own);
    Footprint footprint;
    footprint.face = face.number();
    face.Coordinates(own, footprint.at[0], footprint.at[1]);
    footprint.at[2] = footprint.dx[2] = footprint.dy[2] = hn::Zero(d);
    if (rule_.has_gradients()) {
      Direction by_x;
      Direction by_y;
      for (uint32_t i = 0; i < 3; ++i) {
        by_x.c[i] = hn::Add(own.c[i], rule_.GradientX(i, lane_));
        by_y.c[i] = hn::Add(own.c[i], rule_.GradientY(i, lane_));
      }
      SetChange(face, own, by_x, footprint.dx);
      SetChange(face, own, by_y, footprint.dy);
      return footprint;
    }
    const auto row = [&](const float* values) { return hn::Load(d, values + lane_); };
    SetChange(face, At([&](const float* v) { return hn::DupEven(row(v)); }),
              At([&](const float* v) { return hn::DupOdd(row(v)); }), footprint.dx);
    SetChange(face, At([&](const float* v) { return Row(d, v, lane_, 0); }),
              At([&](const float* v) { return Row(d, v, lane_, 8); }), footprint.dy);
    return footprint;
  }

 private:
  template <class Function>
  HWY_INLINE Direction At(const Function& function) const {
    Direction direction;
    for (size_t i = 0; i < 3; ++i)
      direction.c[i] = function(from_[i].lanes.data());
    return direction;
  }

  // The upper (0) or lower (8) row of the quads of the lanes from `lane` on.
  template <class D>
  HWY_INLINE static hn::Vec<D> Row(D d, const float* values, size_t lane, size_t row) {
    if constexpr (hn::MaxLanes(D()) == 16) {
      const hn::Half<D> half;
      const auto one = hn::Load(half, values + lane + row);
      return hn::Combine(d, one, one);
    } else {
      return hn::Load(d, values + (lane & ~size_t{8}) + row);
    }
  }

  HWY_INLINE static void SetChange(const CubeFace& face, const Direction& from, const Direction& to,
                                   VF (&change)[3]) {
    VF u0, v0, u1, v1;
    face.Coordinates(from, u0, v0);
    face.Coordinates(to, u1, v1);
    change[0] = hn::Sub(u1, u0);
    change[1] = hn::Sub(v1, v0);
  }

  const Block* from_;
  const LodRule& rule_;
  const size_t lane_;
};

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
