// Setup of triangles: bounds, coverage of small ones, depth and attribute planes. Source: lib/raster/rendering-geometry.md 1.2, 1.3 and 1.9.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/tile/kernels_setup.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "fast/machine/lanes-inl.h"
#include "fast/tile/draw_queue.h"
#include "fast/tile/raster_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

using I8 = hn::CappedTag<int32_t, 8>;
using VI8 = hn::Vec<I8>;
using D4 = hn::CappedTag<double, 4>;
using D8 = hn::CappedTag<double, 8>;
using VD8 = hn::Vec<D8>;

alignas(64) constexpr int32_t kColumns[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
alignas(64) constexpr int32_t kRows[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};

// Edges at the first pixel of the window of a small triangle, as Edges has them.
struct alignas(64) WindowEdges {
  std::array<TriangleBatch::Row<int32_t>, 3> start, dx, dy;
};

// Everything in numbers of 32 bits: of small triangles they are exact, those of others are not used.
HWY_INLINE void SetBounds(const BatchRule& rule, TriangleBatch& batch, WindowEdges& edges) {
  const I8 d;
  const auto low = [](VI8 a, VI8 b, VI8 c) { return hn::Min(hn::Min(a, b), c); };
  const auto high = [](VI8 a, VI8 b, VI8 c) { return hn::Max(hn::Max(a, b), c); };
  for (size_t at = 0; at < TriangleBatch::kSize; at += hn::Lanes(d)) {
    VI8 x[3];
    VI8 y[3];
    for (size_t i = 0; i < 3; ++i) {
      x[i] = hn::Load(d, &batch.x[i][at]);
      y[i] = hn::Load(d, &batch.y[i][at]);
    }
    const VI8 min_x = low(x[0], x[1], x[2]);
    const VI8 max_x = high(x[0], x[1], x[2]);
    const VI8 min_y = low(y[0], y[1], y[2]);
    const VI8 max_y = high(y[0], y[1], y[2]);
    const VI8 almost = hn::Set(d, 255);
    const VI8 one = hn::Set(d, 1);
    const PixelBounds& limit = rule.bounds;
    const VI8 left = hn::Max(hn::ShiftRight<8>(hn::Add(min_x, almost)), hn::Set(d, limit.left));
    const VI8 top = hn::Max(hn::ShiftRight<8>(hn::Add(min_y, almost)), hn::Set(d, limit.top));
    const VI8 right = hn::Min(hn::Add(hn::ShiftRight<8>(max_x), one), hn::Set(d, limit.right));
    const VI8 bottom = hn::Min(hn::Add(hn::ShiftRight<8>(max_y), one), hn::Set(d, limit.bottom));
    hn::Store(left, d, &batch.left[at]);
    hn::Store(top, d, &batch.top[at]);
    hn::Store(right, d, &batch.right[at]);
    hn::Store(bottom, d, &batch.bottom[at]);
    const VI8 start_x = hn::AndNot(one, left);
    const VI8 start_y = hn::AndNot(one, top);
    const VI8 widest = hn::Set(d, 16 * 256);
    const VI8 block = hn::Set(d, kBlockSize);
    const auto is_short =
        hn::And(hn::Lt(hn::Sub(max_x, min_x), widest), hn::Lt(hn::Sub(max_y, min_y), widest));
    const auto is_long =
        hn::Or(hn::Gt(hn::Sub(right, start_x), block), hn::Gt(hn::Sub(bottom, start_y), block));
    hn::Store(hn::VecFromMask(d, hn::AndNot(is_long, is_short)), d, &batch.is_small[at]);
    for (size_t i = 0; i < 3; ++i) {
      x[i] = hn::Sub(x[i], hn::ShiftLeft<8>(start_x));
      y[i] = hn::Sub(y[i], hn::ShiftLeft<8>(start_y));
    }
    const VI8 area = hn::Sub(hn::Mul(hn::Sub(x[1], x[0]), hn::Sub(y[2], y[0])),
                             hn::Mul(hn::Sub(x[2], x[0]), hn::Sub(y[1], y[0])));
    const VI8 zero = hn::Zero(d);
    const auto is_front = hn::Gt(area, zero);
    const auto order = [&](VI8(&c)[3]) {
      const VI8 second = hn::IfThenElse(is_front, c[1], c[2]);
      c[2] = hn::IfThenElse(is_front, c[2], c[1]);
      c[1] = second;
    };
    order(x);
    order(y);
    for (size_t i = 0; i < 3; ++i) {
      const VI8 dx = hn::Sub(x[(i + 1) % 3], x[i]);
      const VI8 dy = hn::Sub(y[(i + 1) % 3], y[i]);
      const auto is_top_left =
          hn::Or(hn::And(hn::Eq(dy, zero), hn::Gt(dx, zero)), hn::Lt(dy, zero));
      const VI8 e = hn::Sub(hn::Sub(hn::Mul(dy, x[i]), hn::Mul(dx, y[i])),
                            hn::IfThenZeroElse(is_top_left, one));
      hn::Store(hn::ShiftRight<8>(e), d, &edges.start[i][at]);
      hn::Store(dx, d, &edges.dx[i][at]);
      hn::Store(dy, d, &edges.dy[i][at]);
    }
  }
}

// Pixels of the window that are in the bounds.
HWY_INLINE uint64_t BoundsMask(const TriangleBatch& batch, size_t n) {
  const int32_t x = batch.left[n] & ~1;
  const int32_t y = batch.top[n] & ~1;
  constexpr uint64_t kEveryRow = 0x0101010101010101;
  const uint64_t columns =
      (uint64_t{1} << (batch.right[n] - x)) - (uint64_t{1} << (batch.left[n] - x));
  const uint64_t rows = (kAllLanes << (8 * (batch.top[n] - y))) &
                        (kAllLanes >> (8 * (kBlockSize - (batch.bottom[n] - y))));
  return (columns * kEveryRow) & rows;
}

HWY_INLINE uint64_t CoverWindow(const WindowEdges& edges, size_t n, int32_t rows) {
  const I32 d;
  constexpr size_t kRowsOfVector = hn::MaxLanes(I32()) == 16 ? 2 : 1;
  uint64_t outside = 0;
  for (size_t column = 0; column < 8; column += hn::Lanes(d)) {
    VI e[3];
    VI step[3];
    for (size_t i = 0; i < 3; ++i) {
      const VI dx = hn::Set(d, edges.dx[i][n]);
      const VI across = hn::Mul(hn::Set(d, edges.dy[i][n]), hn::Load(d, kColumns + column));
      e[i] = hn::Sub(hn::Set(d, edges.start[i][n]), across);
      step[i] = dx;
      if constexpr (kRowsOfVector == 2) {
        e[i] = hn::Add(e[i], hn::And(dx, hn::Neg(hn::Load(d, kRows))));
        step[i] = hn::Add(dx, dx);
      }
    }
    // Where a vector has two rows all eight are looked at: that costs less than a jump that nobody foresees.
    const int32_t end = kRowsOfVector == 2 ? kBlockSize : rows;
    for (int32_t row = 0; row < end; row += static_cast<int32_t>(kRowsOfVector)) {
      const VI any = hn::Or(hn::Or(e[0], e[1]), e[2]);
      for (size_t i = 0; i < 3; ++i)
        e[i] = hn::Add(e[i], step[i]);
      outside |= BitsOf(d, hn::Lt(any, hn::Zero(d))) << (static_cast<size_t>(8 * row) + column);
    }
  }
  return ~outside;
}

HWY_INLINE void SetDepth(const BatchRule& rule, TriangleBatch& batch) {
  const D8 d;
  const hn::Rebind<int32_t, D8> di;
  const hn::Rebind<float, D8> df;
  const VD8 pixel = hn::Set(d, 1.0 / 256.0);
  const auto same = [&](size_t i, size_t at) {
    return hn::BitCast(di, hn::LoadU(df, &batch.z[i][at]));
  };
  const auto magnitude = [&](VD8 x) { return hn::AndNot(hn::Set(d, -0.0), x); };
  for (size_t at = 0; at < TriangleBatch::kSize; at += hn::Lanes(d)) {
    const auto pixels = [&](const TriangleBatch::Row<int32_t>& row) {
      return hn::Mul(hn::PromoteTo(d, hn::LoadU(di, &row[at])), pixel);
    };
    const VD8 x0 = pixels(batch.x[0]);
    const VD8 y0 = pixels(batch.y[0]);
    const VD8 dx1 = hn::Sub(pixels(batch.x[1]), x0);
    const VD8 dy1 = hn::Sub(pixels(batch.y[1]), y0);
    const VD8 dx2 = hn::Sub(pixels(batch.x[2]), x0);
    const VD8 dy2 = hn::Sub(pixels(batch.y[2]), y0);
    const VD8 det = hn::Sub(hn::Mul(dx1, dy2), hn::Mul(dx2, dy1));
    const VD8 rdet = hn::Div(hn::Set(d, 1.0), det);
    const auto store = [&](VD8 values, TriangleBatch::Row<double>& row) {
      hn::StoreU(values, d, &row[at]);
    };
    store(x0, batch.x0);
    store(y0, batch.y0);
    store(dx1, batch.dx1);
    store(dy1, batch.dy1);
    store(dx2, batch.dx2);
    store(dy2, batch.dy2);
    store(det, batch.det);
    store(rdet, batch.rdet);
    const VD8 z0 = hn::PromoteTo(d, hn::LoadU(df, &batch.z[0][at]));
    const VD8 d1 = hn::Sub(hn::PromoteTo(d, hn::LoadU(df, &batch.z[1][at])), z0);
    const VD8 d2 = hn::Sub(hn::PromoteTo(d, hn::LoadU(df, &batch.z[2][at])), z0);
    // Equal bits: the gradient is 0, whatever the numbers are.
    const auto is_flat =
        hn::And(hn::Eq(same(0, at), same(1, at)), hn::Eq(same(0, at), same(2, at)));
    const auto flat = hn::MaskFromVec(
        hn::BitCast(d, hn::PromoteTo(hn::Rebind<int64_t, D8>(), hn::VecFromMask(di, is_flat))));
    const VD8 zx =
        hn::IfThenZeroElse(flat, hn::Mul(hn::Sub(hn::Mul(d1, dy2), hn::Mul(d2, dy1)), rdet));
    const VD8 zy =
        hn::IfThenZeroElse(flat, hn::Mul(hn::Sub(hn::Mul(d2, dx1), hn::Mul(d1, dx2)), rdet));
    const VD8 slope = Max5(magnitude(zx), magnitude(zy));
    const VD8 slope_term =
        hn::IfThenZeroElse(hn::Eq(slope, hn::Zero(d)), hn::Mul(slope, hn::Set(d, rule.slope_bias)));
    store(zx, batch.zx);
    store(zy, batch.zy);
    store(hn::Add(hn::Add(hn::Set(d, rule.depth_bias), slope_term), hn::Set(d, rule.z_bias)),
          batch.bias);
    store(hn::Mul(zx, hn::Set(d, rule.scale)), batch.scaled_x);
    store(hn::Mul(zy, hn::Set(d, rule.scale)), batch.scaled_y);
  }
}

void SetUp(const BatchRule& rule, uint32_t count, TriangleBatch& batch) {
  WindowEdges edges;
  SetBounds(rule, batch, edges);
  SetDepth(rule, batch);
  for (size_t n = 0; n < count; ++n) {
    batch.mask[n] = 0;
    const bool is_empty = batch.left[n] >= batch.right[n] || batch.top[n] >= batch.bottom[n];
    if (is_empty || batch.is_small[n] == 0) continue;
    batch.mask[n] =
        BoundsMask(batch, n) & CoverWindow(edges, n, batch.bottom[n] - (batch.top[n] & ~1));
  }
}

// Components i and on, as many as a vector has; gives bits of those that are constant. Source: lib/raster/rendering-geometry.md 1.3, three cases per component. What is
// constant keeps its bits: a sum with -0 keeps every number.
template <class D>
HWY_INLINE uint64_t SetPlanesAt(D d, const PlaneSetup& setup,
                                const std::array<const float*, 3>& corners, size_t i,
                                const Planes& planes) {
  const hn::Rebind<float, D> df;
  const hn::Rebind<int32_t, D> di;
  const auto dx1 = hn::Set(d, setup.dx1);
  const auto dy1 = hn::Set(d, setup.dy1);
  const auto dx2 = hn::Set(d, setup.dx2);
  const auto dy2 = hn::Set(d, setup.dy2);
  const auto rdet = hn::Set(d, setup.rdet);
  const auto negative_zero = hn::Set(df, -0.0F);
  auto f0 = hn::LoadU(df, corners[0] + i);
  auto f1 = hn::LoadU(df, corners[1] + i);
  auto f2 = hn::LoadU(df, corners[2] + i);
  const auto bits0 = hn::BitCast(di, f0);
  const auto flat_bits = static_cast<uint8_t>(setup.flat >> i);
  const auto perspective_bits = static_cast<uint8_t>(setup.perspective >> i);
  const auto is_same =
      hn::And(hn::Eq(bits0, hn::BitCast(di, f1)), hn::Eq(bits0, hn::BitCast(di, f2)));
  const auto is_constant = hn::RebindMask(df, hn::Or(is_same, hn::LoadMaskBits(di, &flat_bits)));
  const auto is_perspective = hn::AndNot(is_constant, hn::LoadMaskBits(df, &perspective_bits));
  const auto scaled = [&](auto f, float rhw) {
    return hn::IfThenElse(is_perspective, hn::Mul(f, hn::Set(df, rhw)), f);
  };
  f0 = scaled(f0, setup.rhw[0]);
  f1 = scaled(f1, setup.rhw[1]);
  f2 = scaled(f2, setup.rhw[2]);
  const auto origin = hn::PromoteTo(d, f0);
  const auto d1 = hn::Sub(hn::PromoteTo(d, f1), origin);
  const auto d2 = hn::Sub(hn::PromoteTo(d, f2), origin);
  const auto gx = hn::Mul(hn::Sub(hn::Mul(d1, dy2), hn::Mul(d2, dy1)), rdet);
  const auto gy = hn::Mul(hn::Sub(hn::Mul(d2, dx1), hn::Mul(d1, dx2)), rdet);
  hn::StoreU(origin, d, planes.origin + i);
  hn::StoreU(gx, d, planes.gradient_x + i);
  hn::StoreU(gy, d, planes.gradient_y + i);
  hn::StoreU(hn::IfThenElse(is_constant, negative_zero, NearestFloats(df, gx)), df,
             planes.step_x + i);
  hn::StoreU(hn::IfThenElse(is_constant, negative_zero, NearestFloats(df, gy)), df,
             planes.step_y + i);
  return BitsOf(df, is_constant) << i;
}

void SetPlanes(const PlaneSetup& setup, const float* a0, const float* a1, const float* a2,
               uint32_t padded, Triangle& t) {
  const Planes planes = PlanesOf(t, padded);
  const std::array<const float*, 3> corners = {a0, a1, a2};
  uint64_t constant = 0;
  size_t i = 0;
  for (; hn::MaxLanes(D8()) == 8 && i + 8 <= padded; i += 8)
    constant |= SetPlanesAt(D8(), setup, corners, i, planes);
  for (; i < padded; i += hn::Lanes(D4()))
    constant |= SetPlanesAt(D4(), setup, corners, i, planes);
  t.constant = constant;
  t.perspective = setup.perspective & ~constant;
  t.has_perspective = t.perspective != 0 ? 1 : 0;
}

void FillSetup(RasterKernels& kernels) {
  kernels.set_planes = SetPlanes;
  kernels.set_up = SetUp;
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dp2trace::fast {

HWY_EXPORT(FillSetup);

void AddSetupKernels(RasterKernels& kernels) {
  HWY_DYNAMIC_DISPATCH(FillSetup)(kernels);
}

}  // namespace dp2trace::fast
#endif
