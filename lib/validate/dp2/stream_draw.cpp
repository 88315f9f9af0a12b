// Rules about streams, indices and level 8 draws: DP2-BIND-*, DP2-DRAW-*.
// Source: lib/opcode/dp2.md 5, 20.2 and 25.
#include "validate/dp2/topics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/plain_text.h"
#include "d3d/interface.h"
#include "device/layout.h"
#include "device/patch_record.h"
#include "device/vertex_program.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/primitive_count.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using opcode::Op;
using stream::Record;

constexpr uint32_t kShaderVersion3 = 0x0300;

// What the checks of a draw token need to know of its records.
struct DrawRow {
  Op op = {};
  stream::FieldRef primitives;
  bool has_type = false;  // the record starts with the primitive type
};
constexpr DrawRow kDrawRows[] = {
    {Op::kDrawPrimitive, stream::Field(layout::kDrawPrimitive, "primitive_count"), true},
    {Op::kDrawIndexedPrimitive, stream::Field(layout::kDrawIndexedPrimitive, "primitive_count"),
     true},
    {Op::kClippedTriangleFan, stream::Field(layout::kClippedTriangleFan, "primitive_count"), false},
    {Op::kDrawPrimitive2, stream::Field(layout::kDrawPrimitive2, "primitive_count"), true},
    {Op::kDrawIndexedPrimitive2, stream::Field(layout::kDrawIndexedPrimitive2, "primitive_count"),
     true},
};

const DrawRow* FindRow(Op op) {
  for (const DrawRow& row : kDrawRows) {
    if (row.op == op) return &row;
  }
  return nullptr;
}

// Operations whose vertices the runtime has transformed: they read only stream 0.
bool IsTransformed(Op op) {
  return op == Op::kClippedTriangleFan || op == Op::kDrawPrimitive2 ||
         op == Op::kDrawIndexedPrimitive2;
}

// DP2-DRAW-002, -020. A primitive type that does not exist: DP2-DRAW-001.
void CheckPrimitives(const CommandView& view) {
  constexpr stream::FieldRef kType = stream::Field(layout::kDrawPrimitive, "prim_type");
  const DrawRow& row = *FindRow(view.command.op->op);
  for (const Record& record : view.Records()) {
    if (row.has_type && (record.U32(kType) < 1 || record.U32(kType) > 6)) continue;
    const uint32_t count = record.U32(row.primitives);
    if (count == 0) {
      view.Report(Rule::kDp2Draw002, record, row.primitives,
                  "PrimitiveCount is 0, nothing is drawn", "0", "1 or more");
    }
    CheckPrimitiveCount(view, count, record, row.primitives);
  }
}

// DP2-DRAW-011: such a draw is skipped.
void CheckVertexCount(const CommandView& view, stream::FieldRef vertices,
                      stream::FieldRef primitives) {
  for (const Record& record : view.Records()) {
    if (record.U32(vertices) != 0 || record.U32(primitives) == 0) continue;
    view.Report(Rule::kDp2Draw011, record, vertices, "NumVertices is 0, nothing is drawn", "0",
                "1 or more");
  }
}

void CheckIndexedVertexCount(const CommandView& view) {
  using stream::Field;
  CheckVertexCount(view, Field(layout::kDrawIndexedPrimitive, "num_vertices"),
                   Field(layout::kDrawIndexedPrimitive, "primitive_count"));
}

void CheckIndexedVertexCount2(const CommandView& view) {
  using stream::Field;
  CheckVertexCount(view, Field(layout::kDrawIndexedPrimitive2, "num_vertices"),
                   Field(layout::kDrawIndexedPrimitive2, "primitive_count"));
}

// DP2-DRAW-019.
void CheckFanEdges(const CommandView& view) {
  constexpr stream::FieldRef kFlags = stream::Field(layout::kClippedTriangleFan, "edge_flags");
  constexpr stream::FieldRef kCount = stream::Field(layout::kClippedTriangleFan, "primitive_count");
  for (const Record& record : view.Records()) {
    const uint64_t edges = uint64_t{record.U32(kCount)} + 2;
    if (record.U32(kCount) == 0 || edges >= d3d::kMaxFanEdges || record.U32(kFlags) >> edges == 0)
      continue;
    view.Report(Rule::kDp2Draw019, record, kFlags,
                fmt::format("dwEdgeFlags {:#x} has bits above those of the {}", record.U32(kFlags),
                            Counted(edges, "edge")),
                fmt::format("{:#x}", record.U32(kFlags)), fmt::format("below {:#x}", 1U << edges));
  }
}

