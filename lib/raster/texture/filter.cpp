#include "raster/texture/filter.h"

#include <span>

#include "raster/probe/fragment.h"
#include "raster/texture/address.h"

namespace dp2trace::raster {
namespace {

constexpr int32_t kHalfTexel = 128;  // of 256

Tap TapAt(const LevelView& view, int32_t i, int32_t j, int32_t k) {
  const int32_t x = ResolveTap(i, view.address[0], view.level.width);
  const int32_t y = ResolveTap(j, view.address[1], view.level.height);
  const int32_t z = view.is_volume ? ResolveTap(k, view.address[2], view.depth) : 0;
  if (x == kBorderTap || y == kBorderTap || z == kBorderTap) return {.is_border = true};
  return {static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(z)};
}

// A slice of a level, sampled at one point. x and y are texel coordinates in 1/256.
struct Slice {
  const TexelReader& reader;
  const LevelView& view;
  int32_t x = 0, y = 0;
  int32_t z = 0;        // texel index
  float reference = 0;  // of depth comparison
  TexelProbe probe = {};

  Float4 Decode(int32_t i, int32_t j) const {
    return reader.Decode(view, TapAt(view, i, j, z), reference);
  }
  image::StoredTexel Stored(int32_t i, int32_t j) const {
    return reader.Stored(view, TapAt(view, i, j, z));
  }
};

// Keeps the texels from (i, j) on, with the products of the weights. They are read once more, in the same way.
void Keep(const Slice& slice, int32_t i, int32_t j, std::span<const float> along_x,
          std::span<const float> along_y) {
  for (size_t row = 0; row < along_y.size(); ++row) {
    for (size_t column = 0; column < along_x.size(); ++column) {
      if (!slice.probe.shading->Spend()) return;
      const Tap tap = TapAt(slice.view, i + static_cast<int32_t>(column),
                            j + static_cast<int32_t>(row), slice.z);
      ProbedTexel texel = {.level = slice.probe.level,
                           .x = tap.x,
                           .y = tap.y,
                           .z = tap.z,
                           .is_border = tap.is_border || slice.view.is_missing,
                           .weight = slice.probe.weight * (along_x[column] * along_y[row])};
      if (slice.reader.filters_exactly()) {
        image::StoredTexel stored = slice.reader.Stored(slice.view, tap);
        for (int32_t& channel : stored)
          channel *= 65536;
        texel.color = slice.reader.FromSum(stored);
      } else {
        texel.color = slice.reader.Decode(slice.view, tap, slice.reference);
      }
      slice.probe.sample->texels.push_back(texel);
    }
  }
}

float Fraction(int32_t q) {
  return static_cast<float>(q & 255) / 256.0F;
}

constexpr std::array<float, 1> kOne = {1.0F};

Float4 Point(const Slice& slice) {
  const int32_t i = slice.x >> 8;
  const int32_t j = slice.y >> 8;
  if (slice.probe.sample != nullptr) Keep(slice, i, j, kOne, kOne);
  if (!slice.reader.filters_exactly()) return slice.Decode(i, j);
  image::StoredTexel sum = slice.Stored(i, j);
  for (int32_t& channel : sum) {
    channel *= 65536;
  }
  return slice.reader.FromSum(sum);
}

// Both fractions have 8 bits, texels 8 bits and a sign: |sum| <= 255 * 65536 < 2^24.
Float4 LinearExact(const Slice& slice) {
  const int32_t x = slice.x - kHalfTexel;
  const int32_t y = slice.y - kHalfTexel;
  const image::StoredTexel t00 = slice.Stored(x >> 8, y >> 8);
  const image::StoredTexel t10 = slice.Stored((x >> 8) + 1, y >> 8);
  const image::StoredTexel t01 = slice.Stored(x >> 8, (y >> 8) + 1);
  const image::StoredTexel t11 = slice.Stored((x >> 8) + 1, (y >> 8) + 1);
  const int32_t fu = x & 255;
  const int32_t fv = y & 255;
  std::array<int32_t, 4> sum = {};
  for (size_t c = 0; c < 4; ++c) {
    sum[c] =
        (t00[c] * (256 - fu) + t10[c] * fu) * (256 - fv) + (t01[c] * (256 - fu) + t11[c] * fu) * fv;
  }
  return slice.reader.FromSum(sum);
}

Float4 Linear(const Slice& slice) {
  if (slice.probe.sample != nullptr) {
    const float fu = Fraction(slice.x - kHalfTexel);
    const float fv = Fraction(slice.y - kHalfTexel);
    Keep(slice, (slice.x - kHalfTexel) >> 8, (slice.y - kHalfTexel) >> 8, std::array{1.0F - fu, fu},
         std::array{1.0F - fv, fv});
  }
  if (slice.reader.filters_exactly()) return LinearExact(slice);
  const int32_t x = slice.x - kHalfTexel;
  const int32_t y = slice.y - kHalfTexel;
  const auto row = [&](int32_t j) {
    return Lerp(slice.Decode(x >> 8, j), slice.Decode((x >> 8) + 1, j), Fraction(x));
  };
  return Lerp(row(y >> 8), row((y >> 8) + 1), Fraction(y));
}

// Weights of four texels at distance 1 + f, f, 1 - f and 2 - f. The polynomials are exact: f has 8 fractional bits.
Float4 CatmullRomWeights(float f) {
  return {((-0.5F * f + 1.0F) * f - 0.5F) * f, (1.5F * f - 2.5F) * f * f + 1.0F,
          ((-1.5F * f + 2.0F) * f + 0.5F) * f, (0.5F * f - 0.5F) * f * f};
}
Float4 BSplineWeights(float f) {
  const float g = 1.0F - f;
  return {g * g * g / 6.0F, ((3.0F * f - 6.0F) * f * f + 4.0F) / 6.0F,
          (((-3.0F * f + 3.0F) * f + 3.0F) * f + 1.0F) / 6.0F, f * f * f / 6.0F};
}

// Sum of four colours with weights, left to right.
Float4 WeightedSum(const std::array<Float4, 4>& colors, const Float4& weights) {
  Float4 sum = {};
  for (size_t c = 0; c < 4; ++c) {
    sum[c] = ((colors[0][c] * weights[0] + colors[1][c] * weights[1]) + colors[2][c] * weights[2]) +
             colors[3][c] * weights[3];
  }
  return sum;
}

// Rows, then columns.
Float4 Cubic(const Slice& slice, Filter filter) {
  const int32_t x = slice.x - kHalfTexel;
  const int32_t y = slice.y - kHalfTexel;
  const auto weights = filter == Filter::kFlatCubic ? CatmullRomWeights : BSplineWeights;
  const Float4 along_x = weights(Fraction(x));
  if (slice.probe.sample != nullptr)
    Keep(slice, (x >> 8) - 1, (y >> 8) - 1, along_x, weights(Fraction(y)));
  std::array<Float4, 4> rows = {};
  for (int32_t j = 0; j < 4; ++j) {
    std::array<Float4, 4> texels = {};
    for (int32_t i = 0; i < 4; ++i) {
      texels[static_cast<size_t>(i)] = slice.Decode((x >> 8) - 1 + i, (y >> 8) - 1 + j);
    }
    rows[static_cast<size_t>(j)] = WeightedSum(texels, along_x);
  }
  return WeightedSum(rows, weights(Fraction(y)));
}

// 3 x 3 texels around the nearest one, weights (1, 2, 1) x (1, 2, 1) / 16; rows, then columns.
Float4 GaussianQuad(const Slice& slice) {
  const auto weighted = [](const Float4& a, const Float4& b, const Float4& c) {
    Float4 sum = {};
    for (size_t i = 0; i < 4; ++i) {
      sum[i] = (a[i] + 2.0F * b[i]) + c[i];
    }
    return sum;
  };
  const int32_t i = slice.x >> 8;
  const int32_t j = slice.y >> 8;
  if (slice.probe.sample != nullptr) {
    constexpr std::array<float, 3> kWeights = {0.25F, 0.5F, 0.25F};
    Keep(slice, i - 1, j - 1, kWeights, kWeights);
  }
  const auto row = [&](int32_t k) {
    return weighted(slice.Decode(i - 1, k), slice.Decode(i, k), slice.Decode(i + 1, k));
  };
  Float4 sum = weighted(row(j - 1), row(j), row(j + 1));
  for (float& channel : sum) {
    channel *= 1.0F / 16.0F;
  }
  return sum;
}

Float4 FilterSlice(const Slice& slice, Filter filter) {
  switch (filter) {
    case Filter::kNone:
    case Filter::kPoint:
      return Point(slice);
    case Filter::kLinear:
    case Filter::kAnisotropic:
    case Filter::kPyramidalQuad:
      return Linear(slice);
    case Filter::kFlatCubic:
    case Filter::kGaussianCubic:
      return Cubic(slice, filter);
    case Filter::kGaussianQuad:
      return GaussianQuad(slice);
  }
  return {};
}

// q of u, v and w.
std::array<int32_t, 3> Quantize(const LevelView& view, const Float4& coordinates) {
  return {QuantizeCoordinate(coordinates[0], view.address[0], view.level.width),
          QuantizeCoordinate(coordinates[1], view.address[1], view.level.height),
          view.is_volume ? QuantizeCoordinate(coordinates[2], view.address[2], view.depth) : 0};
}

}  // namespace

Float4 Lerp(const Float4& a, const Float4& b, float f) {
  Float4 result = {};
  for (size_t i = 0; i < 4; ++i) {
    result[i] = a[i] + f * (b[i] - a[i]);
  }
  return result;
}

Tap NearestTap(const LevelView& view, const Float4& coordinates) {
  const std::array<int32_t, 3> q = Quantize(view, coordinates);
  return TapAt(view, q[0] >> 8, q[1] >> 8, q[2] >> 8);
}

// Unspecified: cubic and Gaussian filters in volumes; chosen: two slices are blended linearly, as with LINEAR.
Float4 FilterLevel(const TexelReader& reader, const LevelView& view, Filter filter,
                   const Float4& coordinates, const TexelProbe* probe) {
  const std::array<int32_t, 3> q = Quantize(view, coordinates);
  Slice slice = {reader, view, q[0], q[1], q[2] >> 8, coordinates[2]};
  if (probe != nullptr) slice.probe = *probe;
  const bool is_point = filter == Filter::kNone || filter == Filter::kPoint;
  if (!view.is_volume || is_point) return FilterSlice(slice, filter);
  const int32_t z = q[2] - kHalfTexel;
  const float weight = slice.probe.weight;
  slice.z = z >> 8;
  slice.probe.weight = weight * (1.0F - Fraction(z));
  const Float4 front = FilterSlice(slice, filter);
  ++slice.z;
  slice.probe.weight = weight * Fraction(z);
  return Lerp(front, FilterSlice(slice, filter), Fraction(z));
}

}  // namespace dp2trace::raster
