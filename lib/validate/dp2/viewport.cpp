#include "validate/dp2/viewport.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/flag_text.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/draw_format.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using stream::Record;

constexpr stream::FieldRef kMinZ = stream::Field(layout::kZRange, "min_z");
constexpr stream::FieldRef kMaxZ = stream::Field(layout::kZRange, "max_z");
constexpr stream::FieldRef kNear = stream::Field(layout::kWInfo, "w_near");
constexpr stream::FieldRef kFar = stream::Field(layout::kWInfo, "w_far");
constexpr stream::FieldRef kPlaneIndex = stream::Field(layout::kSetClipPlane, "index");
constexpr stream::FieldRef kPlane = stream::Field(layout::kSetClipPlane, "plane");
constexpr stream::FieldRef kFlagsOfClear = stream::Field(layout::kClear, "flags");

// DP2-VIEW-004. True after a report.
bool CheckFinite(const CommandView& view, const Record& record,
                 std::initializer_list<stream::FieldRef> fields) {
  for (const stream::FieldRef& field : fields) {
    for (uint32_t i = 0; i < field.count; ++i) {
      const float value = record.F32(field, i);
      if (std::isfinite(value)) continue;
      view.Report(
          Rule::kDp2View004, record,
          field.count == 1 ? stream::Word(field) : stream::PartOf(field, i),
          fmt::format("{} is {}, which is not a finite number", field.name, RealText(value)),
          RealText(value), "a finite number");
      return true;
    }
  }
  return false;
}

bool IsOutsideUnit(float value) {
  return value < 0.0F || value > 1.0F;
}

// Viewport and scissor matter to everything that draws, but to a CLEAR only where it computes rectangles. Source: lib/opcode/dp2.md 14.2.
bool UsesViewport(const CommandView& view) {
  if (DrawsGeometry(view)) return true;
  const bool is_clear = view.command.op->op == opcode::Op::kClear;
  return is_clear && (stream::FieldU32(view.command, kFlagsOfClear) &
                      d3d::Value(d3d::ClearFlag::ComputeRects)) != 0;
}

struct TargetSize {
  uint32_t width, height;
};

// A coordinate as programs see it: what lies beyond 2^31 was a negative number.
int64_t Signed(uint32_t value) {
  return static_cast<int32_t>(value);
}

// DP2-VIEW-003.
void CheckViewport(const CommandView& view, TargetSize target) {
  if (!view.context.state.viewport) return;
  const device::Viewport& viewport = *view.context.state.viewport;
  const uint64_t right = uint64_t{viewport.x} + viewport.width;
  const uint64_t bottom = uint64_t{viewport.y} + viewport.height;
  if (right <= target.width && bottom <= target.height) return;
  const std::string area = fmt::format("{} x {} at {}, {}", viewport.width, viewport.height,
                                       Signed(viewport.x), Signed(viewport.y));
  view.ReportAtDraw(Rule::kDp2View003, 0,
                    fmt::format("the viewport is {}, the render target has {} x {} pixels", area,
                                target.width, target.height),
                    area, fmt::format("inside {} x {}", target.width, target.height));
}

// DP2-VIEW-012.
void CheckScissor(const CommandView& view, TargetSize target) {
  const device::State& state = view.context.state;
  if (!state.scissor || state.value(d3d::RenderState::ScissorTestEnable) == 0) return;
  const d3d::Rect& rect = *state.scissor;
  const bool is_inside = rect.left >= 0 && rect.top >= 0 && rect.right <= int64_t{target.width} &&
                         rect.bottom <= int64_t{target.height};
  if (is_inside) return;
  const std::string edges =
      fmt::format("{}, {}, {}, {}", rect.left, rect.top, rect.right, rect.bottom);
  view.ReportAtDraw(Rule::kDp2View012, 0,
                    fmt::format("the scissor rectangle is {}, the render target has {} x {} pixels",
                                edges, target.width, target.height),
                    edges, fmt::format("inside 0, 0, {}, {}", target.width, target.height));
}

