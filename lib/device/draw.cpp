// Primitive assembly. Source: lib/opcode/dp2.md 3 to 5; lib/raster/rendering-geometry.md 1.6.
#include "device/draw.h"

namespace dp2trace::device {
namespace {

constexpr uint32_t kRecordEdge1 = d3d::Value(d3d::TriFlag::EdgeEnable1);
constexpr uint32_t kRecordEdge2 = d3d::Value(d3d::TriFlag::EdgeEnable2);
constexpr uint32_t kRecordEdge3 = d3d::Value(d3d::TriFlag::EdgeEnable3);

// wFlags of triangle i, after its indices.
uint8_t RecordEdges(const IndexSource& indices, uint32_t i) {
  const uint64_t at = indices.origin + uint64_t{i} * indices.record_size +
                      uint64_t{indices.per_record} * indices.size;
  if (at + sizeof(uint16_t) > indices.bytes.size()) return kAllEdges;
  const uint32_t flags = LoadU16(indices.bytes.data() + at);
  uint32_t edges = 0;
  if ((flags & kRecordEdge1) != 0) edges |= kEdge01;
  if ((flags & kRecordEdge2) != 0) edges |= kEdge12;
  if ((flags & kRecordEdge3) != 0) edges |= kEdge20;
  return static_cast<uint8_t>(edges);
}

// Outline edge `k` of a fan, V[k]-V[k+1]; edges without a bit are on.
bool HasFanEdge(uint32_t mask, uint64_t k) {
  return k >= 32 || ((mask >> k) & 1) != 0;
}

// Triangle i of a fan is (V[i+1], V[i+2], V[0]); only its outline is drawn. Source: lib/opcode/dp2.md 4.
uint8_t FanEdges(const Draw& draw, uint32_t i) {
  uint32_t edges = 0;
  if (HasFanEdge(draw.fan_edges, uint64_t{i} + 1)) edges |= kEdge01;
  if (i + 1 == draw.primitive_count && HasFanEdge(draw.fan_edges, uint64_t{i} + 2))
    edges |= kEdge12;
  if (i == 0 && HasFanEdge(draw.fan_edges, 0)) edges |= kEdge20;
  return static_cast<uint8_t>(edges);
}

uint8_t EdgesOf(const Draw& draw, uint32_t i) {
  switch (draw.edges) {
    case EdgeSource::kAll:
      return kAllEdges;
    case EdgeSource::kRecordFlags:
      return RecordEdges(draw.indices, i);
    case EdgeSource::kFanMask:
      return FanEdges(draw, i);
  }
  return kAllEdges;
}

}  // namespace

uint32_t IndexAt(const Draw& draw, uint64_t k) {
  const IndexSource& indices = draw.indices;
  if (indices.size == 0) return static_cast<uint32_t>(k);
  const uint64_t in_records =
      indices.per_record == 0
          ? k * indices.size
          : k / indices.per_record * indices.record_size + k % indices.per_record * indices.size;
  const uint64_t at = indices.origin + in_records;
  if (at > indices.bytes.size() || indices.size > indices.bytes.size() - at) return 0;
  const uint8_t* bytes = indices.bytes.data() + at;
  return indices.size == 2 ? LoadU16(bytes) : LoadU32(bytes);
}

Assembled Assemble(const Draw& draw, uint32_t i) {
  const uint64_t n = i;
  const uint8_t edges = EdgesOf(draw, i);
  switch (draw.type) {
    case d3d::PrimitiveType::PointList:
      return {{n, 0, 0}, edges};
    case d3d::PrimitiveType::LineList:
      return {{2 * n, 2 * n + 1, 0}, edges};
    case d3d::PrimitiveType::LineStrip:
      return {{n, n + 1, 0}, edges};
    case d3d::PrimitiveType::TriangleList:
      return {{3 * n, 3 * n + 1, 3 * n + 2}, edges};
    case d3d::PrimitiveType::TriangleStrip:
      return i % 2 == 0 ? Assembled{{n, n + 1, n + 2}, edges} : Assembled{{n, n + 2, n + 1}, edges};
    case d3d::PrimitiveType::TriangleFan:
      return {{n + 1, n + 2, 0}, edges};
  }
  return {};
}

uint64_t VertexCount(d3d::PrimitiveType type, uint64_t count) {
  if (count == 0) return 0;
  switch (type) {
    case d3d::PrimitiveType::PointList:
      return count;
    case d3d::PrimitiveType::LineList:
      return 2 * count;
    case d3d::PrimitiveType::LineStrip:
      return count + 1;
    case d3d::PrimitiveType::TriangleList:
      return 3 * count;
    case d3d::PrimitiveType::TriangleStrip:
    case d3d::PrimitiveType::TriangleFan:
      return count + 2;
  }
  return 0;
}

}  // namespace dp2trace::device
