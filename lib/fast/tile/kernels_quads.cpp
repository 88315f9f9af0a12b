// Quads of small triangles: their depth, and their components when they are shaded together. Source: lib/raster/rendering.md 0.3 (rule 9),
// 1.3 and 5.4.
#include "fast/machine/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/tile/kernels_quads.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "fast/machine/lanes-inl.h"
#include "fast/tile/depth-inl.h"
#include "fast/tile/draw_queue.h"
#include "fast/tile/planes-inl.h"
#include "fast/tile/quads.h"
#include "fast/tile/raster_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace dp2trace::fast::HWY_NAMESPACE {

using D4 = hn::CappedTag<double, 4>;
using U4 = hn::FixedTag<uint32_t, 4>;
using I4 = hn::FixedTag<int32_t, 4>;
using F4 = hn::FixedTag<float, 4>;
using VD4 = hn::Vec<D4>;
using VU4 = hn::Vec<U4>;
using VF4 = hn::Vec<F4>;

constexpr int32_t kInBlock = kBlockSize - 1;
alignas(32) constexpr double kQuadColumns[4] = {0, 1, 0, 1};
alignas(32) constexpr double kQuadRows[4] = {0, 0, 1, 1};

HWY_INLINE hn::Mask<U4> MaskOf(uint32_t bits) {
  const auto byte = static_cast<uint8_t>(bits);
  return hn::LoadMaskBits(U4(), &byte);
}

// How depth varies in a triangle: copies that stay in registers, whatever is stored in between.
struct DepthPlane {
  double x0, y0, z0, zx, zy, bias, scaled_x, scaled_y, scale;
  bool clips_z;

  DepthPlane(const DepthTest& test, const Triangle& t)
      : x0(t.x0),
        y0(t.y0),
        z0(t.z0),
        zx(t.zx),
        zy(t.zy),
        bias(t.bias),
        scaled_x(t.scaled_x),
        scaled_y(t.scaled_y),
        scale(test.scale),
        clips_z(test.clips_z) {}
};

// The vectors that four integers take, as one.
template <class V, size_t kCount>
HWY_INLINE VU4 Joined(const V (&parts)[kCount]) {
  if constexpr (kCount == 1) {
    return hn::BitCast(U4(), parts[0]);
  } else {
    const hn::DFromV<V> d;
    alignas(16) int32_t numbers[4];
    for (size_t i = 0; i < kCount; ++i)
      hn::StoreU(parts[i], d, numbers + i * hn::Lanes(d));
    return hn::BitCast(U4(), hn::Load(I4(), numbers));
  }
}

// Depth of the four pixels of a quad as the buffer stores it; `inside`: those that are not clipped by z.
HWY_INLINE VU4 QuantizeQuad(const DepthPlane& t, int32_t x, int32_t y, uint32_t& inside) {
  const D4 d;
  const hn::Rebind<int32_t, D4> di;
  const double dx = static_cast<double>(x & ~kInBlock) - t.x0;
  const double dy = static_cast<double>(y & ~kInBlock) - t.y0;
  const double raw = (t.z0 + t.zx * dx) + t.zy * dy;
  const double scaled = (raw + t.bias) * t.scale;
  const VD4 column = hn::Set(d, static_cast<double>(x & kInBlock));
  const VD4 row = hn::Set(d, static_cast<double>(y & kInBlock));
  inside = 15;
  hn::Vec<hn::Rebind<int32_t, D4>> quantized[4 / hn::MaxLanes(D4())];
  for (size_t lane = 0; lane < 4; lane += hn::Lanes(d)) {
    const VD4 columns = hn::Add(column, hn::Load(d, kQuadColumns + lane));
    const VD4 rows = hn::Add(row, hn::Load(d, kQuadRows + lane));
    const VD4 base = hn::Add(hn::Set(d, scaled), hn::Mul(hn::Set(d, t.scaled_x), columns));
    VD4 z = hn::Add(base, hn::Mul(hn::Set(d, t.scaled_y), rows));
    z = Min5(Max5(z, hn::Zero(d)), hn::Set(d, t.scale));
    // Not negative: truncation is floor.
    quantized[lane / hn::Lanes(d)] = hn::DemoteTo(di, hn::Add(z, hn::Set(d, 0.5)));
    if (!t.clips_z) continue;
    const VD4 value = hn::Add(hn::Add(hn::Set(d, raw), hn::Mul(hn::Set(d, t.zx), columns)),
                              hn::Mul(hn::Set(d, t.zy), rows));
    const auto is_inside = hn::And(hn::Ge(value, hn::Zero(d)), hn::Le(value, hn::Set(d, 1.0)));
    constexpr uint32_t kVector = (1U << hn::MaxLanes(D4())) - 1;
    inside &= ~(kVector << lane) | static_cast<uint32_t>(BitsOf(d, is_inside)) << lane;
  }
  return Joined(quantized);
}