// The record that asked for a draw.
Record RecordOf(const CommandView& view, const device::Draw& draw) {
  for (const Record& record : view.Records()) {
    if (record.index == draw.record) return record;
  }
  return {};
}

// DP2-DRAW-011, -021.
void CheckIndexRange(const CommandView& view, const device::Draw& draw, const Record& record,
                     stream::FieldRef first, stream::FieldRef count) {
  const uint64_t low = record.U32(first);
  const uint64_t end = low + record.U32(count);
  if (draw.first_index < low || draw.last_index >= end) {
    const std::string promised =
        end == low ? "no vertex" : fmt::format("vertices {} to {}", low, end - 1);
    view.Report(Rule::kDp2Draw011, record, draw.first_index < low ? first : count,
                fmt::format("the indices are {} to {}, MinIndex and NumVertices promise {}",
                            draw.first_index, draw.last_index, promised),
                fmt::format("{} to {}", draw.first_index, draw.last_index), promised);
  }
  const uint32_t most = view.caps.Find(d3d::Cap::MaxVertexIndex).value_or(0);
  if (draw.indices.size != sizeof(uint32_t) || most == 0 || draw.last_index <= most) return;
  view.Report(Rule::kDp2Draw021, record,
              fmt::format("index {}, the device has at most {}", draw.last_index, most),
              fmt::format("{}", draw.last_index), fmt::format("at most {}", most));
}

// DP2-DRAW-022: drivers may process all vertices that MinIndex and NumVertices promise.
void CheckPromise(const CommandView& view, const device::Draw& draw, const Record& record,
                  stream::FieldRef first, stream::FieldRef count) {
  const int64_t last = draw.base_vertex + int64_t{record.U32(first)} + record.U32(count) - 1;
  const std::array<uint32_t, device::kStreamCount> ends = device::ElementEnds(*draw.layout);
  for (uint32_t i = 0; i < device::kStreamCount; ++i) {
    const device::VertexStream& stream = draw.streams[i];
    if (ends[i] == 0 || stream.bytes.empty() || stream.stride == 0 || stream.divider != 1) continue;
    const uint64_t size = stream.bytes.size();
    const uint64_t needed = stream.origin +
                            static_cast<uint64_t>(std::max<int64_t>(last, 0)) * stream.stride +
                            std::min(ends[i], stream.stride);
    if (needed <= size) continue;
    view.Report(
        Rule::kDp2Draw022, record, count,
        fmt::format("MinIndex and NumVertices promise vertices up to {}, stream {} ends before",
                    last, i),
        fmt::format("{}", record.U32(count)),
        fmt::format("vertices of the {} of the stream", Counted(size, "byte")));
    return;
  }
}

// DP2-DRAW-016.
void CheckByteOffset(const CommandView& view, const Record& record, stream::FieldRef field,
                     std::string_view name, int64_t offset) {
  const int64_t stride = view.context.state.streams[0].stride;
  if (stride == 0 || offset % stride == 0) return;
  view.Report(Rule::kDp2Draw016, record, field,
              fmt::format("{} is {}, the stride {}", name, offset, stride),
              fmt::format("{}", offset), fmt::format("a multiple of {}", stride));
}

// Streams that the layout of the program uses, and nothing where the device refuses the draw for it.
uint32_t StreamsOf(const device::BoundProgram& program) {
  if (program.layout != nullptr) return device::UsedStreams(*program.layout);
  return program.is_fvf ? 1 : 0;
}

bool IsUnbound(const device::State& state, uint32_t stream) {
  if (state.streams[0].is_user_memory) return stream != 0;  // the others do not count then
  return state.streams[stream].buffer == 0;
}

// DP2-BIND-013.
void CheckDivider(const CommandView& view, const device::BoundProgram& program, uint32_t stream) {
  const uint32_t divider = view.context.state.stream_dividers[stream];
  if (divider == 1) return;
  const bool has_code =
      program.shader != nullptr && program.shader->code.size() >= sizeof(uint32_t);
  const uint32_t version = has_code ? LoadU32(program.shader->code.data()) & 0xFFFF : 0;
  if (version >= kShaderVersion3) return;
  view.ReportAtDraw(
      Rule::kDp2Bind013, stream,
      fmt::format("stream {} has the divider {:#x}, the vertex shader is not of version 3.0",
                  stream, divider),
      fmt::format("{:#x}", divider), "1");
}

// DP2-DRAW-005.
void ReportUnbound(const CommandView& view, uint32_t stream) {
  view.ReportAtDraw(Rule::kDp2Draw005, stream,
                    fmt::format("the vertex format uses stream {}, which is not bound", stream),
                    "0", "a vertex buffer");
}

