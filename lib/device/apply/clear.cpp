// CLEAR. Source: lib/opcode/dp2.md 14.2; lib/raster/rendering-output.md 7.3.
#include <fmt/format.h>

#include <algorithm>

#include "base/flag_text.h"
#include "device/apply/apply.h"
#include "device/token.h"
#include "rules/rule.h"

namespace dp2trace::device {
namespace {

namespace layout = opcode::layout;
using d3d::ClearFlag;
using stream::Record;

constexpr stream::FieldRef kClearFlags = stream::Field(layout::kClear, "flags");
constexpr stream::FieldRef kColor = stream::Field(layout::kClear, "fill_color");
constexpr stream::FieldRef kDepth = stream::Field(layout::kClear, "fill_depth");
constexpr stream::FieldRef kStencil = stream::Field(layout::kClear, "fill_stencil");

constexpr uint32_t kParts =
    d3d::Value(ClearFlag::Target) | d3d::Value(ClearFlag::ZBuffer) | d3d::Value(ClearFlag::Stencil);

bool Has(uint32_t flags, ClearFlag flag) {
  return (flags & d3d::Value(flag)) != 0;
}

bool CheckFlags(const Token& token, const Record& record, uint32_t flags) {
  const uint32_t allowed =
      token.context.level >= 8 ? kParts | d3d::Value(ClearFlag::ComputeRects) : kParts;
  if ((flags & ~allowed) != 0) {
    token.Report(Rule::kDp2Clear001, record, kClearFlags,
                 fmt::format("flags {}", FlagsText(d3d::kClearFlagNames, flags)),
                 FlagsText(d3d::kClearFlagNames, flags),
                 fmt::format("flags of {}", FlagsText(d3d::kClearFlagNames, allowed)));
    return false;
  }
  if ((flags & kParts) != 0) return true;
  token.Report(Rule::kDp2Clear002, record, kClearFlags, "the flags name nothing to clear",
               FlagsText(d3d::kClearFlagNames, flags), "TARGET, ZBUFFER or STENCIL");
  return false;
}

bool CheckDepth(const Token& token, const Record& record, uint32_t flags, float depth) {
  if (!Has(flags, ClearFlag::ZBuffer) && !Has(flags, ClearFlag::Stencil)) return true;
  const SurfaceRef surface = token.context.Depth();
  if (!surface && token.context.targets.depth != 0) return false;  // it was destroyed
  if (!surface) {
    token.Report(Rule::kDp2Clear005, record, kClearFlags, "there is no depth surface",
                 FlagsText(d3d::kClearFlagNames, flags), "neither ZBUFFER nor STENCIL");
    return false;
  }
  if (Has(flags, ClearFlag::Stencil) && !surface.surface().info().has_stencil()) {
    token.Report(
        Rule::kDp2Clear006, record, kClearFlags,
        fmt::format("the depth surface of format {} has no stencil", surface.surface().info().name),
        FlagsText(d3d::kClearFlagNames, flags), "STENCIL clear");
    return false;
  }
  // Programs do it: the clear goes on with the nearest depth.
  const bool is_legal = depth >= 0.0F && depth <= 1.0F;
  if (Has(flags, ClearFlag::ZBuffer) && !is_legal) {
    token.Report(Rule::kDp2Clear007, record, kDepth,
                 fmt::format("the depth is {}", RealText(depth)), RealText(depth), "0 to 1");
  }
  return true;
}

// What is not a number is 0.
float ClampDepth(float depth) {
  return depth > 0.0F ? std::min(depth, 1.0F) : 0.0F;
}

bool IsInside(const d3d::Rect& rect, const image::Area& area) {
  return rect.left >= 0 && rect.top >= 0 && rect.right <= int64_t{area.right} &&
         rect.bottom <= int64_t{area.bottom};
}

// The rectangles of the token without those that are illegal. Without COMPUTERECTS the runtime has clipped them.
std::vector<d3d::Rect> ReadRects(const Token& token, const Record& record, uint32_t flags) {
  constexpr stream::FieldRef kRect = stream::Field(layout::kRect, "rect");
  const Bytes bytes = stream::ListElements(token.command);
  const image::Area whole = token.context.ClearableArea(flags).value_or(image::Area{});
  const bool is_limited = !Has(flags, ClearFlag::ComputeRects) && whole != image::Area{};
  std::vector<d3d::Rect> rects;
  for (uint32_t i = 0; i < token.command.count; ++i) {
    const uint8_t* at = bytes.data() + size_t{i} * layout::kRect.size;
    const d3d::Rect rect = {stream::FieldI32(at, kRect, 0), stream::FieldI32(at, kRect, 1),
                            stream::FieldI32(at, kRect, 2), stream::FieldI32(at, kRect, 3)};
    if (rect.left > rect.right || rect.top > rect.bottom) {
      token.Report(Rule::kDp2Clear009, record, stream::RectWord(i, rect.left > rect.right ? 2 : 3),
                   fmt::format("rectangle {} is {}, {}, {}, {}", i, rect.left, rect.top, rect.right,
                               rect.bottom),
                   fmt::format("{}, {}, {}, {}", rect.left, rect.top, rect.right, rect.bottom),
                   "left <= right, top <= bottom");
    } else if (is_limited && !IsInside(rect, whole)) {
      const uint32_t part = rect.left < 0                       ? 0
                            : rect.top < 0                      ? 1
                            : rect.right > int64_t{whole.right} ? 2
                                                                : 3;
      token.Report(
          Rule::kDp2Clear011, record, stream::RectWord(i, part),
          fmt::format("rectangle {} is {}, {}, {}, {} in a surface of {} x {}", i, rect.left,
                      rect.top, rect.right, rect.bottom, whole.right, whole.bottom),
          fmt::format("{}, {}, {}, {}", rect.left, rect.top, rect.right, rect.bottom),
          fmt::format("inside {} x {}", whole.right, whole.bottom));
    } else {
      rects.push_back(rect);
    }
  }
  return rects;
}

}  // namespace

void ApplyClear(Token& token) {
  const Record record = FixedRecord(token);
  const uint32_t flags = record.U32(kClearFlags);
  const float depth = record.F32(kDepth);
  if (!CheckFlags(token, record, flags) || !CheckDepth(token, record, flags, depth)) return;
  const bool is_empty = token.command.count == 0;
  // Without rectangles and without COMPUTERECTS nothing is cleared.
  if (is_empty && !Has(flags, ClearFlag::ComputeRects)) return;
  ClearDraw clear = {.flags = flags,
                     .color = record.U32(kColor),
                     .depth = ClampDepth(depth),
                     .stencil = record.U32(kStencil),
                     .rects = is_empty ? std::vector<d3d::Rect>() : ReadRects(token, record, flags),
                     .event = token.call.event,
                     .offset = token.command.offset};
  if (is_empty || !clear.rects.empty()) token.sink.OnClear(clear);
}

}  // namespace dp2trace::device
