// Draws from the bound streams. Source: lib/opcode/dp2.md 5.2 and 20.2; lib/raster/rendering-geometry.md 2.1 (instances).
#include <fmt/format.h>

#include <algorithm>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "d3d/stream_source.h"
#include "device/apply/apply.h"
#include "device/draw_setup.h"
#include "device/token.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using d3d::PrimitiveType;
using stream::Record;

constexpr uint32_t kFirstStream = 1;

// All draw records but the fan start with the primitive type.
constexpr stream::FieldRef kPrimitiveType = stream::Field(layout::kDrawPrimitive, "prim_type");
static_assert(kPrimitiveType.offset == 0 &&
              stream::Field(layout::kDrawIndexedPrimitive, "prim_type").offset == 0 &&
              stream::Field(layout::kDrawPrimitive2, "prim_type").offset == 0 &&
              stream::Field(layout::kDrawIndexedPrimitive2, "prim_type").offset == 0);

// One record: the draw and the layout that it points to. Must not move.
struct StreamDraw {
  ProgramLayout program;
  Draw draw;
};

// Type and count. False where nothing is drawn.
bool BeginPrimitives(const Token& token, const Record& record, uint32_t type, uint32_t count,
                     Draw& draw) {
  if (type < d3d::Value(PrimitiveType::PointList) ||
      type > d3d::Value(PrimitiveType::TriangleFan)) {
    token.Report(Rule::kDp2Draw001, record, kPrimitiveType, fmt::format("primitive type {}", type),
                 fmt::format("{}", type), AllValuesText(d3d::kPrimitiveTypeNames));
    return false;
  }
  draw.type = static_cast<PrimitiveType>(type);
  draw.primitive_count = count;
  draw.event = token.call.event;
  draw.offset = token.command.offset;
  draw.record = record.index;
  return count != 0;
}

// The number of instances stands in the divider of stream 0, used or not; 0 counts as 1.
uint32_t InstanceCount(const State& state) {
  const bool is_instanced = std::ranges::any_of(
      state.stream_dividers, [](uint32_t divider) { return (divider & d3d::kInstanceData) != 0; });
  return is_instanced ? std::max(state.stream_dividers[0] & d3d::kDividerMask, 1U) : 1;
}

bool BeginStreams(const Token& token, const Record& record, uint32_t streams,
                  StreamDraw& stream_draw) {
  return FindProgramLayout(token, record, stream_draw.program) &&
         BindStreams(token, record, *stream_draw.program.layout, streams, stream_draw.draw);
}

// Tokens 58 to 60 carry vertices that the runtime has transformed.
bool CheckTransformed(const Token& token, const Record& record, const ProgramLayout& program) {
  if (program.layout->is_transformed && !program.is_programmable) return true;
  token.Report(Rule::kDp2Draw017, record, "the vertex format is not one of transformed vertices",
               program.is_programmable ? "a vertex shader" : "vertices that are not transformed",
               "XYZRHW or POSITIONT");
  return false;
}

// The bound index buffer.
bool BindIndices(const Token& token, const Record& record, stream::FieldRef start, uint64_t origin,
                 Draw& draw) {
  const IndexBinding& binding = token.context.state.indices;
  if (binding.buffer == 0) {
    token.Report(Rule::kDp2Draw009, record, "no index buffer is bound, nothing is drawn", "0",
                 "an index buffer");
    return false;
  }
  // A buffer that was destroyed, or is something else by now: the rules about bindings say so.
  const SurfaceRef buffer = token.context.space->Find(binding.buffer);
  if (!buffer || !buffer.resource->is_buffer()) return false;
  const uint64_t size = buffer.surface().size_bytes();
  const uint64_t needed = VertexCount(draw.type, draw.primitive_count) * binding.stride;
  if (origin > size || needed > size - origin) {
    token.Report(
        Rule::kDp2Draw010, record, start,
        fmt::format("the draw reads its indices from bytes {} to {}, the index buffer has {}",
                    origin, origin + needed, Counted(size, "byte")),
        fmt::format("{}", origin + needed), fmt::format("at most {}", size));
    return false;
  }
  draw.indices = {.bytes = Bytes(buffer.bits().bytes, static_cast<size_t>(size)),
                  .origin = origin,
                  .size = binding.stride};
  return true;
}

