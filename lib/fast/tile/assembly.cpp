#include "fast/tile/assembly.h"

#include <algorithm>
#include <bit>

#include "base/bytes.h"
#include "raster/vertex/clip.h"

namespace dp2trace::fast {
namespace {

// Indices of a plain list of 16 or 32 bits, without a call for each; false where they are read another way.
template <class T>
bool ReadPlain(const device::Draw& draw, std::vector<uint32_t>& indices) {
  const device::IndexSource& source = draw.indices;
  if (source.size != sizeof(T) || source.per_record != 0) return false;
  const uint64_t end = source.origin + indices.size() * sizeof(T);
  if (source.origin > source.bytes.size() || end > source.bytes.size()) return false;
  const uint8_t* at = source.bytes.data() + source.origin;
  for (uint32_t& index : indices) {
    index = Load<T>(at);
    at += sizeof(T);
  }
  return true;
}

// The first plane that not all corners are inside of, and all are outside of it: clipping leaves nothing.
bool IsOutside(const std::array<const VertexRecord*, 3>& corners) {
  const uint32_t any = corners[0]->outside | corners[1]->outside | corners[2]->outside;
  const uint32_t all = corners[0]->outside & corners[1]->outside & corners[2]->outside;
  return any != 0 && (all >> std::countr_zero(any) & 1U) != 0;
}

}  // namespace

bool Assembly::FindVertices(const device::Draw& draw) {
  const uint64_t count = device::VertexCount(draw.type, draw.primitive_count);
  constexpr uint64_t kMaxVertices = uint64_t{1} << 24;
  if (count > kMaxVertices) return false;
  indices_.resize(count);
  if (!ReadPlain<uint16_t>(draw, indices_) && !ReadPlain<uint32_t>(draw, indices_)) {
    for (uint64_t k = 0; k < count; ++k)
      indices_[k] = device::IndexAt(draw, k);
  }
  if (indices_.empty()) return false;
  const auto [low, high] = std::ranges::minmax(indices_);
  const uint64_t range = uint64_t{high} - low + 1;
  if (range > 16 * count + 1024) return false;
  table_.assign(range, 0);
  slots_.resize(count);
  numbers_.clear();
  for (uint64_t k = 0; k < count; ++k) {
    uint32_t& slot = table_[indices_[k] - low];
    if (slot == 0) {
      numbers_.push_back(draw.base_vertex + int64_t{indices_[k]});
      slot = static_cast<uint32_t>(numbers_.size());
    }
    slots_[k] = slot - 1;
  }
  return true;
}

bool Assembly::Run(const device::Draw& draw, const QueuedDraw& queued, uint32_t planes,
                   const Process& process, TriangleSetup& setup) {
  if (!FindVertices(draw)) return false;
  for (uint32_t instance = 0; instance < draw.instance_count; ++instance) {
    records_.Start(queued, planes, setup.arena());
    if (!process(numbers_, instance, records_)) return true;
    const bool has_lines =
        draw.type == d3d::PrimitiveType::LineList || draw.type == d3d::PrimitiveType::LineStrip;
    has_lines ? AddLines(draw, queued, setup) : AddTriangles(draw, queued, setup);
  }
  return true;
}

void Assembly::AddTriangles(const device::Draw& draw, const QueuedDraw& queued,
                            TriangleSetup& setup) {
  const bool is_flat = queued.plan.is_flat;
  for (uint32_t i = 0; i < draw.primitive_count; ++i) {
    const device::Assembled assembled = device::Assemble(draw, i);
    std::array<const VertexRecord*, 3> corners = {};
    std::array<uint32_t, 3> places = {};
    for (size_t c = 0; c < 3; ++c) {
      places[c] = records_.place(slots_[assembled.k[c]]);
      corners[c] = &setup.arena().vertex(places[c]);
    }
    if ((corners[0]->needs_clip | corners[1]->needs_clip | corners[2]->needs_clip) != 0) {
      if (!IsOutside(corners)) AddClipped(corners, queued, setup);
      continue;
    }
    setup.Triangle(places, is_flat);
  }
}

// As in the reference, a strip's pattern starts with its first line that is not clipped away.
void Assembly::AddLines(const device::Draw& draw, const QueuedDraw& queued, TriangleSetup& setup) {
  const bool is_list = draw.type == d3d::PrimitiveType::LineList;
  bool is_pattern_started = false;
  for (uint32_t i = 0; i < draw.primitive_count; ++i) {
    const device::Assembled assembled = device::Assemble(draw, i);
    const uint32_t from = slots_[assembled.k[0]];
    const uint32_t to = slots_[assembled.k[1]];
    const VertexRecord& a = records_.at(from);
    const VertexRecord& b = records_.at(to);
    const bool pattern_start = is_list || !is_pattern_started;
    const bool draws_last = is_list || i + 1 == draw.primitive_count;
    // Flat colours are those of the first: another vertex than that of the record.
    if ((a.needs_clip | b.needs_clip) == 0 && !queued.plan.is_flat) {
      setup.Line(records_.place(from), records_.place(to), pattern_start, draws_last);
    } else if (!AddClippedLine(a, b, pattern_start, draws_last, queued, setup)) {
      continue;
    }
    is_pattern_started = true;
  }
}

bool Assembly::AddClippedLine(const VertexRecord& from, const VertexRecord& to, bool pattern_start,
                              bool draws_last, const QueuedDraw& queued, TriangleSetup& setup) {
  const uint32_t mask = queued.plan.outputs.varying_mask;
  raster::Vertex a = records_.VertexOf(from);
  raster::Vertex b = records_.VertexOf(to);
  for (const uint32_t slot : {raster::kDiffuseSlot, raster::kSpecularSlot}) {
    if (queued.plan.is_flat) b.varyings[slot] = a.varyings[slot];
  }
  if (!queued.plan.outputs.is_transformed && !raster::ClipLineToVolume(a, b, mask)) return false;
  raster::ScreenVertex start = records_.ScreenVertexOf(a);
  raster::ScreenVertex end = records_.ScreenVertexOf(b);
  if (!raster::ClipLineToGuardBand(start, end, mask)) return false;
  setup.Line(start, end, pattern_start, draws_last);
  return true;
}

// Computes what the reference does, in the same order.
void Assembly::AddClipped(const std::array<const VertexRecord*, 3>& corners,
                          const QueuedDraw& queued, TriangleSetup& setup) {
  const uint32_t mask = queued.plan.outputs.varying_mask;
  raster::ClipPolygon<raster::Vertex> polygon;
  polygon.count = 3;
  polygon.edges = device::kAllEdges;
  for (size_t i = 0; i < 3; ++i)
    polygon.vertices[i] = records_.VertexOf(*corners[i]);
  for (size_t i = 1; queued.plan.is_flat && i < 3; ++i) {
    for (const uint32_t slot : {raster::kDiffuseSlot, raster::kSpecularSlot})
      polygon.vertices[i].varyings[slot] = polygon.vertices[0].varyings[slot];
  }
  if (!queued.plan.outputs.is_transformed) raster::ClipToVolume(polygon, mask);
  raster::ClipPolygon<raster::ScreenVertex> screen;
  screen.count = polygon.count;
  screen.edges = polygon.edges;
  for (uint32_t i = 0; i < polygon.count; ++i)
    screen.vertices[i] = records_.ScreenVertexOf(polygon.vertices[i]);
  raster::ClipToGuardBand(screen, mask);
  if (screen.count >= 3) setup.Polygon(screen.vertices.data(), screen.count, screen.edges);
}

}  // namespace dp2trace::fast