// The words of a quad, row by row; pixels outside of the surface are 0 and are not stored.
template <class Word, bool kIsWhole>
class QuadWords {
 public:
  // `columns`, `rows`: of the surface from the quad on.
  HWY_INLINE QuadWords(uint8_t* at, size_t pitch, int32_t columns, int32_t rows)
      : at_(at), pitch_(pitch), columns_(std::min(columns, 2)), rows_(std::min(rows, 2)) {}

  HWY_INLINE VU4 Load() const {
    if constexpr (sizeof(Word) == 4 && kIsWhole) {
      const hn::Half<U4> half;
      return hn::Combine(U4(), hn::LoadU(half, reinterpret_cast<const uint32_t*>(at_ + pitch_)),
                         hn::LoadU(half, reinterpret_cast<const uint32_t*>(at_)));
    }
    alignas(16) uint32_t words[4] = {};
    ForEach([&](size_t i, uint8_t* at) {
      Word word;
      std::memcpy(&word, at, sizeof word);
      words[i] = word;
    });
    return hn::Load(U4(), words);
  }

  HWY_INLINE void Store(VU4 made) const {
    if constexpr (sizeof(Word) == 4 && kIsWhole) {
      const hn::Half<U4> half;
      hn::StoreU(hn::LowerHalf(half, made), half, reinterpret_cast<uint32_t*>(at_));
      hn::StoreU(hn::UpperHalf(half, made), half, reinterpret_cast<uint32_t*>(at_ + pitch_));
      return;
    }
    alignas(16) uint32_t words[4];
    hn::Store(made, U4(), words);
    ForEach([&](size_t i, uint8_t* at) {
      const auto word = static_cast<Word>(words[i]);
      std::memcpy(at, &word, sizeof word);
    });
  }

 private:
  template <class Visit>
  HWY_INLINE void ForEach(const Visit& visit) const {
    for (int32_t row = 0; row < rows_; ++row) {
      for (int32_t column = 0; column < columns_; ++column) {
        const auto i = static_cast<size_t>(2 * row + column);
        visit(i,
              at_ + static_cast<size_t>(row) * pitch_ + static_cast<size_t>(column) * sizeof(Word));
      }
    }
  }

  uint8_t* at_;
  size_t pitch_;
  int32_t columns_, rows_;
};

