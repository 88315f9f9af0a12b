// Kernels around the program of a block. Source: lib/raster/rendering-geometry.md 1.2 and 1.3; lib/raster/rendering-output.md 5.1, 5.4, 5.6 and 5.7.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/tile/kernels_raster.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "d3d/enums.h"
#include "fast/machine/lanes-inl.h"
#include "fast/tile/depth-inl.h"
#include "fast/tile/planes-inl.h"
#include "fast/tile/raster_kernels.h"
#include "image/half.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

using F8 = hn::CappedTag<float, 8>;
using I8 = hn::RebindToSigned<F8>;
using U8 = hn::RebindToUnsigned<F8>;
using D8 = hn::CappedTag<double, 8>;
using VF8 = hn::Vec<F8>;
using VI8 = hn::Vec<I8>;
using VU8 = hn::Vec<U8>;
using U8D = hn::Rebind<uint32_t, D8>;
using VD8 = hn::Vec<D8>;
using VU8D = hn::Vec<U8D>;

alignas(64) constexpr float kBlockColumns[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
alignas(64) constexpr float kBlockRows[kLanes] = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
    4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7};
alignas(64) constexpr double kWideColumns[8] = {0, 1, 2, 3, 4, 5, 6, 7};
alignas(64) constexpr int32_t kIntColumns[8] = {0, 1, 2, 3, 4, 5, 6, 7};

// The lanes from `lane` on.
HWY_INLINE hn::Mask<U8> MaskAt(uint64_t mask, size_t lane) {
  const auto bits = static_cast<uint8_t>(mask >> lane);
  return hn::LoadMaskBits(U8(), &bits);
}

uint64_t Cover(const Triangle& t, int32_t x, int32_t y) {
  constexpr int64_t kLimit = int64_t{1} << 30;
  struct Edge {
    int32_t corner, dx, dy;
  };
  Edge edges[3];
  size_t count = 0;
  for (size_t i = 0; i < 3; ++i) {
    const int64_t e = t.corner[i] - int64_t{t.dy[i]} * x + int64_t{t.dx[i]} * y;
    const int64_t across = -7 * int64_t{t.dy[i]};
    const int64_t down = 7 * int64_t{t.dx[i]};
    if (e + std::max<int64_t>(across, 0) + std::max<int64_t>(down, 0) < 0) return 0;
    if (e + std::min<int64_t>(across, 0) + std::min<int64_t>(down, 0) >= 0) continue;
    edges[count++] = {static_cast<int32_t>(std::clamp(e, -kLimit, kLimit)), t.dx[i], t.dy[i]};
  }
  if (count == 0) return kAllLanes;
  // Rows that the bounds of the triangle leave out are not looked at.
  const auto first = static_cast<size_t>(std::clamp(t.top - y, 0, 8));
  const auto last = static_cast<size_t>(std::clamp(t.bottom - y, 0, 8));
  const I8 d;
  uint64_t outside = 0;
  for (size_t column = 0; column < 8; column += hn::Lanes(d)) {
    const VI8 columns = hn::Load(d, kIntColumns + column);
    VI8 e[3];
    VI8 step[3];
    for (size_t i = 0; i < count; ++i) {
      const int32_t start = edges[i].corner + edges[i].dx * static_cast<int32_t>(first);
      e[i] = hn::Sub(hn::Set(d, start), hn::Mul(hn::Set(d, edges[i].dy), columns));
      step[i] = hn::Set(d, edges[i].dx);
    }
    for (size_t row = first; row < last; ++row) {
      VI8 any = e[0];
      e[0] = hn::Add(e[0], step[0]);
      for (size_t i = 1; i < count; ++i) {
        any = hn::Or(any, e[i]);
        e[i] = hn::Add(e[i], step[i]);
      }
      outside |= BitsOf(d, hn::Lt(any, hn::Zero(d))) << (8 * row + column);
    }
  }
  return ~outside;
}