// DP2-VIEW-010. A plane that was never set is DP2-RS-018, one above the maximum DP2-RS-017.
void CheckPlaneNormals(const CommandView& view) {
  const device::State& state = view.context.state;
  const uint32_t enabled =
      state.value(d3d::RenderState::ClipPlaneEnable) & view.memory.transform.planes_set;
  if (enabled == 0 || !DrawsGeometry(view) || FormatOf(view).is_transformed) return;
  const uint32_t planes =
      std::min(view.caps.Find(d3d::Cap::MaxUserClipPlanes).value_or(device::kClipPlaneCount),
               device::kClipPlaneCount);
  for (uint32_t i = 0; i < planes; ++i) {
    const device::Float4& plane = state.clip_planes[i];
    const bool is_zero = plane[0] == 0.0F && plane[1] == 0.0F && plane[2] == 0.0F;
    if (((enabled >> i) & 1) == 0 || !is_zero) continue;
    view.ReportAtDraw(Rule::kDp2View010, i,
                      fmt::format("clip plane {} is enabled and its normal is 0, 0, 0", i),
                      "0, 0, 0", "a normal with a length");
  }
}

}  // namespace

// DP2-VIEW-006. Values outside 0 to 1 are refused: DP2-VIEW-005.
void CheckZRange(const CommandView& view) {
  for (const Record& record : view.Records()) {
    const float least = record.F32(kMinZ);
    const float largest = record.F32(kMaxZ);
    if (IsOutsideUnit(least) || IsOutsideUnit(largest) ||
        CheckFinite(view, record, {kMinZ, kMaxZ}) || least <= largest)
      continue;
    view.Report(Rule::kDp2View006, record, kMinZ,
                fmt::format("the depth range is {} to {}", least, largest),
                fmt::format("{}", least), fmt::format("at most {}", largest));
  }
}

// DP2-VIEW-007.
void CheckWInfo(const CommandView& view) {
  for (const Record& record : view.Records()) {
    if (!view.is_recording()) view.memory.transform.has_w_info = true;
    const float least = record.F32(kNear);
    const float largest = record.F32(kFar);
    if (CheckFinite(view, record, {kNear, kFar}) || (least > 0.0F && least < largest)) continue;
    view.Report(Rule::kDp2View007, record, least > 0.0F ? kFar : kNear,
                fmt::format("the range of w is {} to {}", least, largest), fmt::format("{}", least),
                fmt::format("above 0 and below {}", largest));
  }
}

// DP2-VIEW-009. Planes that do not exist are refused: DP2-VIEW-008.
void CheckClipPlane(const CommandView& view) {
  const std::optional<uint32_t> planes = view.caps.Find(d3d::Cap::MaxUserClipPlanes);
  for (const Record& record : view.Records()) {
    const uint32_t index = record.U32(kPlaneIndex);
    if (index >= device::kClipPlaneCount) continue;
    if (!view.is_recording()) view.memory.transform.planes_set |= 1U << index;
    CheckFinite(view, record, {kPlane});
    if (!planes || index < *planes) continue;
    view.Report(Rule::kDp2View009, record, kPlaneIndex,
                fmt::format("clip plane {} is set, the device has {}", index, *planes),
                fmt::format("{}", index), fmt::format("below {}", *planes));
  }
}

void CheckViewportAtDraw(const CommandView& view) {
  CheckPlaneNormals(view);
  const device::SurfaceRef target = view.context.Target(0);
  if (!target || !UsesViewport(view)) return;
  const image::SurfaceDescription& description = target.surface().description();
  const TargetSize extent = {d3d::ClipLevelExtent(description.width, target.level),
                             d3d::ClipLevelExtent(description.height, target.level)};
  CheckViewport(view, extent);
  CheckScissor(view, extent);
}

}  // namespace dp2trace::validate
