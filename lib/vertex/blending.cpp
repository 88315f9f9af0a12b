#include "vertex/blending.h"

namespace dp2trace::vertex {
namespace {

template <class V, class M>
V Blend(const V& v, const BlendWeights& weights, std::span<const M> matrices) {
  if (weights.count == 1) return Transform(v, matrices[weights.matrix[0]]);
  V sum = {};
  for (uint32_t i = 0; i < weights.count; ++i) {
    const V part = Transform(v, matrices[weights.matrix[i]]);
    for (size_t c = 0; c < sum.size(); ++c) {
      sum[c] = i == 0 ? weights.weight[i] * part[c] : sum[c] + weights.weight[i] * part[c];
    }
  }
  return sum;
}

}  // namespace

BlendWeights CompleteWeights(const Float4& given, uint32_t count) {
  BlendWeights result{.count = count};
  float sum = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const bool is_last = i + 1 == count;
    result.weight[i] = is_last ? 1.0F - sum : given[i];
    result.matrix[i] = i;
    sum = sum + (is_last ? 0.0F : given[i]);
  }
  return result;
}

Float4 BlendPosition(const Float4& position, const BlendWeights& weights,
                     std::span<const Matrix> worlds) {
  return Blend(position, weights, worlds);
}

Float3 BlendNormal(const Float3& normal, const BlendWeights& weights,
                   std::span<const Matrix3> normal_matrices) {
  return Blend(normal, weights, normal_matrices);
}

}  // namespace dp2trace::vertex
