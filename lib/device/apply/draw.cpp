// Legacy and immediate draws: vertices of the call, or inside the token. Source: lib/opcode/dp2.md 3 and 4.
#include <fmt/format.h>

#include <algorithm>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "d3d/fvf.h"
#include "device/apply/apply.h"
#include "device/draw_setup.h"
#include "device/token.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using d3d::PrimitiveType;
using opcode::Op;
using stream::Record;

// How the tokens with indices lay them out.
struct IndexedRow {
  Op op;
  PrimitiveType type;
  uint32_t per_record;   // indices of a record with other fields, else 0
  uint32_t record_size;  // bytes of such a record
  EdgeSource edges;
};
constexpr IndexedRow kIndexedRows[] = {
    {Op::kIndexedLineList, PrimitiveType::LineList, 0, 0, EdgeSource::kAll},
    {Op::kIndexedTriangleList, PrimitiveType::TriangleList, 3, 8, EdgeSource::kRecordFlags},
    {Op::kIndexedLineStrip, PrimitiveType::LineStrip, 0, 0, EdgeSource::kAll},
    {Op::kIndexedTriangleStrip, PrimitiveType::TriangleStrip, 0, 0, EdgeSource::kAll},
    {Op::kIndexedTriangleFan, PrimitiveType::TriangleFan, 0, 0, EdgeSource::kAll},
    {Op::kIndexedTriangleList2, PrimitiveType::TriangleList, 0, 0, EdgeSource::kAll},
    {Op::kIndexedLineList2, PrimitiveType::LineList, 0, 0, EdgeSource::kAll},
};

struct RunRow {
  Op op;
  PrimitiveType type;
};
constexpr RunRow kRunRows[] = {
    {Op::kLineList, PrimitiveType::LineList},
    {Op::kLineStrip, PrimitiveType::LineStrip},
    {Op::kTriangleList, PrimitiveType::TriangleList},
    {Op::kTriangleStrip, PrimitiveType::TriangleStrip},
    {Op::kTriangleFan, PrimitiveType::TriangleFan},
    {Op::kTriangleFanImm, PrimitiveType::TriangleFan},
    {Op::kLineListImm, PrimitiveType::LineList},
};

PrimitiveType TypeOf(Op op) {
  const auto* const row = std::ranges::find(kRunRows, op, &RunRow::op);
  return row == std::end(kRunRows) ? PrimitiveType::PointList : row->type;
}

// A draw of the call's vertex format, before its primitives are known.
struct LegacyDraw {
  VertexLayout layout;
  Draw draw;
  int64_t vertex_count = 0;  // vertices whose bytes are there
  int64_t announced = 0;     // vertices that the call has according to dwVertexLength
};

bool CheckFormat(const Token& token, const Record& record, const VertexLayout& vertex,
                 Rule no_size) {
  const Call& call = token.call;
  if (call.vertex_size == 0) {
    token.Report(no_size, record, "the vertices have 0 bytes", "0", "1 or more");
    return false;
  }
  if (const std::optional<Rule> defect = FindFvfDefect(call.vertex_type, token.context.level)) {
    token.Report(*defect, record, NameFormat(call.vertex_type),
                 fmt::format("{} ({:#x})", d3d::FvfText(call.vertex_type), call.vertex_type),
                 std::string(LegalFvf(*defect)));
    return false;
  }
  const uint32_t size = ElementEnds(vertex)[0];
  if (size > call.vertex_size) {
    token.Report(Rule::kDp2Fvf011, record,
                 fmt::format("the format needs {}, a vertex has {}", Counted(size, "byte"),
                             call.vertex_size),
                 fmt::format("{}", size), fmt::format("at most {}", call.vertex_size));
  }
  return true;
}

// Vertices that lie in `bytes` with all the elements that fit into `size`, at most `announced`.
int64_t CountVertices(Bytes bytes, uint32_t size, const VertexLayout& vertex, uint32_t announced) {
  const uint32_t needed = NeededBytes(size, ElementEnds(vertex)[0]);
  if (bytes.size() < needed) return 0;
  return static_cast<int64_t>(std::min<uint64_t>(announced, (bytes.size() - needed) / size + 1));
}

