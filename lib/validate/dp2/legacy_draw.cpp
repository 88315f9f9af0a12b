#include "validate/dp2/legacy_draw.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "d3d/interface.h"
#include "device/vertex_program.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/primitive_count.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::PrimitiveType;
using d3d::RenderState;
using opcode::Op;
using stream::Record;

// DP2-PRIM-005, -006.
void CheckTriangleFlags(const CommandView& view) {
  constexpr stream::FieldRef kFlags = stream::Field(layout::kIndexedTriangleList, "flags");
  constexpr uint32_t kHints = 0x1F;
  constexpr uint32_t kEdges = d3d::Value(d3d::TriFlag::EdgeEnable1) |
                              d3d::Value(d3d::TriFlag::EdgeEnable2) |
                              d3d::Value(d3d::TriFlag::EdgeEnable3);
  const uint8_t* at = stream::ListElements(view.command).data();
  uint32_t all = 0;
  std::optional<uint32_t> hinted;  // the first record with such bits
  for (uint32_t i = 0; i < view.command.count; ++i, at += layout::kIndexedTriangleList.size) {
    all |= stream::FieldU32(at, kFlags);
    if (!hinted && (all & kHints) != 0) hinted = i;
  }
  if (hinted) {
    view.Report(Rule::kDp2Prim005, stream::RecordAt(view.command, *hinted), kFlags,
                fmt::format("wFlags has the strip and fan bits {:#x}, which mean nothing here",
                            all & kHints),
                FlagsText(d3d::kTriFlagNames, all),
                fmt::format("bits of {}", FlagsText(d3d::kTriFlagNames, kEdges)));
  }
  const bool is_wireframe =
      view.context.state.value(RenderState::FillMode) == d3d::Value(d3d::FillMode::Wireframe);
  if (is_wireframe && (all & kEdges) == 0 && view.command.count != 0) {
    view.Report(Rule::kDp2Prim006,
                "FILLMODE is WIREFRAME and no triangle has an edge: nothing is drawn", "0",
                fmt::format("one of {}", FlagsText(d3d::kTriFlagNames, kEdges)));
  }
}

// DP2-PRIM-008.
void CheckLegacyPoints(const CommandView& view) {
  constexpr stream::FieldRef kCount = stream::Field(layout::kPoints, "count");
  for (const Record& record : view.Records()) {
    if (record.U32(kCount) == 0) {
      view.Report(Rule::kDp2Prim008, record, kCount, "wCount is 0, no point is drawn", "0",
                  "1 or more");
    }
  }
}

// DP2-IMM-003.
void CheckPadding(const CommandView& view) {
  const stream::TailPart vertices =
      stream::Tail(stream::FixedTails(view.command, view.call.environment), 0);
  if (std::ranges::all_of(vertices.padding, [](uint8_t byte) { return byte == 0; })) return;
  const auto at = static_cast<uint64_t>(vertices.padding.data() - view.command.bytes.data());
  view.Report(
      Rule::kDp2Imm003, Record(), {at, vertices.padding.size(), "padding"},
      fmt::format("the {} before the vertices are not 0", Counted(vertices.padding.size(), "byte")),
      fmt::format("{:02x}", fmt::join(vertices.padding, " ")), "0");
}

// DP2-IMM-004, -005.
void CheckLegacyFanEdges(const CommandView& view) {
  constexpr stream::FieldRef kFlags = stream::Field(layout::kTriangleFanImm, "edge_flags");
  const uint32_t edges = uint32_t{view.command.count} + 2;
  const uint32_t flags = stream::FieldU32(view.command, kFlags);
  if (edges > d3d::kMaxFanEdges) {
    view.Report(Rule::kDp2Imm004, Record(), stream::CountWord(),
                fmt::format("{} triangles have {}, dwEdgeFlags has 32 bits", view.command.count,
                            Counted(edges, "edge")),
                fmt::format("{}", view.command.count), "at most 30");
  } else if (edges < d3d::kMaxFanEdges && view.command.count != 0 && flags >> edges != 0) {
    view.Report(Rule::kDp2Imm005, view.Fixed(), kFlags,
                fmt::format("dwEdgeFlags {:#x} has bits above those of the {}", flags,
                            Counted(edges, "edge")),
                fmt::format("{:#x}", flags), fmt::format("below {:#x}", 1U << edges));
  }
}

// DP2-PRIM-003.
void CheckDegenerate(const CommandView& view, const device::Draw& draw) {
  if (!view.Wants(Rule::kDp2Prim003)) return;
  const bool is_line =
      draw.type == PrimitiveType::LineList || draw.type == PrimitiveType::LineStrip;
  for (uint32_t i = 0; i < draw.primitive_count; ++i) {
    const device::Assembled primitive = device::Assemble(draw, i);
    const uint32_t a = device::IndexAt(draw, primitive.k[0]);
    const uint32_t b = device::IndexAt(draw, primitive.k[1]);
    const uint32_t c = is_line ? UINT32_MAX : device::IndexAt(draw, primitive.k[2]);
    if (a != b && b != c && c != a) continue;
    const uint32_t twice = b == c ? b : a;
    view.Report(
        Rule::kDp2Prim003,
        fmt::format("{} {} has the index {} twice", is_line ? "line" : "triangle", i, twice),
        fmt::format("{}", twice), "different indices");
    return;
  }
}

// DP2-PRIM-010.
void CheckLargeIndices(const CommandView& view, const device::Draw& draw) {
  constexpr int64_t kLast = 65535;
  if (draw.base_vertex == 0 || view.call.vertex_count <= kLast + 1) return;
  uint32_t largest = 0;
  const uint64_t count = device::VertexCount(draw.type, draw.primitive_count);
  for (uint64_t k = 0; k < count; ++k)
    largest = std::max(largest, device::IndexAt(draw, k));
  const int64_t vertex = draw.base_vertex + largest;
  if (vertex <= kLast) return;
  view.Report(Rule::kDp2Prim010,
              fmt::format("index {} after the start vertex {} is vertex {}", largest,
                          draw.base_vertex, vertex),
              fmt::format("{}", vertex), "at most 65535");
}

constexpr CommandRule kLegacyDrawRules[] = {
    {Op::kIndexedTriangleList, CheckTriangleFlags},
    {Op::kPoints, CheckLegacyPoints},
    {Op::kTriangleFanImm, CheckPadding},
    {Op::kLineListImm, CheckPadding},
    {Op::kTriangleFanImm, CheckLegacyFanEdges},
};

void CheckLegacyDrawAtDraw(const CommandView& view) {
  if (!UsesCallFormat(*view.command.op) || !device::FindBoundProgram(view.context).is_programmable)
    return;
  view.ReportAtDraw(Rule::kDp2Prim007, 0,
                    "a vertex shader is current, the token has vertices of the fixed function",
                    "a vertex shader", "fixed function");
}

void CheckDrawnLegacyDraw(const CommandView& view, const device::Draw& draw) {
  if (!UsesCallFormat(*view.command.op)) return;
  CheckPrimitiveCount(view, draw.primitive_count);
  if (draw.indices.size == 0) return;
  CheckDegenerate(view, draw);
  CheckLargeIndices(view, draw);
}

}  // namespace

const Topic kLegacyDrawTopic = {
    .rules = [] { return std::span<const CommandRule>(kLegacyDrawRules); },
    .at_draw = CheckLegacyDrawAtDraw,
    .drawn = CheckDrawnLegacyDraw};

}  // namespace dp2trace::validate
