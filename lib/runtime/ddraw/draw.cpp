// Draws as legacy tokens with the vertices of the call.
// Source: lib/opcode/dp2.md 3.
#include <algorithm>
#include <vector>

#include "d3d/fvf.h"
#include "d3d/interface.h"
#include "runtime/ddraw/device.h"

namespace dp2trace::runtime::ddraw {
namespace {

using opcode::Op;

constexpr uint32_t kMaxVertices = 0xFFFF;  // D3DMAXNUMVERTICES

struct DrawOps {
  Op plain, indexed;
};

DrawOps OpsOf(PrimitiveType type) {
  switch (type) {
    case PrimitiveType::PointList:
      return {Op::kPoints, Op::kPoints};
    case PrimitiveType::LineList:
      return {Op::kLineList, Op::kIndexedLineList2};
    case PrimitiveType::LineStrip:
      return {Op::kLineStrip, Op::kIndexedLineStrip};
    case PrimitiveType::TriangleList:
      return {Op::kTriangleList, Op::kIndexedTriangleList2};
    case PrimitiveType::TriangleStrip:
      return {Op::kTriangleStrip, Op::kIndexedTriangleStrip};
    case PrimitiveType::TriangleFan:
      return {Op::kTriangleFan, Op::kIndexedTriangleFan};
  }
  return {Op::kPoints, Op::kPoints};
}

// Vertices that the first primitive takes beyond those of each following one, and those of each.
struct PrimitiveSize {
  uint32_t first = 0, each = 1;
};

PrimitiveSize SizeOf(PrimitiveType type) {
  switch (type) {
    case PrimitiveType::PointList:
      return {0, 1};
    case PrimitiveType::LineList:
      return {0, 2};
    case PrimitiveType::LineStrip:
      return {1, 1};
    case PrimitiveType::TriangleList:
      return {0, 3};
    case PrimitiveType::TriangleStrip:
    case PrimitiveType::TriangleFan:
      return {2, 1};
  }
  return {0, 1};
}

uint32_t PrimitiveCount(PrimitiveType type, size_t vertices) {
  const PrimitiveSize size = SizeOf(type);
  return vertices < size.first ? 0 : static_cast<uint32_t>((vertices - size.first) / size.each);
}

// The vertices that are really there.
Vertices Present(const Vertices& vertices) {
  const uint32_t size = d3d::FvfVertexSize(vertices.fvf);
  Vertices present = vertices;
  if (size == 0) return {};
  present.count = static_cast<uint32_t>(
      std::min<uint64_t>({vertices.count, vertices.bytes.size() / size, kMaxVertices}));
  present.bytes = vertices.bytes.first(size_t{present.count} * size);
  return present;
}

}  // namespace

bool Device::Draw(PrimitiveType type, const Vertices& vertices) {
  const Vertices present = Present(vertices);
  const uint32_t count = PrimitiveCount(type, present.count);
  if (count == 0) return vertices.count == 0;
  const uint32_t start =
      recorder_.AddVertices(context_, present.fvf, d3d::FvfVertexSize(present.fvf), present.bytes);
  if (type == PrimitiveType::PointList) {
    Send(Op::kPoints, {count, start});
    return true;
  }
  const std::array<uint32_t, 1> values = {start};
  recorder_.Token(context_, OpsOf(type).plain, values, {}, static_cast<uint16_t>(count));
  return true;
}

bool Device::DrawIndexed(PrimitiveType type, const Vertices& vertices,
                         std::span<const uint16_t> indices) {
  const Vertices present = Present(vertices);
  const uint32_t count = PrimitiveCount(type, indices.size());
  if (type == PrimitiveType::PointList || present.count == 0 || count == 0) return false;
  // Unspecified: an index after the last vertex; chosen: the draw is not recorded, since no token may hold such an index.
  if (std::ranges::any_of(indices, [&](uint16_t index) { return index >= present.count; }))
    return false;
  const uint32_t start =
      recorder_.AddVertices(context_, present.fvf, d3d::FvfVertexSize(present.fvf), present.bytes);
  const PrimitiveSize size = SizeOf(type);
  // Strips go on at an even triangle, so that the winding stays.
  constexpr uint32_t kChunk = d3d::kMaxTokenPrimitives - 1;
  for (uint32_t done = 0; done < count; done += kChunk) {
    const uint32_t primitives = std::min(kChunk, count - done);
    const auto part =
        indices.subspan(size_t{done} * size.each, size.first + size_t{primitives} * size.each);
    if (type != PrimitiveType::TriangleFan || done == 0) {
      DrawIndexedChunk(type, start, part);
      continue;
    }
    std::vector<uint16_t> fan(part.begin(), part.end());
    fan.front() = indices.front();
    DrawIndexedChunk(type, start, fan);
  }
  return true;
}

void Device::DrawIndexedChunk(PrimitiveType type, uint32_t start,
                              std::span<const uint16_t> indices) {
  std::vector<uint32_t> values = {start};
  values.insert(values.end(), indices.begin(), indices.end());
  const auto count = static_cast<uint16_t>(PrimitiveCount(type, indices.size()));
  // A list's records are whole primitives.
  values.resize(1 + SizeOf(type).first + size_t{count} * SizeOf(type).each);
  recorder_.Token(context_, OpsOf(type).indexed, values, {}, count);
}

}  // namespace dp2trace::runtime::ddraw