uint64_t Quantize(const DepthTest& test, const Triangle& t, int32_t x, int32_t y, uint64_t mask,
                  DepthBlock& out) {
  const D8 d;
  const hn::Rebind<int32_t, D8> di;
  const double dx = static_cast<double>(x) - t.x0;
  const double dy = static_cast<double>(y) - t.y0;
  const double raw = (t.z0 + t.zx * dx) + t.zy * dy;
  const double scaled = (raw + t.bias) * test.scale;
  const VD8 zero = hn::Zero(d);
  const VD8 one = hn::Set(d, 1.0);
  uint64_t inside = test.clips_z ? 0 : kAllLanes;
  for (size_t column = 0; column < 8; column += hn::Lanes(d)) {
    const VD8 columns = hn::Load(d, kWideColumns + column);
    const VD8 base = hn::Add(hn::Set(d, scaled), hn::Mul(hn::Set(d, t.scaled_x), columns));
    const VD8 raw_base = hn::Add(hn::Set(d, raw), hn::Mul(hn::Set(d, t.zx), columns));
    for (size_t row = 0; row < 8; ++row) {
      if ((mask >> (8 * row) & 0xFFU) == 0) continue;
      const auto r = static_cast<double>(row);
      VD8 z = hn::Add(base, hn::Set(d, t.scaled_y * r));
      z = Min5(Max5(z, zero), hn::Set(d, test.scale));
      // Not negative: truncation is floor.
      const auto q = hn::DemoteTo(di, hn::Add(z, hn::Set(d, 0.5)));
      hn::StoreU(q, di, reinterpret_cast<int32_t*>(out.depth) + 8 * row + column);
      if (!test.clips_z) continue;
      const VD8 value = hn::Add(raw_base, hn::Set(d, t.zy * r));
      inside |= BitsOf(d, hn::And(hn::Ge(value, zero), hn::Le(value, one))) << (8 * row + column);
    }
  }
  return mask & inside;
}

// The bits of numbers that are integers below 2^32.
HWY_INLINE VU8D WordsOf(VD8 integers) {
  const hn::RebindToUnsigned<D8> wide;
  // 2^52: the integer is the low part of the sum.
  const VD8 sum = hn::Add(integers, hn::Set(D8(), 4503599627370496.0));
  return hn::TruncateTo(U8D(), hn::BitCast(wide, sum));
}

// A depth that may be outside of [0, 1] as the buffer stores it; `is_scaled`: in units of the buffer.
HWY_INLINE VU8D StoredDepth(const DepthTest& test, bool is_scaled, VD8 depth) {
  const D8 d;
  const VD8 zero = hn::Zero(d);
  switch (test.kind) {
    case DepthKind::kInteger: {
      const VD8 scale = hn::Set(d, test.scale);
      const VD8 scaled = is_scaled ? Min5(Max5(depth, zero), scale)
                                   : hn::Mul(Min5(Max5(depth, zero), hn::Set(d, 1.0)), scale);
      return WordsOf(hn::Floor(hn::Add(scaled, hn::Set(d, 0.5))));
    }
    case DepthKind::kFloat32: {
      const hn::Rebind<float, D8> df;
      const VD8 clamped = Min5(Max5(depth, zero), hn::Set(d, 1.0));
      return hn::BitCast(U8D(), NearestFloats(df, clamped));
    }
    case DepthKind::kFloat24:
      break;
  }
  alignas(64) double numbers[8];
  alignas(64) uint32_t words[8];
  hn::Store(Min5(Max5(depth, zero), hn::Set(d, 1.0)), d, numbers);
  for (size_t i = 0; i < hn::Lanes(d); ++i)
    words[i] = image::DoubleToDepthFloat24(numbers[i]);
  return hn::Load(U8D(), words);
}