// False after a report. The draw points into the LegacyDraw: it must not move.
bool BeginLegacy(const Token& token, const Record& record, Rule no_size, LegacyDraw& legacy) {
  const Call& call = token.call;
  legacy.layout = LayoutOfFvf(call.vertex_type, FvfLevel(token.context));
  if (!CheckFormat(token, record, legacy.layout, no_size)) return false;
  legacy.draw.layout = &legacy.layout;
  legacy.draw.streams[0] = {.bytes = call.vertices, .stride = call.vertex_size};
  legacy.draw.event = call.event;
  legacy.draw.offset = token.command.offset;
  legacy.vertex_count =
      CountVertices(call.vertices, call.vertex_size, legacy.layout, call.vertex_count);
  legacy.announced = call.vertex_count;
  return true;
}

// The vertices before `end` are announced and there. False is news where dwVertexLength is the reason: that its bytes are missing, or
// that it is 0, is a defect of the call (DP2-CALL-005 to -008, DP2-STREAM-011).
bool HoldsVertices(const LegacyDraw& legacy, int64_t end, bool& is_news) {
  is_news = end > legacy.announced && legacy.announced != 0;
  return end <= legacy.vertex_count;
}

// Vertices first to first + count - 1 are there; a report otherwise.
bool CheckRun(const Token& token, const Record& record, const LegacyDraw& legacy, int64_t first,
              uint64_t count) {
  const int64_t end = first + static_cast<int64_t>(count);
  bool is_news = false;
  if (HoldsVertices(legacy, end, is_news)) return true;
  if (is_news) {
    token.Report(Rule::kDp2Prim001, record,
                 fmt::format("vertices {} to {} of {}", first, end - 1, legacy.announced),
                 fmt::format("{}", end - 1), fmt::format("below {}", legacy.announced));
  }
  return false;
}

void EmitRun(const Token& token, const Record& record, LegacyDraw& legacy, PrimitiveType type,
             uint32_t count, int64_t first) {
  Draw& draw = legacy.draw;
  draw.type = type;
  draw.primitive_count = count;
  draw.base_vertex = first;
  if (!CheckRun(token, record, legacy, first, VertexCount(type, count))) return;
  if (CheckPrimitiveCount(token, record, draw) && IsWithinLimit(token, record, draw))
    token.sink.OnDraw(draw);
}

// One list primitive, or a whole strip or fan.
bool CheckIndices(const Token& token, const LegacyDraw& legacy, uint64_t first_k, uint64_t count,
                  const Record& record) {
  const IndexRange range = FindIndexRange(legacy.draw, first_k, count);
  const int64_t last = legacy.draw.base_vertex + range.last;
  bool is_news = false;
  if (HoldsVertices(legacy, last + 1, is_news)) return true;
  if (is_news) {
    token.Report(Rule::kDp2Prim002, record, fmt::format("vertex {} of {}", last, legacy.announced),
                 fmt::format("{}", last), fmt::format("below {}", legacy.announced));
  }
  return false;
}

void EmitIndexed(const Token& token, const LegacyDraw& legacy, uint32_t first, uint32_t count) {
  if (count == 0) return;
  Draw draw = legacy.draw;
  const auto vertices = static_cast<uint32_t>(VertexCount(draw.type, 1));
  const uint32_t size =
      draw.indices.per_record != 0 ? draw.indices.record_size : vertices * draw.indices.size;
  draw.indices.origin += uint64_t{first} * size;
  draw.primitive_count = count;
  token.sink.OnDraw(draw);
}

// wFlags of a record that has them: edges, and the hints of the execute buffers.
bool CheckTriangleFlags(const Token& token, const LegacyDraw& legacy, const Record& record) {
  constexpr stream::FieldRef kFlags = stream::Field(layout::kIndexedTriangleList, "flags");
  constexpr uint32_t kHints = 0x1F;
  constexpr uint32_t kDefined = d3d::Value(d3d::TriFlag::EdgeEnable1) |
                                d3d::Value(d3d::TriFlag::EdgeEnable2) |
                                d3d::Value(d3d::TriFlag::EdgeEnable3) | kHints;
  if (legacy.draw.edges != EdgeSource::kRecordFlags) return true;
  const uint32_t flags = record.U32(kFlags);
  if ((flags & ~kDefined) == 0) return true;
  token.Report(Rule::kDp2Prim004, record, kFlags,
               fmt::format("wFlags has the reserved bits {:#06x}", flags & ~kDefined),
               FlagsText(d3d::kTriFlagNames, flags),
               fmt::format("bits of {}", FlagsText(d3d::kTriFlagNames, kDefined)));
  return false;
}

