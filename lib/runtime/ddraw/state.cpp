#include "runtime/ddraw/state.h"

#include <algorithm>
#include <bit>
#include <span>

namespace dp2trace::runtime::ddraw {
namespace {

// First and last number of a range of states.
struct Range {
  uint32_t first = 0, last = 0;
};

constexpr Range kAllRenderStates[] = {{2, 2},   {4, 4},   {7, 10},    {14, 16},
                                      {19, 20}, {22, 30}, {33, 38},   {40, 41},
                                      {47, 48}, {52, 60}, {128, 148}, {151, 152}};
constexpr Range kPixelRenderStates[] = {{2, 2},   {4, 4},   {7, 10},  {14, 16},
                                        {19, 20}, {23, 27}, {33, 33}, {36, 38},
                                        {40, 41}, {47, 47}, {52, 60}, {128, 135}};
constexpr Range kVertexRenderStates[] = {{9, 9},   {22, 22},   {28, 29},   {34, 38},
                                         {48, 48}, {136, 143}, {145, 148}, {151, 152}};

bool Contains(std::span<const Range> ranges, uint32_t number) {
  return std::ranges::any_of(
      ranges, [&](const Range& range) { return number >= range.first && number <= range.last; });
}

}  // namespace

bool HoldsRenderState(StateBlockType type, uint32_t state) {
  switch (type) {
    case StateBlockType::kAll:
      return Contains(kAllRenderStates, state);
    case StateBlockType::kPixelState:
      return Contains(kPixelRenderStates, state);
    case StateBlockType::kVertexState:
      return Contains(kVertexRenderStates, state);
  }
  return false;
}

bool HoldsStageState(StateBlockType type, uint32_t state) {
  if (type == StateBlockType::kVertexState) return state == 11 || state == 24;
  return (state >= 1 && state <= 11) || (state >= 13 && state <= 24);
}

Matrix IdentityMatrix() {
  Matrix matrix = {};
  for (size_t i = 0; i < 4; ++i)
    matrix[i * 5] = std::bit_cast<uint32_t>(1.0F);
  return matrix;
}

Matrix Multiply(const Matrix& left, const Matrix& right) {
  Matrix product = {};
  for (size_t row = 0; row < 4; ++row) {
    for (size_t column = 0; column < 4; ++column) {
      float sum = 0;
      for (size_t i = 0; i < 4; ++i) {
        sum = sum +
              std::bit_cast<float>(left[row * 4 + i]) * std::bit_cast<float>(right[i * 4 + column]);
      }
      product[row * 4 + column] = std::bit_cast<uint32_t>(sum);
    }
  }
  return product;
}

}  // namespace dp2trace::runtime::ddraw