uint64_t QuantizeAny(const DepthTest& test, const Triangle& t, int32_t x, int32_t y,
                     const raster::SampleOffset& offset, uint64_t mask, DepthBlock& out) {
  const D8 d;
  const double dx = static_cast<double>(x) - t.x0;
  const double dy = static_cast<double>(y) - t.y0;
  const double raw = (t.z0 + t.zx * dx) + t.zy * dy;
  const double rhw = (t.rhw0 + t.rhwx * dx) + t.rhwy * dy;
  const double base = test.uses_w ? rhw : (raw + t.bias) * test.scale;
  const double step_x = test.uses_w ? t.rhwx : t.scaled_x;
  const double step_y = test.uses_w ? t.rhwy : t.scaled_y;
  const VD8 near = hn::Set(d, test.w_near);
  const VD8 range = hn::Set(d, test.w_far - test.w_near);
  const VD8 one = hn::Set(d, 1.0);
  uint64_t inside = test.clips_z ? 0 : kAllLanes;
  for (size_t column = 0; column < 8; column += hn::Lanes(d)) {
    const VD8 columns = hn::Add(hn::Load(d, kWideColumns + column), hn::Set(d, offset.x / 16.0));
    const auto plane = [&](double at, double along_x, double along_y, double row) {
      const VD8 start = hn::Add(hn::Set(d, at), hn::Mul(hn::Set(d, along_x), columns));
      return hn::Add(start, hn::Set(d, along_y * row));
    };
    for (size_t row = 0; row < 8; ++row) {
      if ((mask >> (8 * row) & 0xFFU) == 0) continue;
      const double r = static_cast<double>(row) + offset.y / 16.0;
      VD8 depth = plane(base, step_x, step_y, r);
      if (test.uses_w) {
        depth = hn::Add(hn::Div(hn::Sub(hn::Div(one, depth), near), range), hn::Set(d, t.bias));
      }
      hn::StoreU(StoredDepth(test, !test.uses_w, depth), U8D(), out.depth + 8 * row + column);
      if (!test.clips_z) continue;
      const VD8 value = plane(raw, t.zx, t.zy, r);
      const auto is_inside = hn::And(hn::Ge(value, hn::Zero(d)), hn::Le(value, one));
      inside |= BitsOf(d, is_inside) << (8 * row + column);
    }
  }
  return mask & inside;
}

template <class Word>
HWY_INLINE VU8 LoadWords(const uint8_t* at) {
  if constexpr (sizeof(Word) == 4) {
    return hn::LoadU(U8(), reinterpret_cast<const uint32_t*>(at));
  } else {
    return hn::PromoteTo(U8(),
                         hn::LoadU(hn::Rebind<Word, F8>(), reinterpret_cast<const Word*>(at)));
  }
}
template <class Word>
HWY_INLINE void StoreWords(VU8 words, uint8_t* at) {
  if constexpr (sizeof(Word) == 4) {
    hn::StoreU(words, U8(), reinterpret_cast<uint32_t*>(at));
  } else {
    const hn::Rebind<Word, F8> narrow;
    hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(I8(), words)), narrow, reinterpret_cast<Word*>(at));
  }
}

template <class Word>
uint64_t TestDepth(const DepthTest& test, const DepthBlock& depth, uint64_t mask,
                   const BlockBytes& bytes) {
  const U8 d;
  const DepthWords<I8> compare(test);
  uint64_t passed = 0;
  for (size_t row = 0; row < 8; ++row) {
    if ((mask >> (8 * row) & 0xFFU) == 0) continue;
    for (size_t column = 0; column < 8; column += hn::Lanes(d)) {
      const size_t lane = 8 * row + column;
      uint8_t* at = bytes.bytes + row * bytes.pitch + column * sizeof(Word);
      const VU8 words = LoadWords<Word>(at);
      const VU8 incoming = hn::Load(d, depth.depth + lane);
      const uint64_t bits = BitsOf(I8(), compare.Passing(incoming, words)) << lane & mask;
      passed |= bits;
      if (!test.writes) continue;
      const VU8 made = compare.With(incoming, words);
      StoreWords<Word>(hn::IfThenElse(MaskAt(bits, lane), made, words), at);
    }
  }
  return passed;
}

uint64_t TestDepthAny(const DepthTest& test, const DepthBlock& depth, uint64_t mask,
                      const BlockBytes& bytes) {
  return test.format.word_size == 2 ? TestDepth<uint16_t>(test, depth, mask, bytes)
                                    : TestDepth<uint32_t>(test, depth, mask, bytes);
}

