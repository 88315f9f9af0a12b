#include "validate/dp2/vertex.h"

#include <fmt/format.h>

#include "base/plain_text.h"
#include "d3d/fvf.h"
#include "device/layout.h"
#include "device/vertex_program.h"
#include "rules/rule.h"
#include "validate/dp2/legacy_draw.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace bits = d3d::fvf;
using opcode::Op;

// The FVF code that a draw uses, and the distance of its vertices.
struct UsedFvf {
  uint32_t code = 0;
  uint32_t stride = 0;            // 0: every vertex is the same, any format fits
  bool is_fixed_function = true;  // no vertex shader with code
};

// False where the draw uses none.
bool FindUsedFvf(const CommandView& view, UsedFvf& used) {
  const opcode::OpInfo& op = *view.command.op;
  if (UsesCallFormat(op)) {
    used = {view.call.vertex_type, view.call.vertex_size, true};
    return view.call.vertex_size != 0;
  }
  if (op.op == Op::kClear || op.op == Op::kComposeRects) return false;
  const device::BoundProgram program = device::FindBoundProgram(view.context);
  used = {program.format, view.context.state.streams[0].stride, !program.is_programmable};
  return program.is_fvf;
}

void Report(const CommandView& view, Rule rule, const UsedFvf& used, std::string_view what,
            std::string expected) {
  view.ReportAtDraw(
      rule, 0,
      fmt::format("the vertex format {} ({:#x}) {}", d3d::FvfText(used.code), used.code, what),
      fmt::format("{} ({:#x})", d3d::FvfText(used.code), used.code), std::move(expected));
}

// Bits of texture formats that belong to no set. Source: lib/opcode/dp2.md 6.1.
uint32_t UnusedTextureBits(uint32_t code) {
  const uint32_t sets = (code & bits::kTexcountMask) >> bits::kTexcountShift;
  return sets >= d3d::kMaxTextureSets ? 0 : code >> (16 + 2 * sets);
}

void CheckSize(const CommandView& view, const UsedFvf& used) {
  const uint32_t size = d3d::FvfVertexSize(used.code);
  if (used.stride <= size) return;
  view.ReportAtDraw(
      Rule::kDp2Fvf012, 0,
      fmt::format("the vertex format {} ({:#x}) has {}, a vertex {}", d3d::FvfText(used.code),
                  used.code, Counted(size, "byte"), used.stride),
      fmt::format("{}", used.stride), fmt::format("{}", size));
}

void CheckVertexAtDraw(const CommandView& view) {
  UsedFvf used;
  if (!FindUsedFvf(view, used)) return;
  const uint32_t level = view.level();
  if (device::FindFvfDefect(used.code, level)) return;  // the device reports it
  if (used.is_fixed_function && d3d::DecodeFvf(used.code).position == d3d::PositionKind::kXyzw) {
    Report(view, Rule::kDp2Fvf014, used, "has XYZW: fixed function takes w as 1",
           "XYZ, or a vertex shader");
  }
  constexpr uint32_t kBetas = bits::kLastBetaUByte4 | bits::kLastBetaD3dColor;
  if (level < 8 && (used.code & bits::kPointSize) != 0) {
    Report(view, Rule::kDp2Fvf006, used, "has PSIZE, a reserved bit and padding at this level",
           "PSIZE clear");
  }
  if ((used.code & bits::kXyzB5) == bits::kXyzB5 && (used.code & kBetas) == 0) {
    Report(view, Rule::kDp2Fvf009, used,
           "has five blend values and no indices, there are four matrices",
           "LASTBETA_UBYTE4 or LASTBETA_D3DCOLOR");
  }
  if (UnusedTextureBits(used.code) != 0) {
    Report(view, Rule::kDp2Fvf010, used, "has a texture format for a set that it does not have",
           fmt::format("only texture formats of TEX{}",
                       (used.code & bits::kTexcountMask) >> bits::kTexcountShift));
  }
  if (level < 8 && (used.code & bits::kFog) != 0)
    Report(view, Rule::kDp2Fvf015, used, "has FOG, which level 8 brings", "FOG clear");
  CheckSize(view, used);
}

}  // namespace

const Topic kVertexTopic = {.at_draw = CheckVertexAtDraw, .drawn = CheckDrawnVertex};

}  // namespace dp2trace::validate