// A patch that is defined takes its control points from the bound streams. Without stream 0 it is refused: DP2-PATCH-021.
void CheckPatchStreams(const CommandView& view, bool is_triangle) {
  const device::State& state = view.context.state;
  if (IsUnbound(state, 0)) return;
  bool is_defined = false;
  for (const Record& record : view.Records())
    is_defined |= device::ReadPatch(state, record, is_triangle).info.has_value();
  const uint32_t used = is_defined ? StreamsOf(device::FindBoundProgram(view.context)) : 0;
  for (uint32_t i = 1; used >> i != 0; ++i) {
    if ((used >> i & 1) != 0 && IsUnbound(state, i)) ReportUnbound(view, i);
  }
}

void CheckStreams(const CommandView& view, const device::BoundProgram& program) {
  const bool is_transformed = IsTransformed(view.command.op->op);
  uint32_t used = StreamsOf(program);
  if (is_transformed && used > 1) {
    const bool is_refused =
        program.is_programmable || program.layout == nullptr || !program.layout->is_transformed;
    if (is_refused) return;  // DP2-DRAW-017
    view.ReportAtDraw(Rule::kDp2Draw018, 0,
                      fmt::format("the declaration uses stream {}, the token has only stream 0",
                                  std::countr_zero(used & ~1U)),
                      fmt::format("{}", std::countr_zero(used & ~1U)), "0");
    used &= 1;
  }
  for (uint32_t i = 0; used >> i != 0; ++i) {
    if ((used >> i & 1) == 0) continue;
    if (IsUnbound(view.context.state, i)) {
      ReportUnbound(view, i);
    } else if (!is_transformed) {
      CheckDivider(view, program, i);
    }
  }
}

constexpr CommandRule kStreamDrawRules[] = {
    {Op::kDrawPrimitive, CheckPrimitives},
    {Op::kDrawIndexedPrimitive, CheckPrimitives},
    {Op::kClippedTriangleFan, CheckPrimitives},
    {Op::kDrawPrimitive2, CheckPrimitives},
    {Op::kDrawIndexedPrimitive2, CheckPrimitives},
    {Op::kClippedTriangleFan, CheckFanEdges},
    {Op::kDrawIndexedPrimitive, CheckIndexedVertexCount},
    {Op::kDrawIndexedPrimitive2, CheckIndexedVertexCount2},
};

void CheckStreamDrawAtDraw(const CommandView& view) {
  const Op op = view.command.op->op;
  if (FindRow(op) != nullptr) CheckStreams(view, device::FindBoundProgram(view.context));
  if (op == Op::kDrawRectPatch || op == Op::kDrawTriPatch)
    CheckPatchStreams(view, op == Op::kDrawTriPatch);
}

void CheckDrawnStreamDraw(const CommandView& view, const device::Draw& draw) {
  using stream::Field;
  const Op op = view.command.op->op;
  if (FindRow(op) == nullptr || op == Op::kDrawPrimitive) return;
  const Record record = RecordOf(view, draw);
  if (record.host.at == nullptr) return;
  if (op == Op::kDrawIndexedPrimitive) {
    constexpr stream::FieldRef kMin = Field(layout::kDrawIndexedPrimitive, "min_index");
    constexpr stream::FieldRef kCount = Field(layout::kDrawIndexedPrimitive, "num_vertices");
    CheckIndexRange(view, draw, record, kMin, kCount);
    CheckPromise(view, draw, record, kMin, kCount);
  } else if (op == Op::kDrawIndexedPrimitive2) {
    constexpr stream::FieldRef kMin = Field(layout::kDrawIndexedPrimitive2, "min_index");
    constexpr stream::FieldRef kCount = Field(layout::kDrawIndexedPrimitive2, "num_vertices");
    constexpr stream::FieldRef kBase = Field(layout::kDrawIndexedPrimitive2, "base_vertex_offset");
    CheckIndexRange(view, draw, record, kMin, kCount);
    CheckByteOffset(view, record, kBase, "BaseVertexOffset", record.I32(kBase));
  } else {
    constexpr stream::FieldRef kFan = Field(layout::kClippedTriangleFan, "first_vertex_offset");
    constexpr stream::FieldRef kRun = Field(layout::kDrawPrimitive2, "first_vertex_offset");
    const stream::FieldRef field = op == Op::kClippedTriangleFan ? kFan : kRun;
    CheckByteOffset(view, record, field, "FirstVertexOffset", record.U32(field));
  }
}

}  // namespace

const Topic kStreamDrawTopic = {
    .rules = [] { return std::span<const CommandRule>(kStreamDrawRules); },
    .at_draw = CheckStreamDrawAtDraw,
    .drawn = CheckDrawnStreamDraw};

}  // namespace dp2trace::validate
