// Vertex blending: positions and normals as weighted sums over world matrices. Source: lib/raster/rendering-geometry.md 2.3.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "vertex/math.h"

namespace dp2trace::vertex {

inline constexpr uint32_t kWorldMatrixCount = 256;
inline constexpr uint32_t kMaxBlendMatrices = 4;

struct BlendWeights {
  uint32_t count = 1;  // matrices of a vertex, 1 to kMaxBlendMatrices
  std::array<float, kMaxBlendMatrices> weight = {1};
  std::array<uint32_t, kMaxBlendMatrices> matrix = {};  // index of the world matrix
};

// `count` matrices: the first count - 1 with the given weights, the last with what is left of 1. Matrix i is world matrix i.
BlendWeights CompleteWeights(const Float4& given, uint32_t count);

// The matrices are those of all indices in `weights`. A single one is not multiplied by its weight.
Float4 BlendPosition(const Float4& position, const BlendWeights& weights,
                     std::span<const Matrix> worlds);
Float3 BlendNormal(const Float3& normal, const BlendWeights& weights,
                   std::span<const Matrix3> normal_matrices);

}  // namespace dp2trace::vertex