// What a D3DSTENCILOP makes of stored values.
HWY_INLINE VU8 StencilResult(uint32_t operation, const StencilTest& test, VU8 stored) {
  using d3d::StencilOp;
  const U8 d;
  const VU8 one = hn::Set(d, 1U);
  const VU8 largest = hn::Set(d, test.largest);
  switch (static_cast<StencilOp>(operation)) {
    case StencilOp::Keep:
      break;
    case StencilOp::Zero:
      return hn::Zero(d);
    case StencilOp::Replace:
      return hn::Set(d, test.reference);
    case StencilOp::IncrSat:
      return hn::Min(hn::Add(stored, one), largest);
    case StencilOp::DecrSat:
      return hn::Sub(hn::Max(stored, one), one);
    case StencilOp::Invert:
      return hn::AndNot(stored, largest);
    case StencilOp::Incr:
      return hn::And(hn::Add(stored, one), largest);
    case StencilOp::Decr:
      return hn::And(hn::Sub(stored, one), largest);
  }
  return stored;
}

template <class Word>
uint64_t TestStencil(const StencilTest& stencil, const DepthTest& test, const DepthBlock& depth,
                     uint64_t mask, const BlockBytes& bytes) {
  const U8 d;
  const I8 di;
  const DepthWords<I8> depths(test);
  const CompareWords<I8> compare(stencil.passing);
  const VU8 read_mask = hn::Set(d, stencil.read_mask);
  const VU8 write_mask = hn::Set(d, stencil.write_mask);
  const VU8 reference = hn::Set(d, stencil.reference & stencil.read_mask);
  const VU8 depth_field =
      hn::ShiftLeftSame(hn::Set(d, test.format.mask), static_cast<int>(test.format.shift));
  const auto shift = static_cast<int>(stencil.shift);
  uint64_t passed = 0;
  for (size_t row = 0; row < 8; ++row) {
    if ((mask >> (8 * row) & 0xFFU) == 0) continue;
    for (size_t column = 0; column < 8; column += hn::Lanes(d)) {
      const size_t lane = 8 * row + column;
      uint8_t* at = bytes.bytes + row * bytes.pitch + column * sizeof(Word);
      const VU8 words = LoadWords<Word>(at);
      const VU8 stored = hn::And(hn::ShiftRightSame(words, shift), hn::Set(d, stencil.largest));
      const VU8 incoming = hn::Load(d, depth.depth + lane);
      const auto passes = compare.Passing(reference, hn::And(stored, read_mask));
      const auto is_near = stencil.tests_depth ? depths.Passing(incoming, words)
                                               : hn::Eq(hn::Zero(di), hn::Zero(di));
      const VU8 behind =
          hn::IfThenElse(hn::RebindMask(d, is_near), StencilResult(stencil.pass, stencil, stored),
                         StencilResult(stencil.depth_fail, stencil, stored));
      const VU8 result = hn::IfThenElse(hn::RebindMask(d, passes), behind,
                                        StencilResult(stencil.fail, stencil, stored));
      const VU8 kept = hn::Or(hn::AndNot(write_mask, stored), hn::And(result, write_mask));
      const auto is_drawn = hn::And(passes, is_near);
      VU8 made = hn::And(words, depth_field);
      if (test.writes) {
        const VU8 placed = hn::ShiftLeftSame(incoming, static_cast<int>(test.format.shift));
        made = hn::IfThenElse(hn::RebindMask(d, is_drawn), placed, made);
      }
      made = hn::Or(made, hn::ShiftLeftSame(kept, shift));
      StoreWords<Word>(hn::IfThenElse(MaskAt(mask, lane), made, words), at);
      passed |= BitsOf(I8(), is_drawn) << lane;
    }
  }
  return passed & mask;
}

uint64_t TestStencilAny(const StencilTest& stencil, const DepthTest& test, const DepthBlock& depth,
                        uint64_t mask, const BlockBytes& bytes) {
  switch (test.format.word_size) {
    case 1:
      return TestStencil<uint8_t>(stencil, test, depth, mask, bytes);
    case 2:
      return TestStencil<uint16_t>(stencil, test, depth, mask, bytes);
    default:
      return TestStencil<uint32_t>(stencil, test, depth, mask, bytes);
  }
}

