// Transformation of vertex buffers by the runtime.
// Source: DP2 specification, 9.1 and 9.2; Direct3D 7 API reference facts (ProcessVertices).
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "d3d/fvf.h"
#include "runtime/ddraw.h"

namespace dp2trace::runtime::ddraw {
namespace {

using Vector = std::array<float, 4>;

Vector Transform(const Vector& v, const Matrix& matrix) {
  Vector result = {};
  for (size_t column = 0; column < 4; ++column) {
    float sum = 0;
    for (size_t i = 0; i < 4; ++i)
      sum = sum + v[i] * std::bit_cast<float>(matrix[i * 4 + column]);
    result[column] = sum;
  }
  return result;
}

Matrix Find(const StateSet& state, uint32_t transform) {
  const auto found = state.transforms.find(transform);
  return found == state.transforms.end() ? IdentityMatrix() : found->second;
}

// Screen position and 1/w of a position of object space.
Vector ToScreen(const Vector& position, const Matrix& matrix, const Viewport& viewport) {
  const Vector clip = Transform(position, matrix);
  const float rhw = 1.0F / clip[3];
  const float half_width = static_cast<float>(viewport[2]) / 2;
  const float half_height = static_cast<float>(viewport[3]) / 2;
  const float near = std::bit_cast<float>(viewport[4]);
  const float far = std::bit_cast<float>(viewport[5]);
  return {static_cast<float>(viewport[0]) + (1 + clip[0] * rhw) * half_width,
          static_cast<float>(viewport[1]) + (1 - clip[1] * rhw) * half_height,
          near + clip[2] * rhw * (far - near), rhw};
}

void CopyElement(uint32_t from, const uint8_t* source, uint32_t to, uint8_t* dest, uint32_t size) {
  if (from != d3d::FvfLayout::kAbsent && to != d3d::FvfLayout::kAbsent)
    std::memcpy(dest + to, source + from, size);
}

void CopyAttributes(const d3d::FvfLayout& from, const uint8_t* source, const d3d::FvfLayout& to,
                    uint8_t* dest) {
  CopyElement(from.diffuse, source, to.diffuse, dest, 4);
  CopyElement(from.specular, source, to.specular, dest, 4);
  for (size_t set = 0; set < d3d::kMaxTextureSets; ++set) {
    const uint32_t dimension =
        std::min(from.texture_sets[set].dimension, to.texture_sets[set].dimension);
    CopyElement(from.texture_sets[set].offset, source, to.texture_sets[set].offset, dest,
                4 * dimension);
  }
}

}  // namespace

bool DirectDraw::ProcessVertices(ObjectId device_id, ObjectId dest_id, uint32_t dest_index,
                                 uint32_t count, ObjectId source_id, uint32_t source_index) {
  constexpr uint32_t kWorld = 1, kView = 2, kProjection = 3;
  const Device* const device = FindDevice(device_id);
  VertexBuffer* const dest = FindVertexBuffer(dest_id);
  const VertexBuffer* const source = FindVertexBuffer(source_id);
  if (device == nullptr || dest == nullptr || source == nullptr) return false;
  const d3d::FvfLayout from = d3d::DecodeFvf(source->fvf);
  const d3d::FvfLayout to = d3d::DecodeFvf(dest->fvf);
  const bool is_possible =
      from.position == d3d::PositionKind::kXyz && to.position == d3d::PositionKind::kXyzRhw;
  const uint64_t source_end = (uint64_t{source_index} + count) * from.size;
  const uint64_t dest_end = (uint64_t{dest_index} + count) * to.size;
  if (!is_possible || source_end > source->bytes.size() || dest_end > dest->bytes.size())
    return false;
  const StateSet& state = device->state();
  const Matrix matrix =
      Multiply(Multiply(Find(state, kWorld), Find(state, kView)), Find(state, kProjection));
  for (uint32_t i = 0; i < count; ++i) {
    const uint8_t* const in = source->bytes.data() + (size_t{source_index} + i) * from.size;
    uint8_t* const out = dest->bytes.data() + (size_t{dest_index} + i) * to.size;
    const Vector position = {Load<float>(in), Load<float>(in + 4), Load<float>(in + 8), 1};
    const Vector screen = ToScreen(position, matrix, device->viewport());
    for (size_t axis = 0; axis < 4; ++axis)
      Store(out + 4 * axis, screen[axis]);
    CopyAttributes(from, in, to, out);
  }
  return true;
}

}  // namespace dp2trace::runtime::ddraw