void EmitIndexed(const Token& token, const Record& record, stream::FieldRef base, Draw& draw) {
  const uint64_t count = VertexCount(draw.type, draw.primitive_count);
  if (!token.work.Spend(count * kIndexSteps)) return;
  const IndexRange range = FindIndexRange(draw, 0, count);
  draw.first_index = range.first;
  draw.last_index = range.last;
  if (CheckVertices(token, record, base, draw, draw.base_vertex + range.first,
                    draw.base_vertex + range.last, Rule::kDp2Draw012) &&
      IsWithinLimit(token, record, draw))
    token.sink.OnDraw(draw);
}

// Moves stream 0 by a signed number of bytes. A start before the buffer becomes vertices before vertex 0.
bool MoveStream(Draw& draw, int64_t offset) {
  VertexStream& stream = draw.streams[0];
  const int64_t origin = static_cast<int64_t>(stream.origin) + offset;  // both are below 2^33
  if (origin >= 0) {
    stream.origin = static_cast<uint64_t>(origin);
    return true;
  }
  if (stream.stride == 0) return false;
  const int64_t stride = stream.stride;
  const int64_t vertices = (-origin + stride - 1) / stride;
  stream.origin = static_cast<uint64_t>(origin + vertices * stride);
  draw.base_vertex = -vertices;
  return true;
}

void DrawTransformedRun(const Token& token, const Record& record, stream::FieldRef first,
                        StreamDraw& stream_draw) {
  if (!CheckPrimitiveCount(token, record, stream_draw.draw)) return;
  if (!BeginStreams(token, record, kFirstStream, stream_draw)) return;
  if (!CheckTransformed(token, record, stream_draw.program)) return;
  Draw& draw = stream_draw.draw;
  draw.streams[0].origin += record.U32(first);
  const auto last = static_cast<int64_t>(VertexCount(draw.type, draw.primitive_count)) - 1;
  if (CheckVertices(token, record, first, draw, 0, last, Rule::kDp2Draw015) &&
      IsWithinLimit(token, record, draw))
    token.sink.OnDraw(draw);
}

void DrawIndexed(const Token& token, const Record& record) {
  constexpr stream::FieldRef kBase =
      stream::Field(layout::kDrawIndexedPrimitive, "base_vertex_index");
  constexpr stream::FieldRef kStart = stream::Field(layout::kDrawIndexedPrimitive, "start_index");
  constexpr stream::FieldRef kCount =
      stream::Field(layout::kDrawIndexedPrimitive, "primitive_count");
  constexpr stream::FieldRef kVertices =
      stream::Field(layout::kDrawIndexedPrimitive, "num_vertices");
  StreamDraw stream_draw;
  Draw& draw = stream_draw.draw;
  if (record.U32(kVertices) == 0) return;  // DP2-DRAW-011
  if (!BeginPrimitives(token, record, record.U32(kPrimitiveType), record.U32(kCount), draw)) return;
  if (record.I32(kBase) < 0 && token.context.level < 9) {
    token.Report(Rule::kDp2Draw013, record, kBase,
                 fmt::format("the base vertex is {}", record.I32(kBase)),
                 fmt::format("{}", record.I32(kBase)), "0 or more at level 8");
    return;
  }
  draw.instance_count = InstanceCount(token.context.state);
  draw.base_vertex = record.I32(kBase);
  const uint64_t origin = uint64_t{record.U32(kStart)} * token.context.state.indices.stride;
  if (CheckPrimitiveCount(token, record, draw) &&
      BeginStreams(token, record, kAllStreams, stream_draw) &&
      BindIndices(token, record, kStart, origin, draw))
    EmitIndexed(token, record, kBase, draw);
}

