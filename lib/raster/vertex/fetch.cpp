#include "raster/vertex/fetch.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/bytes.h"
#include "d3d/enums.h"
#include "d3d/stream_source.h"
#include "image/half.h"
#include "raster/vertex/processor.h"

namespace dp2trace::raster {
namespace {

using d3d::DeclType;

template <class T>
Float4 Integers(const uint8_t* bytes, uint32_t count) {
  Float4 result = {0, 0, 0, 1};
  for (uint32_t i = 0; i < count; ++i) {
    result[i] = static_cast<float>(Load<T>(bytes + i * sizeof(T)));
  }
  return result;
}

// v / largest; signed types have two codes for -1.
template <class T>
Float4 Normalized(const uint8_t* bytes, uint32_t count, float largest) {
  Float4 result = Integers<T>(bytes, count);
  for (uint32_t i = 0; i < count; ++i)
    result[i] = Max(result[i] / largest, -1.0F);
  return result;
}

Float4 Floats(const uint8_t* bytes, uint32_t count) {
  Float4 result = {0, 0, 0, 1};
  for (uint32_t i = 0; i < count; ++i)
    result[i] = Load<float>(bytes + i * sizeof(float));
  return result;
}

Float4 Halves(const uint8_t* bytes, uint32_t count) {
  Float4 result = {0, 0, 0, 1};
  for (uint32_t i = 0; i < count; ++i)
    result[i] = image::HalfToFloat(LoadU16(bytes + i * 2));
  return result;
}

Float4 Packed10(uint32_t word, bool is_signed) {
  Float4 result = {0, 0, 0, 1};
  for (uint32_t i = 0; i < 3; ++i) {
    const auto bits = static_cast<int32_t>(word >> (10 * i) & 0x3FFU);
    if (is_signed) {
      result[i] = Max(static_cast<float>(bits >= 512 ? bits - 1024 : bits) / 511.0F, -1.0F);
    } else {
      result[i] = static_cast<float>(bits);
    }
  }
  return result;
}

// The element that a vertex number means in a stream. Source: lib/raster/rendering-geometry.md 2.1 (instancing); lib/opcode/dp2.md 20.2.
int64_t StreamElement(const device::Draw& draw, const device::VertexStream& stream, int64_t number,
                      uint32_t instance) {
  if (IsReadByNumber(draw, stream)) return number;
  // Unspecified: step 0; chosen: 1.
  if ((stream.divider & d3d::kInstanceData) != 0)
    return instance / std::max(stream.divider & d3d::kDividerMask, 1U);
  const int64_t divider = stream.divider;
  return draw.base_vertex / divider + (number - draw.base_vertex) / divider;
}

// Place of an element in the bytes, modulo 2^64 (an origin before the bytes is a large number); outside for absurd products.
uint64_t ElementPlace(const device::VertexStream& stream, int64_t number, uint32_t offset) {
  constexpr int64_t kNumberLimit = int64_t{1}
                                   << 34;  // an index and a base of 32 bits each stay below
  constexpr uint32_t kStrideLimit = 1U << 29;
  if (stream.stride == 0 || number == 0) return stream.origin + offset;
  if (number >= kNumberLimit || number <= -kNumberLimit || stream.stride >= kStrideLimit)
    return UINT64_MAX;
  return stream.origin + static_cast<uint64_t>(number * int64_t{stream.stride}) + offset;
}

}  // namespace

uint32_t ComponentCount(uint32_t type) {
  constexpr std::array<uint8_t, 17> kCounts = {1, 2, 3, 4, 4, 4, 2, 4, 4, 2, 4, 2, 4, 3, 3, 2, 4};
  return type < kCounts.size() ? kCounts[type] : 0;
}

Float4 DecodeElement(uint32_t type, const uint8_t* bytes) {
  const uint32_t count = ComponentCount(type);
  switch (static_cast<DeclType>(type)) {
    case DeclType::Float1:
    case DeclType::Float2:
    case DeclType::Float3:
    case DeclType::Float4:
      return Floats(bytes, count);
    case DeclType::D3dColor:
      return FromColor(LoadU32(bytes));
    case DeclType::UByte4:
      return Integers<uint8_t>(bytes, count);
    case DeclType::Short2:
    case DeclType::Short4:
      return Integers<int16_t>(bytes, count);
    case DeclType::UByte4N:
      return Normalized<uint8_t>(bytes, count, 255.0F);
    case DeclType::Short2N:
    case DeclType::Short4N:
      return Normalized<int16_t>(bytes, count, 32767.0F);
    case DeclType::UShort2N:
    case DeclType::UShort4N:
      return Normalized<uint16_t>(bytes, count, 65535.0F);
    case DeclType::UDec3:
      return Packed10(LoadU32(bytes), false);
    case DeclType::Dec3N:
      return Packed10(LoadU32(bytes), true);
    case DeclType::Float16x2:
    case DeclType::Float16x4:
      return Halves(bytes, count);
    case DeclType::Unused:
      break;
  }
  return {0, 0, 0, 1};
}

bool IsReadByNumber(const device::Draw& draw, const device::VertexStream& stream) {
  if ((stream.divider & d3d::kInstanceData) != 0) return false;
  const bool is_indexed = draw.indices.size != 0;
  return is_indexed || (stream.divider & d3d::kIndexedData) != 0 || stream.divider <= 1;
}

Float4 FetchElement(const device::Draw& draw, size_t element, int64_t number, uint32_t instance) {
  const device::VertexElement& description = draw.layout->elements[element];
  std::array<uint8_t, kMaxElementSize> bytes = {};  // what lies after the end of the stream is 0
  if (description.stream < device::kStreamCount) {
    const device::VertexStream& stream = draw.streams[description.stream];
    const uint64_t place =
        ElementPlace(stream, StreamElement(draw, stream, number, instance), description.offset);
    if (place < stream.bytes.size()) {
      const uint64_t size = std::min<uint64_t>(bytes.size(), stream.bytes.size() - place);
      std::memcpy(bytes.data(), stream.bytes.data() + place, static_cast<size_t>(size));
    }
  }
  return DecodeElement(description.type, bytes.data());
}

VertexInput FetchVertex(const device::Draw& draw, int64_t number, uint32_t instance) {
  VertexInput input;
  const size_t count = std::min(draw.layout->elements.size(), input.values.size());
  for (size_t i = 0; i < count; ++i)
    input.values[i] = FetchElement(draw, i, number, instance);
  return input;
}

}  // namespace dp2trace::raster
