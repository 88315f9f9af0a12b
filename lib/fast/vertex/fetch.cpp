#include "fast/vertex/fetch.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "d3d/enums.h"
#include "raster/vertex/fetch.h"
#include "raster/vertex/processor.h"

namespace dp2trace::fast {
namespace {

using d3d::DeclType;

// The bytes of an element of all vertices, where they lie in the stream at all.
struct Place {
  const uint8_t* bytes = nullptr;  // of vertex 0
  int64_t stride = 0;
  int64_t first = 0, last = -1;  // vertices whose element is whole
};

// Nothing where vertices are not found by their number.
std::optional<Place> PlaceOf(const device::Draw& draw, const device::VertexElement& element) {
  constexpr uint32_t kStrideLimit = 1U << 29;
  constexpr uint64_t kOriginLimit = uint64_t{1} << 40;
  if (element.stream >= device::kStreamCount) return std::nullopt;
  const device::VertexStream& stream = draw.streams[element.stream];
  const bool is_plain = raster::IsReadByNumber(draw, stream) && stream.stride > 0 &&
                        stream.stride < kStrideLimit && stream.origin < kOriginLimit;
  if (!is_plain) return std::nullopt;
  const auto start = static_cast<int64_t>(stream.origin) + element.offset;
  const auto room = static_cast<int64_t>(stream.bytes.size()) -
                    static_cast<int64_t>(d3d::DeclTypeSize(element.type)) - start;
  const int64_t stride = stream.stride;
  Place place{.bytes = stream.bytes.data() + start, .stride = stride};
  place.last = room < 0 ? -1 : room / stride;
  place.first = -(start / stride);
  if (start > static_cast<int64_t>(stream.bytes.size())) place.last = place.first - 1;
  return place;
}

template <uint32_t kCount>
void FetchFloats(const Place& place, std::span<const int64_t> numbers,
                 const std::array<Block*, 4>& to) {
  for (size_t lane = 0; lane < numbers.size(); ++lane) {
    float values[kCount];
    std::memcpy(values, place.bytes + numbers[lane] * place.stride, sizeof values);
    for (uint32_t i = 0; i < kCount; ++i)
      to[i]->lanes[lane] = values[i];
  }
  for (uint32_t i = kCount; i < 4; ++i)
    to[i]->lanes.fill(i == 3 ? 1.0F : 0.0F);
}

void FetchColors(const Place& place, std::span<const int64_t> numbers,
                 const std::array<Block*, 4>& to) {
  for (size_t lane = 0; lane < numbers.size(); ++lane) {
    const raster::Float4 color =
        raster::FromColor(LoadU32(place.bytes + numbers[lane] * place.stride));
    for (size_t i = 0; i < 4; ++i)
      to[i]->lanes[lane] = color[i];
  }
}

void FetchAny(const device::Draw& draw, uint32_t element, std::span<const int64_t> numbers,
              uint32_t instance, const std::array<Block*, 4>& to) {
  for (size_t lane = 0; lane < numbers.size(); ++lane) {
    const raster::Float4 value = raster::FetchElement(draw, element, numbers[lane], instance);
    for (size_t i = 0; i < 4; ++i)
      to[i]->lanes[lane] = value[i];
  }
}

}  // namespace

void FetchElement(const device::Draw& draw, uint32_t element, std::span<const int64_t> numbers,
                  uint32_t instance, const std::array<Block*, 4>& to) {
  const device::VertexElement& description = draw.layout->elements[element];
  const std::optional<Place> place = PlaceOf(draw, description);
  const auto [least, greatest] = std::ranges::minmax(numbers);
  if (!place || least < place->first || greatest > place->last)
    return FetchAny(draw, element, numbers, instance, to);
  switch (static_cast<DeclType>(description.type)) {
    case DeclType::Float1:
      return FetchFloats<1>(*place, numbers, to);
    case DeclType::Float2:
      return FetchFloats<2>(*place, numbers, to);
    case DeclType::Float3:
      return FetchFloats<3>(*place, numbers, to);
    case DeclType::Float4:
      return FetchFloats<4>(*place, numbers, to);
    case DeclType::D3dColor:
      return FetchColors(*place, numbers, to);
    default:
      return FetchAny(draw, element, numbers, instance, to);
  }
}

}  // namespace dp2trace::fast
