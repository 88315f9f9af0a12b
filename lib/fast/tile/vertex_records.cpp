#include "fast/tile/vertex_records.h"

#include <cmath>

#include "raster/primitive/fixed_point.h"
#include "raster/vertex/clip.h"
#include "raster/vertex/viewport.h"

namespace dp2trace::fast {
namespace {

using raster::kUserPlaneCount;

// What the component is of a processed vertex.
float ValueOf(const raster::Vertex& vertex, const PixelInput& component, raster::FogSource fog) {
  if (component.slot != kFogSlot) return vertex.varyings[component.slot][component.component];
  return fog == raster::FogSource::kFactor ? vertex.fog : 0.0F;  // z follows from the position
}

}  // namespace

void VertexRecords::Start(const QueuedDraw& draw, uint32_t planes, CornerArena& arena) {
  draw_ = &draw;
  planes_ = planes;
  constexpr size_t kStep = CornerArena::kUnit / sizeof(float);
  const size_t floats =
      sizeof(VertexRecord) / sizeof(float) + draw.padded + (planes != 0 ? kUserPlaneCount : 0);
  stride_ = (floats + kStep - 1) / kStep * kStep;
  arena_ = &arena;
  places_.clear();
}

float* VertexRecords::Add(size_t count) {
  const auto units = static_cast<uint32_t>(stride_ * sizeof(float) / CornerArena::kUnit);
  uint32_t unit = arena_->Allocate(count * units);
  auto* const first = reinterpret_cast<float*>(&arena_->vertex(unit));
  for (size_t i = 0; i < count; ++i, unit += units)
    places_.push_back(unit);
  // Components that the draw has not.
  constexpr size_t kHeader = sizeof(VertexRecord) / sizeof(float);
  for (size_t c = kHeader + 1 + draw_->components.size(); c < kHeader + draw_->padded; ++c) {
    for (size_t i = 0; i < count; ++i)
      first[i * stride_ + c] = 0;
  }
  return first;
}

void VertexRecords::Append(const raster::Vertex& vertex) {
  VertexRecord& record = *reinterpret_cast<VertexRecord*>(Add(1));
  for (size_t i = 0; i < 4; ++i)
    record.position[i] = vertex.position[i];
  float* component = record.components() + 1;
  for (const PixelInput& input : draw_->components)
    *component++ = ValueOf(vertex, input, draw_->plan.raster.fog);
  if (planes_ != 0) {
    for (size_t i = 0; i < kUserPlaneCount; ++i)
      PlanesOf(record)[i] = vertex.plane_distances[i];
  }
  Place(record);
}

void VertexRecords::AppendBlock(const Frame& frame, const VertexOperands& operands, size_t count) {
  float* const first = Add(count);
  const auto record_of = [&](size_t lane) -> VertexRecord& {
    return *reinterpret_cast<VertexRecord*>(first + lane * stride_);
  };
  // The number of each vertex that lies this many floats after the start of its record.
  const auto store = [&](Operand operand, size_t offset) {
    const float* from = operand.is_constant() ? frame.constants[operand.number()].lanes.data()
                                              : frame.registers[operand.number()].lanes.data();
    const size_t step = operand.is_constant() ? 0 : 1;
    float* to = first + offset;
    for (size_t lane = 0; lane < count; ++lane, to += stride_)
      *to = from[lane * step];
  };
  constexpr size_t kComponents = sizeof(VertexRecord) / sizeof(float);
  for (size_t i = 0; i < 4; ++i)
    store(operands.position[i], offsetof(VertexRecord, position) / sizeof(float) + i);
  for (size_t i = 0; i < operands.components.size(); ++i)
    store(operands.components[i], kComponents + 1 + i);
  for (size_t i = 0; planes_ != 0 && i < kUserPlaneCount; ++i) {
    const bool is_enabled = (planes_ >> i & 1U) != 0;
    for (size_t lane = 0; lane < count; ++lane)
      PlanesOf(record_of(lane))[i] = is_enabled ? LaneOf(operands.planes[i], frame, lane) : 0.0F;
  }
  const uint32_t* inside = frame.registers[operands.inside.number()].words();
  for (size_t lane = 0; lane < count; ++lane) {
    VertexRecord& record = record_of(lane);
    if (inside[lane] == 0) {
      Place(record);
      continue;
    }
    record.outside = record.needs_clip = 0;
    record.x = LaneOf(operands.screen[0], frame, lane);
    record.y = LaneOf(operands.screen[1], frame, lane);
    record.z = LaneOf(operands.screen[2], frame, lane);
    record.components()[0] = LaneOf(operands.screen[3], frame, lane);
    Snap(record);
  }
}

// The product is exact, floor of the sum in binary64 too.
void VertexRecords::Snap(VertexRecord& record) {
  const auto fixed = [](float x) {
    const double scaled = double{x} * 256.0 + 0.5;
    const auto truncated = static_cast<int32_t>(scaled);
    return static_cast<double>(truncated) > scaled ? truncated - 1 : truncated;
  };
  record.fixed_x = fixed(record.x);
  record.fixed_y = fixed(record.y);
}

void VertexRecords::Place(VertexRecord& record) const {
  const float* p = record.position;
  const bool is_transformed = draw_->plan.outputs.is_transformed;
  record.outside = 0;
  float rhw = p[3] == 0 ? 1.0F : p[3];
  record.x = p[0];
  record.y = p[1];
  record.z = p[2];
  if (!is_transformed) {
    const auto test = [&](uint32_t plane, float distance) {
      if (!(distance >= 0)) record.outside |= 1U << plane;
    };
    test(0, p[2]);
    test(1, p[3] - p[2]);
    for (uint32_t i = 0; planes_ != 0 && i < kUserPlaneCount; ++i)
      test(2 + i, PlanesOf(record)[i]);
    test(2 + kUserPlaneCount, p[3] - raster::kLeastW);
    const vertex::Float4 mapped = draw_->plan.viewport.Map({p[0], p[1], p[2], p[3]});
    record.x = mapped[0];
    record.y = mapped[1];
    record.z = mapped[2];
    rhw = mapped[3];
  }
  record.components()[0] = rhw;
  if (draw_->plan.raster.fog == raster::FogSource::kZ) SetFogDepth(record);
  const bool is_in_guard_band =
      std::abs(record.x) <= raster::kGuardBand && std::abs(record.y) <= raster::kGuardBand;
  record.needs_clip = record.outside != 0 || !is_in_guard_band ? 1 : 0;
  if (!is_in_guard_band) return;
  Snap(record);
}

// Fog by z takes the depth as an attribute.
void VertexRecords::SetFogDepth(VertexRecord& record) const {
  uint32_t i = 1;
  for (const PixelInput& input : draw_->components) {
    if (input.slot == kFogSlot) record.components()[i] = record.z;
    ++i;
  }
}

raster::Vertex VertexRecords::VertexOf(const VertexRecord& record) const {
  raster::Vertex vertex;
  for (size_t i = 0; i < 4; ++i)
    vertex.position[i] = record.position[i];
  const float* component = record.components() + 1;
  for (const PixelInput& input : draw_->components) {
    if (input.slot == kFogSlot) {
      vertex.fog = *component++;
    } else {
      vertex.varyings[input.slot][input.component] = *component++;
    }
  }
  const float* planes = record.components() + draw_->padded;
  for (size_t i = 0; planes_ != 0 && i < kUserPlaneCount; ++i)
    vertex.plane_distances[i] = planes[i];
  return vertex;
}

raster::ScreenVertex VertexRecords::ScreenVertexOf(const raster::Vertex& vertex) const {
  return draw_->plan.outputs.is_transformed ? raster::ScreenVertexOf(vertex)
                                            : raster::Map(draw_->plan.viewport, vertex);
}

}  // namespace dp2trace::fast