// The numbers of a plane at the pixels of a block.
template <class Visit>
HWY_INLINE void ForPlane(float base, float step_x, float step_y, const Visit& visit) {
  const F32 d;
  const VF origin = hn::Set(d, base);
  const VF along_x = hn::Set(d, step_x);
  const VF along_y = hn::Set(d, step_y);
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const VF columns = hn::Load(d, kBlockColumns + lane % 16);
    const VF rows = hn::Load(d, kBlockRows + lane);
    visit(hn::Add(hn::Add(origin, hn::Mul(along_x, columns)), hn::Mul(along_y, rows)), lane);
  }
}

template <bool kIsPerspective, bool kIsClamped>
HWY_INLINE void InterpolateRows(float base, float step_x, float step_y, const Block* reciprocal,
                                Block& out) {
  ForPlane(base, step_x, step_y, [&](VF value, size_t lane) {
    if constexpr (kIsPerspective)
      value = hn::Mul(value, hn::Load(F32(), reciprocal->lanes.data() + lane));
    if constexpr (kIsClamped) value = Saturate5(value);
    hn::Store(value, F32(), out.lanes.data() + lane);
  });
}

// NOLINTBEGIN(clang-analyzer-core.CallAndMessage): FindBases() fills at least four, and as many as there are planes
void LoadBlock(const PixelComponents& to, const Triangle& t, int32_t x, int32_t y) {
  alignas(64) float bases[kMaxComponents];
  FindBases(t, to.padded, static_cast<double>(x) - t.x0, static_cast<double>(y) - t.y0, bases);
  const ConstPlanes planes = PlanesOf(t, to.padded);
  if (t.has_perspective != 0 || to.needs_rhw) {
    ForPlane(bases[0], planes.step_x[0], planes.step_y[0], [&](VF rhw, size_t lane) {
      hn::Store(hn::Div(hn::Set(F32(), 1.0F), rhw), F32(), to.reciprocal->lanes.data() + lane);
    });
  }
  for (size_t i = 1; i <= to.inputs.size(); ++i) {
    const PixelInput& input = to.inputs[i - 1];
    Block& out = to.registers[input.to];
    const float step_x = planes.step_x[i];
    const float step_y = planes.step_y[i];
    if ((t.perspective >> i & 1U) != 0) {
      input.is_clamped ? InterpolateRows<true, true>(bases[i], step_x, step_y, to.reciprocal, out)
                       : InterpolateRows<true, false>(bases[i], step_x, step_y, to.reciprocal, out);
    } else {
      input.is_clamped ? InterpolateRows<false, true>(bases[i], step_x, step_y, nullptr, out)
                       : InterpolateRows<false, false>(bases[i], step_x, step_y, nullptr, out);
    }
  }
}
// NOLINTEND(clang-analyzer-core.CallAndMessage)

void FillRaster(RasterKernels& kernels) {
  kernels = {.set_planes = nullptr,
             .cover = Cover,
             .set_up = nullptr,
             .quantize = Quantize,
             .quantize_any = QuantizeAny,
             .test_depth = TestDepthAny,
             .test_stencil = TestStencilAny,
             .test_quads = nullptr,
             .quantize_pack = nullptr,
             .load_pack = nullptr,
             .load_block = LoadBlock,
             .test_alpha = nullptr,
             .store = nullptr,
             .store_any = nullptr,
             .fill = nullptr};
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dp2trace::fast {

HWY_EXPORT(FillRaster);

const RasterKernels& RasterKernelsOf(const Isa& isa) {
  static std::mutex mutex;
  static std::map<std::string_view, RasterKernels> tables;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = tables.try_emplace(isa.name);
  if (is_new) {
    WithTarget(
        isa,
        [](void* made) {
          auto& kernels = *static_cast<RasterKernels*>(made);
          HWY_DYNAMIC_DISPATCH(FillRaster)(kernels);
          AddStoreKernels(kernels);
          AddSetupKernels(kernels);
          AddQuadKernels(kernels);
          AddAnyKernels(kernels);
        },
        &place->second);
  }
  return place->second;
}

}  // namespace dp2trace::fast
#endif