template <class Word, bool kIsWhole>
uint64_t TestQuadWords(const DepthTest& test, const Triangle& triangle, int32_t x, int32_t y,
                       uint64_t mask, const SurfaceBytes& surface) {
  const DepthWords<I4> compare(test);
  const bool writes = test.writes;
  const DepthPlane plane(test, triangle);
  uint8_t* const first = surface.at(x, y, sizeof(Word));
  const size_t pitch = surface.pitch;
  uint64_t passed = 0;
  for (uint64_t quads = QuadBits(mask); quads != 0; quads &= quads - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(quads));
    const int32_t quad_x = x + static_cast<int32_t>(lane % 8);
    const int32_t quad_y = y + static_cast<int32_t>(lane / 8);
    uint32_t inside = 0;
    const VU4 incoming = QuantizeQuad(plane, quad_x, quad_y, inside);
    const QuadWords<Word, kIsWhole> pixels(first + lane / 8 * pitch + lane % 8 * sizeof(Word),
                                           pitch, surface.width - quad_x, surface.height - quad_y);
    const VU4 words = pixels.Load();
    const uint32_t bits = static_cast<uint32_t>(BitsOf(I4(), compare.Passing(incoming, words))) &
                          inside & LanesOfQuad(mask, lane);
    passed |= SpreadQuad(bits, lane);
    if (!writes) continue;
    pixels.Store(hn::IfThenElse(MaskOf(bits), compare.With(incoming, words), words));
  }
  return passed;
}

template <class Word>
uint64_t TestQuadsAny(const DepthTest& test, const Triangle& t, int32_t x, int32_t y, uint64_t mask,
                      const SurfaceBytes& surface) {
  const bool is_whole = x + kBlockSize <= surface.width && y + kBlockSize <= surface.height;
  return is_whole ? TestQuadWords<Word, true>(test, t, x, y, mask, surface)
                  : TestQuadWords<Word, false>(test, t, x, y, mask, surface);
}

uint64_t TestQuads(const DepthTest& test, const Triangle& t, int32_t x, int32_t y, uint64_t mask,
                   const SurfaceBytes& surface) {
  return test.format.word_size == 2 ? TestQuadsAny<uint16_t>(test, t, x, y, mask, surface)
                                    : TestQuadsAny<uint32_t>(test, t, x, y, mask, surface);
}

uint64_t QuantizePack(const DepthTest& test, std::span<const PackedQuad> quads, uint64_t mask,
                      DepthBlock& out) {
  uint64_t clipped = 0;
  for (uint32_t i = 0; i < quads.size(); ++i) {
    const size_t first = FirstLane(i);
    alignas(16) uint32_t depth[4];
    uint32_t inside = 0;
    hn::Store(QuantizeQuad(DepthPlane(test, *quads[i].triangle), quads[i].x, quads[i].y, inside),
              U4(), depth);
    std::memcpy(&out.depth[first], depth, 2 * sizeof(uint32_t));
    std::memcpy(&out.depth[first + 8], depth + 2, 2 * sizeof(uint32_t));
    clipped |= SpreadQuad(~inside & 15U, first);
  }
  return mask & ~clipped;
}

// Four quads that lie in one row of a pack, and their planes.
struct QuadGroup {
  alignas(64) float base[4][kMaxComponents];
  const float* step_x[4];
  const float* step_y[4];
  const PackedQuad* quads[4];
  const Triangle* triangle[4];
};

HWY_INLINE void LoadGroup(std::span<const PackedQuad> quads, size_t first, uint32_t padded,
                          QuadGroup& group) {
  for (size_t q = 0; q < 4; ++q) {
    const PackedQuad& quad = quads[std::min(first + q, quads.size() - 1)];
    const Triangle& t = *quad.triangle;
    const ConstPlanes planes = PlanesOf(t, padded);
    group.triangle[q] = &t;
    group.step_x[q] = planes.step_x;
    group.step_y[q] = planes.step_y;
    FindBases(t, padded, static_cast<double>(quad.x & ~kInBlock) - t.x0,
              static_cast<double>(quad.y & ~kInBlock) - t.y0, group.base[q]);
    group.quads[q] = &quad;
  }
}