void DrawIndexed2(const Token& token, const Record& record) {
  constexpr stream::FieldRef kBase =
      stream::Field(layout::kDrawIndexedPrimitive2, "base_vertex_offset");
  constexpr stream::FieldRef kStart =
      stream::Field(layout::kDrawIndexedPrimitive2, "start_index_offset");
  constexpr stream::FieldRef kCount =
      stream::Field(layout::kDrawIndexedPrimitive2, "primitive_count");
  constexpr stream::FieldRef kVertices =
      stream::Field(layout::kDrawIndexedPrimitive2, "num_vertices");
  StreamDraw stream_draw;
  Draw& draw = stream_draw.draw;
  if (record.U32(kVertices) == 0) return;  // DP2-DRAW-011
  if (!BeginPrimitives(token, record, record.U32(kPrimitiveType), record.U32(kCount), draw)) return;
  const uint32_t start = record.U32(kStart);
  const uint32_t stride = token.context.state.indices.stride;
  if (stride != 0 && start % stride != 0) {
    token.Report(
        Rule::kDp2Draw014, record, kStart,
        fmt::format("indices start at {}, an index has {}", start, Counted(stride, "byte")),
        fmt::format("{}", start), fmt::format("a multiple of {}", stride));
    return;
  }
  if (!CheckPrimitiveCount(token, record, draw) ||
      !BeginStreams(token, record, kFirstStream, stream_draw))
    return;
  if (!CheckTransformed(token, record, stream_draw.program) ||
      !BindIndices(token, record, kStart, start, draw))
    return;
  if (!MoveStream(draw, record.I32(kBase))) {
    token.Report(Rule::kDp2Draw015, record, kBase,
                 fmt::format("vertex offset {} before a stream of stride 0", record.I32(kBase)),
                 fmt::format("{}", record.I32(kBase)), "0 or more");
    return;
  }
  EmitIndexed(token, record, kBase, draw);
}

void DrawRun(const Token& token, const Record& record) {
  constexpr stream::FieldRef kStart = stream::Field(layout::kDrawPrimitive, "v_start");
  constexpr stream::FieldRef kCount = stream::Field(layout::kDrawPrimitive, "primitive_count");
  StreamDraw stream_draw;
  Draw& draw = stream_draw.draw;
  if (!BeginPrimitives(token, record, record.U32(kPrimitiveType), record.U32(kCount), draw)) return;
  if (!CheckPrimitiveCount(token, record, draw) ||
      !BeginStreams(token, record, kAllStreams, stream_draw))
    return;
  draw.base_vertex = record.U32(kStart);
  const int64_t last =
      draw.base_vertex + static_cast<int64_t>(VertexCount(draw.type, draw.primitive_count)) - 1;
  if (CheckVertices(token, record, kStart, draw, draw.base_vertex, last, Rule::kDp2Draw006) &&
      IsWithinLimit(token, record, draw))
    token.sink.OnDraw(draw);
}

}  // namespace

void ApplyDrawPrimitive(Token& token) {
  for (const Record& record : token.Records())
    DrawRun(token, record);
}

void ApplyDrawIndexedPrimitive(Token& token) {
  for (const Record& record : token.Records())
    DrawIndexed(token, record);
}

void ApplyDrawPrimitive2(Token& token) {
  constexpr stream::FieldRef kFirst = stream::Field(layout::kDrawPrimitive2, "first_vertex_offset");
  constexpr stream::FieldRef kCount = stream::Field(layout::kDrawPrimitive2, "primitive_count");
  for (const Record& record : token.Records()) {
    StreamDraw stream_draw;
    if (BeginPrimitives(token, record, record.U32(kPrimitiveType), record.U32(kCount),
                        stream_draw.draw))
      DrawTransformedRun(token, record, kFirst, stream_draw);
  }
}

void ApplyDrawIndexedPrimitive2(Token& token) {
  for (const Record& record : token.Records())
    DrawIndexed2(token, record);
}

void ApplyClippedTriangleFan(Token& token) {
  constexpr stream::FieldRef kFirst =
      stream::Field(layout::kClippedTriangleFan, "first_vertex_offset");
  constexpr stream::FieldRef kEdges = stream::Field(layout::kClippedTriangleFan, "edge_flags");
  constexpr stream::FieldRef kCount = stream::Field(layout::kClippedTriangleFan, "primitive_count");
  for (const Record& record : token.Records()) {
    StreamDraw stream_draw;
    Draw& draw = stream_draw.draw;
    if (!BeginPrimitives(token, record, d3d::Value(PrimitiveType::TriangleFan), record.U32(kCount),
                         draw))
      continue;
    draw.edges = EdgeSource::kFanMask;
    draw.fan_edges = record.U32(kEdges);
    DrawTransformedRun(token, record, kFirst, stream_draw);
  }
}

}  // namespace dp2trace::device
