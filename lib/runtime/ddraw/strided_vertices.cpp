#include "runtime/ddraw/strided_vertices.h"

#include <algorithm>
#include <cstring>

namespace dp2trace::runtime::ddraw {
namespace {

// Elements of `size` bytes that the array holds, `count` at most. A stride of 0 repeats the first.
uint32_t Available(const StridedElement& element, uint32_t size, uint32_t count) {
  if (element.bytes.size() < size) return 0;
  if (element.stride == 0) return count;
  return static_cast<uint32_t>(
      std::min<uint64_t>(count, (element.bytes.size() - size) / element.stride + 1));
}

}  // namespace

std::vector<uint8_t> AssembleVertices(uint32_t fvf, uint32_t count, const StridedData& data) {
  const d3d::FvfLayout layout = d3d::DecodeFvf(fvf);
  // Blend values follow the position in its array.
  const uint32_t position_size =
      layout.position_size +
      4 * (layout.weight_count + (layout.blend_indices != d3d::FvfLayout::kAbsent ? 1 : 0));
  count = Available(data.position, position_size, count);
  std::vector<uint8_t> vertices(size_t{count} * layout.size);
  const auto copy = [&](const StridedElement& element, uint32_t offset, uint32_t size) {
    if (offset == d3d::FvfLayout::kAbsent || size == 0) return;
    const uint32_t available = Available(element, size, count);
    for (uint32_t i = 0; i < available; ++i) {
      std::memcpy(vertices.data() + size_t{i} * layout.size + offset,
                  element.bytes.data() + size_t{i} * element.stride, size);
    }
  };
  copy(data.position, 0, position_size);
  copy(data.normal, layout.normal, 12);
  copy(data.diffuse, layout.diffuse, 4);
  copy(data.specular, layout.specular, 4);
  for (size_t set = 0; set < d3d::kMaxTextureSets; ++set) {
    copy(data.coordinates[set], layout.texture_sets[set].offset,
         4 * layout.texture_sets[set].dimension);
  }
  return vertices;
}

}  // namespace dp2trace::runtime::ddraw