// Numbers of four quads, each for both columns and rows of its quad: as many lanes as a vector has, from `lane` of 16 on.
#if HWY_TARGET == HWY_AVX3
// Lane 4 * q + c is the number c after at(q).
template <class At>
HWY_INLINE VF Gathered(const At& at) {
  const hn::Half<F32> half;
  const auto load = [&](size_t q) { return hn::LoadU(F4(), at(q)); };
  return hn::Combine(F32(), hn::Combine(half, load(3), load(2)),
                     hn::Combine(half, load(1), load(0)));
}
// The number c of each quad.
HWY_INLINE VF Spread(VF gathered, size_t c) {
  alignas(64) static constexpr int32_t kPlaces[16] = {0, 0, 4, 4, 8, 8, 12, 12,
                                                      0, 0, 4, 4, 8, 8, 12, 12};
  const VI places = hn::Add(hn::Load(I32(), kPlaces), hn::Set(I32(), static_cast<int32_t>(c)));
  return hn::TableLookupLanes(gathered, hn::IndicesFromVec(F32(), places));
}
#endif

// Where the 16 pixels are in their 8x8 blocks.
class GroupPixels {
 public:
#if HWY_TARGET == HWY_AVX3
  explicit GroupPixels(const QuadGroup& group) {
    static_assert(offsetof(PackedQuad, x) == 0 && offsetof(PackedQuad, y) == 4);
    const VF places =
        Gathered([&](size_t q) { return reinterpret_cast<const float*>(group.quads[q]); });
    x_ = PixelsOf(Spread(places, 0), kLaneColumns);
    y_ = PixelsOf(Spread(places, 1), kLaneRows);
  }
  HWY_INLINE VF x(size_t) const {
    return x_;
  }
  HWY_INLINE VF y(size_t) const {
    return y_;
  }

 private:
  HWY_INLINE static VF PixelsOf(VF first, const float* offsets) {
    const VI in_block = hn::And(hn::BitCast(I32(), first), hn::Set(I32(), kInBlock));
    return hn::Add(hn::ConvertTo(F32(), in_block), hn::Load(F32(), offsets));
  }
  VF x_, y_;
#else
  explicit GroupPixels(const QuadGroup& group) {
    for (size_t i = 0; i < 16; ++i) {
      const PackedQuad& quad = *group.quads[i % 8 / 2];
      x_[i] = static_cast<float>(quad.x & kInBlock) + kLaneColumns[i];
      y_[i] = static_cast<float>(quad.y & kInBlock) + kLaneRows[i];
    }
  }
  HWY_INLINE VF x(size_t lane) const {
    return hn::Load(F32(), x_ + lane);
  }
  HWY_INLINE VF y(size_t lane) const {
    return hn::Load(F32(), y_ + lane);
  }

 private:
  alignas(64) float x_[16], y_[16];
#endif
  alignas(64) static constexpr float kLaneColumns[16] = {0, 1, 0, 1, 0, 1, 0, 1,
                                                         0, 1, 0, 1, 0, 1, 0, 1};
  alignas(64) static constexpr float kLaneRows[16] = {0, 0, 0, 0, 0, 0, 0, 0,
                                                      1, 1, 1, 1, 1, 1, 1, 1};
};

// Their components: base and steps.
class GroupRows {
 public:
  explicit GroupRows(const QuadGroup& group) : group_(group) {}

#if HWY_TARGET == HWY_AVX3
  // Of the components `first` to `first` + 3, `first` being a multiple of 4.
  HWY_INLINE void Take(size_t first) {
    values_[0] = Gathered([&](size_t q) { return group_.base[q] + first; });
    values_[1] = Gathered([&](size_t q) { return group_.step_x[q] + first; });
    values_[2] = Gathered([&](size_t q) { return group_.step_y[q] + first; });
  }
  HWY_INLINE VF At(size_t row, size_t component, size_t) const {
    return Spread(values_[row], component % 4);
  }

