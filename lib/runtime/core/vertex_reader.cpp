#include "runtime/core/vertex_reader.h"

#include <algorithm>
#include <cstring>

#include "device/layout.h"

namespace dp2trace::runtime {
namespace {

using d3d::DeclType;
using d3d::DeclUsage;

constexpr size_t kElementSize = 8;  // D3DVERTEXELEMENT9

uint32_t ComponentCount(DeclType type) {
  return type <= DeclType::Float4 ? d3d::Value(type) + 1 : 4;
}

DeclType FloatType(uint32_t count) {
  return static_cast<DeclType>(count - 1);
}

Float4 ValueOf(DeclType type, const std::array<uint8_t, 16>& raw) {
  if (type == DeclType::D3dColor) return vertex::FromColor(LoadU32(raw.data()));
  Float4 value = {0, 0, 0, 1};
  for (uint32_t i = 0; i < ComponentCount(type); ++i) {
    value[i] = type == DeclType::UByte4 ? static_cast<float>(raw[i])
                                        : Load<float>(raw.data() + size_t{4} * i);
  }
  return value;
}

}  // namespace

std::optional<VertexReader> VertexReader::OfFvf(uint32_t fvf) {
  const d3d::FvfLayout layout = d3d::DecodeFvf(fvf);
  if (layout.position == d3d::PositionKind::kNone || layout.position == d3d::PositionKind::kXyzRhw)
    return std::nullopt;
  VertexReader reader;
  const auto add = [&reader](uint32_t offset, DeclType type, DeclUsage usage,
                             uint32_t usage_index = 0) {
    if (offset != d3d::FvfLayout::kAbsent)
      reader.elements_.push_back({0, offset, type, usage, usage_index});
  };
  add(0, layout.position == d3d::PositionKind::kXyzw ? DeclType::Float4 : DeclType::Float3,
      DeclUsage::Position);
  if (layout.weight_count != 0) {
    add(layout.weights, FloatType(std::min<uint32_t>(layout.weight_count, 4)),
        DeclUsage::BlendWeight);
  }
  add(layout.blend_indices, DeclType::UByte4, DeclUsage::BlendIndices);
  add(layout.normal, DeclType::Float3, DeclUsage::Normal);
  add(layout.point_size, DeclType::Float1, DeclUsage::PSize);
  add(layout.diffuse, DeclType::D3dColor, DeclUsage::Color);
  add(layout.specular, DeclType::D3dColor, DeclUsage::Color, 1);
  for (uint32_t set = 0; set < d3d::kMaxTextureSets; ++set) {
    const d3d::FvfLayout::TextureSet& coordinates = layout.texture_sets[set];
    if (coordinates.dimension != 0)
      add(coordinates.offset, FloatType(coordinates.dimension), DeclUsage::Texcoord, set);
  }
  return reader;
}

std::optional<VertexReader> VertexReader::OfDeclaration(Bytes elements) {
  VertexReader reader;
  bool has_position = false;
  for (; elements.size() >= kElementSize; elements = elements.subspan(kElementSize)) {
    const uint32_t type = elements[4];
    if (type > d3d::Value(DeclType::UByte4) || elements[6] == d3d::Value(DeclUsage::PositionT))
      return std::nullopt;
    const Element element{LoadU16(elements.data()), LoadU16(elements.data() + 2),
                          static_cast<DeclType>(type), static_cast<DeclUsage>(elements[6]),
                          elements[7]};
    has_position =
        has_position || (element.usage == DeclUsage::Position && element.usage_index == 0);
    reader.elements_.push_back(element);
  }
  if (!has_position) return std::nullopt;
  return reader;
}

std::optional<VertexReader> VertexReader::OfTokens(Bytes tokens) {
  const Result<device::TokenDeclaration> declaration = device::ReadDeclarationTokens(tokens);
  if (!declaration.ok() || declaration->layout.is_transformed) return std::nullopt;
  VertexReader reader;
  for (const device::VertexElement& element : declaration->layout.elements) {
    if (element.type > d3d::Value(DeclType::UByte4)) return std::nullopt;
    reader.elements_.push_back({element.stream, element.offset, static_cast<DeclType>(element.type),
                                static_cast<DeclUsage>(element.usage), element.usage_index});
  }
  return reader;
}

void VertexReader::Store(const Element& element, const std::array<uint8_t, 16>& raw,
                         SourceVertex& vertex) {
  const Float4 value = ValueOf(element.type, raw);
  const uint32_t index = element.usage_index;
  switch (element.usage) {
    case DeclUsage::Position:
      if (index == 0) vertex.position = value;
      if (index == 1) vertex.second_position = value;
      break;
    case DeclUsage::BlendWeight:
      vertex.weights = value;
      break;
    case DeclUsage::BlendIndices:
      std::copy_n(raw.begin(), 4, vertex.matrix_indices.begin());
      break;
    case DeclUsage::Normal:
      if (index == 0) vertex.normal = vertex::FirstThree(value);
      if (index == 1) vertex.second_normal = vertex::FirstThree(value);
      break;
    case DeclUsage::PSize:
      vertex.point_size = value[0];
      break;
    case DeclUsage::Color:
      if (index == 0) vertex.diffuse = value;
      if (index == 1) vertex.specular = value;
      break;
    case DeclUsage::Texcoord:
      if (index < vertex.coordinates.size())
        vertex.coordinates[index] = {value, ComponentCount(element.type)};
      break;
    default:
      break;  // what fixed-function processing does not read
  }
}

SourceVertex VertexReader::Read(std::span<const Stream> streams, uint64_t index) const {
  SourceVertex vertex;
  for (const Element& element : elements_) {
    std::array<uint8_t, 16> raw = {};
    if (element.stream < streams.size()) {
      const Stream& stream = streams[element.stream];
      const uint64_t at = stream.offset + index * stream.stride + element.offset;
      const uint64_t size =
          std::min<uint64_t>(d3d::DeclTypeSize(d3d::Value(element.type)), raw.size());
      if (at <= stream.bytes.size() && size <= stream.bytes.size() - at)
        std::memcpy(raw.data(), stream.bytes.data() + at, static_cast<size_t>(size));
    }
    Store(element, raw, vertex);
  }
  return vertex;
}

}  // namespace dp2trace::runtime