// Lists lose the primitives whose vertices are missing or whose flags are not legal; the runs between them are drawn.
void DrawIndexedList(const Token& token, const LegacyDraw& legacy, uint32_t count) {
  const uint64_t per_primitive = VertexCount(legacy.draw.type, 1);
  uint32_t start = 0;
  for (const Record& record : token.Records()) {
    const bool is_legal = CheckTriangleFlags(token, legacy, record);
    if (CheckIndices(token, legacy, record.index * per_primitive, per_primitive, record) &&
        is_legal)
      continue;
    EmitIndexed(token, legacy, start, record.index - start);
    start = record.index + 1;
  }
  EmitIndexed(token, legacy, start, count - start);
}

}  // namespace

void ApplyLegacyDraw(Token& token) {
  constexpr stream::FieldRef kStart = stream::Field(layout::kTriangleList, "v_start");
  static_assert(kStart.offset == 0 && layout::kLineList.size == 2 &&
                layout::kTriangleFan.size == 2);
  if (token.command.count == 0) return;
  const Record record = FixedRecord(token);
  LegacyDraw legacy;
  if (!BeginLegacy(token, record, Rule::kDp2Prim009, legacy)) return;
  EmitRun(token, record, legacy, TypeOf(token.command.op->op), token.command.count,
          record.U32(kStart));
}

void ApplyLegacyPoints(Token& token) {
  constexpr stream::FieldRef kCount = stream::Field(layout::kPoints, "count");
  constexpr stream::FieldRef kStart = stream::Field(layout::kPoints, "v_start");
  if (token.command.count == 0) return;
  LegacyDraw legacy;
  if (!BeginLegacy(token, Record(), Rule::kDp2Prim009, legacy)) return;
  for (const Record& record : token.Records()) {
    const uint32_t count = record.U32(kCount);
    if (count != 0)
      EmitRun(token, record, legacy, PrimitiveType::PointList, count, record.U32(kStart));
  }
}

void ApplyLegacyIndexedDraw(Token& token) {
  constexpr stream::FieldRef kStart = stream::Field(layout::kStartVertex, "v_start");
  const auto* const row = std::ranges::find(kIndexedRows, token.command.op->op, &IndexedRow::op);
  const uint32_t count = token.command.count;
  if (count == 0 || row == std::end(kIndexedRows)) return;
  LegacyDraw legacy;
  if (!BeginLegacy(token, Record(), Rule::kDp2Prim009, legacy)) return;
  Draw& draw = legacy.draw;
  draw.type = row->type;
  draw.primitive_count = count;
  draw.base_vertex =
      token.command.op->fixed != nullptr ? stream::FieldU32(token.command, kStart) : 0;
  draw.indices = {.bytes = stream::ListElements(token.command),
                  .size = 2,
                  .per_record = row->per_record,
                  .record_size = row->record_size};
  draw.edges = row->edges;
  if (!CheckPrimitiveCount(token, Record(), draw) || !IsWithinLimit(token, Record(), draw)) return;
  const bool is_list =
      row->type == PrimitiveType::LineList || row->type == PrimitiveType::TriangleList;
  if (is_list) return DrawIndexedList(token, legacy, count);
  if (CheckIndices(token, legacy, 0, VertexCount(row->type, count), Record()))
    token.sink.OnDraw(draw);
}

void ApplyImmediateDraw(Token& token) {
  constexpr stream::FieldRef kEdges = stream::Field(layout::kTriangleFanImm, "edge_flags");
  if (token.command.count == 0) return;
  const Record record = FixedRecord(token);
  LegacyDraw legacy;
  if (!BeginLegacy(token, record, Rule::kDp2Imm002, legacy)) return;
  if (!legacy.layout.is_transformed) {
    token.Report(
        Rule::kDp2Imm006, record, NameFormat(token.call.vertex_type),
        fmt::format("{} ({:#x})", d3d::FvfText(token.call.vertex_type), token.call.vertex_type),
        "XYZRHW");
    return;
  }
  const Bytes vertices = record.Tail(0).bytes;
  legacy.draw.streams[0].bytes = vertices;
  legacy.vertex_count = CountVertices(vertices, token.call.vertex_size, legacy.layout, UINT32_MAX);
  legacy.announced = legacy.vertex_count;
  if (token.command.op->op == Op::kTriangleFanImm) {
    legacy.draw.edges = EdgeSource::kFanMask;
    legacy.draw.fan_edges = record.U32(kEdges);
  }
  EmitRun(token, record, legacy, TypeOf(token.command.op->op), token.command.count, 0);
}

}  // namespace dp2trace::device