 private:
  const QuadGroup& group_;
  VF values_[3];
#else
  HWY_INLINE void Take(size_t first) {
    for (size_t i = 0; i < 16; ++i) {
      const size_t q = i % 8 / 2;
      for (size_t c = 0; c < 4; ++c) {
        values_[0][c][i] = group_.base[q][first + c];
        values_[1][c][i] = group_.step_x[q][first + c];
        values_[2][c][i] = group_.step_y[q][first + c];
      }
    }
  }
  HWY_INLINE VF At(size_t row, size_t component, size_t lane) const {
    return hn::Load(F32(), &values_[row][component % 4][lane]);
  }

 private:
  const QuadGroup& group_;
  alignas(64) float values_[3][4][16];
#endif
};

// The 16 lanes of a group that belong to quads with the component in perspective.
HWY_INLINE uint32_t PerspectiveLanes(const QuadGroup& group, size_t component) {
  uint32_t lanes = 0;
  for (size_t q = 0; q < 4; ++q) {
    lanes |=
        static_cast<uint32_t>(group.triangle[q]->perspective >> component & 1U) * (3U << (2 * q));
  }
  return lanes | lanes << 8;
}

HWY_INLINE void LoadComponents(const PixelComponents& to, const QuadGroup& group,
                               size_t first_lane) {
  const F32 d;
  uint64_t any = 0;
  uint64_t all = ~uint64_t{0};
  for (const Triangle* t : group.triangle) {
    any |= t->perspective;
    all &= t->perspective;
  }
  const GroupPixels pixels(group);
  GroupRows rows(group);
  const size_t count = to.inputs.size() + 1;
  const bool has_reciprocal = any != 0 || to.needs_rhw;
  for (size_t i = 0; i < count; ++i) {
    if (i % 4 == 0) rows.Take(i);
    if (i == 0 && !has_reciprocal) continue;
    const bool is_perspective = (any >> i & 1U) != 0;
    const uint32_t lanes =
        !is_perspective || (all >> i & 1U) != 0 ? 0xFFFFU : PerspectiveLanes(group, i);
    Block& block = i == 0 ? *to.reciprocal : to.registers[to.inputs[i - 1].to];
    for (size_t lane = 0; lane < 16; lane += hn::Lanes(d)) {
      const VF along_x = hn::Add(rows.At(0, i, lane), hn::Mul(rows.At(1, i, lane), pixels.x(lane)));
      VF value = hn::Add(along_x, hn::Mul(rows.At(2, i, lane), pixels.y(lane)));
      float* at = &block.lanes[first_lane + lane];
      if (i == 0) {
        hn::Store(hn::Div(hn::Set(d, 1.0F), value), d, at);
        continue;
      }
      if (is_perspective) {
        const VF scaled = hn::Mul(value, hn::Load(d, &to.reciprocal->lanes[first_lane + lane]));
        const uint8_t bits[8] = {static_cast<uint8_t>(lanes >> lane),
                                 static_cast<uint8_t>(lanes >> (lane + 8))};
        value =
            lanes == 0xFFFFU ? scaled : hn::IfThenElse(hn::LoadMaskBits(d, bits), scaled, value);
      }
      if (to.inputs[i - 1].is_clamped) value = Saturate5(value);
      hn::Store(value, d, at);
    }
  }
}

void LoadPack(const PixelComponents& components, std::span<const PackedQuad> quads) {
  QuadGroup group;
  for (size_t first = 0; first < quads.size(); first += 4) {
    LoadGroup(quads, first, components.padded, group);
    LoadComponents(components, group, 4 * first);
  }
}

void FillQuads(RasterKernels& kernels) {
  kernels.test_quads = TestQuads;
  kernels.quantize_pack = QuantizePack;
  kernels.load_pack = LoadPack;
}

}  // namespace dp2trace::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dp2trace::fast {

HWY_EXPORT(FillQuads);

void AddQuadKernels(RasterKernels& kernels) {
  HWY_DYNAMIC_DISPATCH(FillQuads)(kernels);
}

}  // namespace dp2trace::fast
#endif
