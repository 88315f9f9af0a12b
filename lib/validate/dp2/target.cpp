#include "validate/dp2/target.h"

#include <fmt/format.h>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/palette.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using d3d::ClearFlag;
using d3d::RenderState;
using device::Context;
using device::kTargetCount;
using device::SurfaceRef;
using opcode::Op;
using stream::FieldRef;
using stream::Record;

constexpr uint32_t kFirstRuntimeWithSlots = 5;  // SETRENDERTARGET2 and SETDEPTHSTENCIL
constexpr uint32_t kFirstRuntimeThatClips = 3;  // clears have been clipped to the current viewport
constexpr uint32_t kClearParts =
    d3d::Value(ClearFlag::Target) | d3d::Value(ClearFlag::ZBuffer) | d3d::Value(ClearFlag::Stencil);

constexpr FieldRef kClearFlags = stream::Field(layout::kClear, "flags");

// ---------- bindings ----------

// DP2-CTX-006: another context of the space draws into the surface, too.
void CheckShared(const CommandView& view, const Record& record, uint32_t slot, FieldRef field) {
  const uint32_t handle = record.U32(field);
  if (handle == 0 || view.context.targets.colors[slot] == handle ||
      view.device.contexts().size() < 2)
    return;
  const SurfaceRef target = view.context.space->Find(handle);
  if (!target) return;
  for (const auto& [key, other] : view.device.ContextsOf(view.context.space_id)) {
    if (!view.device.work().Spend(device::kContextSteps)) return;
    if (other.get() == &view.context) continue;
    for (uint32_t i = 0; i < kTargetCount; ++i) {
      if (other->targets.colors[i] == 0 || other->Target(i) != target) continue;
      view.Report(
          Rule::kDp2Ctx006, record, field,
          fmt::format("context {} has surface {} as render target, too", key.second, handle),
          fmt::format("{}", handle), "a surface that is not a target yet");
      return;
    }
  }
}

// DP2-RT-009.
void CheckRenderTarget(const CommandView& view) {
  constexpr FieldRef kTarget = stream::Field(layout::kSetRenderTarget, "render_target");
  const Record record = view.Fixed();
  if (view.level() >= 9 && view.runtime_version() >= kFirstRuntimeWithSlots) {
    view.Report(
        Rule::kDp2Rt009, record, stream::OperationWord(),
        fmt::format("runtime version {} is expected to send SETRENDERTARGET2 and SETDEPTHSTENCIL",
                    view.runtime_version()),
        "SETRENDERTARGET", "SETRENDERTARGET2");
  }
  CheckShared(view, record, 0, kTarget);
}

// DP2-RT-004 of devices with fewer slots than four.
void CheckRenderTarget2(const CommandView& view) {
  constexpr FieldRef kIndex = stream::Field(layout::kSetRenderTarget2, "rt_index");
  constexpr FieldRef kTarget = stream::Field(layout::kSetRenderTarget2, "render_target");
  const std::optional<uint32_t> count = view.caps.Find(d3d::Cap::NumSimultaneousRts);
  for (const Record& record : view.Records()) {
    const uint32_t index = record.U32(kIndex);
    if (index >= kTargetCount) continue;  // reported by the device
    if (count && index >= *count) {
      view.Report(Rule::kDp2Rt004, record, kIndex,
                  fmt::format("target slot {}, and NumSimultaneousRTs is {}", index, *count),
                  fmt::format("{}", index), fmt::format("below {}", *count));
    }
    CheckShared(view, record, index, kTarget);
  }
}

// ---------- clears ----------

// DP2-CLEAR-010, DP2-CLEAR-012: rectangles that the device clears.
void CheckClearRects(const CommandView& view) {
  constexpr FieldRef kRect = stream::Field(layout::kRect, "rect");
  const std::optional<image::Area> whole =
      view.context.ClearableArea(stream::FieldU32(view.command, kClearFlags));
  if (!whole) return;
  const std::optional<device::Viewport>& viewport = view.context.state.viewport;
  const Bytes bytes = stream::ListElements(view.command);
  for (uint32_t i = 0; i < view.command.count; ++i) {
    const uint8_t* at = bytes.data() + size_t{i} * layout::kRect.size;
    const int64_t left = stream::FieldI32(at, kRect, 0);
    const int64_t top = stream::FieldI32(at, kRect, 1);
    const int64_t right = stream::FieldI32(at, kRect, 2);
    const int64_t bottom = stream::FieldI32(at, kRect, 3);
    if (left > right || top > bottom || left < 0 || top < 0 || right > whole->right ||
        bottom > whole->bottom)
      continue;
    if (left == right || top == bottom) {
      view.Report(Rule::kDp2Clear010, view.Fixed(), stream::RectWord(i, left == right ? 2 : 3),
                  fmt::format("rectangle {} is {}, {}, {}, {}", i, left, top, right, bottom),
                  fmt::format("{}, {}, {}, {}", left, top, right, bottom), "1 x 1 or more");
      continue;
    }
    const bool is_clipped = !viewport || (left >= viewport->x && top >= viewport->y &&
                                          right <= int64_t{viewport->x} + viewport->width &&
                                          bottom <= int64_t{viewport->y} + viewport->height);
    if (is_clipped || view.runtime_version() < kFirstRuntimeThatClips) continue;
    const uint32_t part = left < viewport->x                               ? 0
                          : top < viewport->y                              ? 1
                          : right > int64_t{viewport->x} + viewport->width ? 2
                                                                           : 3;
    view.Report(Rule::kDp2Clear012, view.Fixed(), stream::RectWord(i, part),
                fmt::format("rectangle {} is {}, {}, {}, {}, the viewport {} x {} at {}, {}", i,
                            left, top, right, bottom, viewport->width, viewport->height,
                            static_cast<int32_t>(viewport->x), static_cast<int32_t>(viewport->y)),
                fmt::format("{}, {}, {}, {}", left, top, right, bottom), "inside the viewport");
  }
}

// DP2-CLEAR-008.
void CheckClearStencil(const CommandView& view) {
  constexpr FieldRef kStencil = stream::Field(layout::kClear, "fill_stencil");
  const SurfaceRef depth = view.context.Depth();
  const d3d::Channel* const channel = depth ? depth.surface().info().FindChannel('S') : nullptr;
  if (channel == nullptr) return;  // reported by the device
  const uint32_t value = stream::FieldU32(view.command, kStencil);
  if (uint64_t{value} >> channel->width_bits == 0) return;
  view.Report(Rule::kDp2Clear008, view.Fixed(), kStencil,
              fmt::format("stencil value {:#x}, and {} has {}", value, depth.surface().info().name,
                          Counted(channel->width_bits, "bit")),
              fmt::format("{:#x}", value), Counted(channel->width_bits, "bit"));
}

bool Has(uint32_t flags, ClearFlag flag) {
  return (flags & d3d::Value(flag)) != 0;
}

// DP2-CLEAR-003, DP2-CLEAR-004, and the rules of the parts.
void CheckClear(const CommandView& view) {
  const uint32_t flags = stream::FieldU32(view.command, kClearFlags);
  const uint32_t allowed =
      view.level() >= 8 ? kClearParts | d3d::Value(ClearFlag::ComputeRects) : kClearParts;
  if (view.is_recording() || (flags & ~allowed) != 0 || (flags & kClearParts) == 0)
    return;  // reported by the device
  const bool computes = Has(flags, ClearFlag::ComputeRects);
  if (computes && view.memory.surface.is_pure == false) {
    view.Report(Rule::kDp2Clear003, view.Fixed(), kClearFlags,
                fmt::format("COMPUTERECTS, and context {} is not a pure device", view.context.id),
                FlagsText(d3d::kClearFlagNames, flags), "COMPUTERECTS clear");
  }
  if (!computes && view.command.count == 0) {
    view.Report(Rule::kDp2Clear004, Record(), stream::CountWord(),
                "no rectangles and no COMPUTERECTS: nothing is cleared", "0", "1 or more");
  }
  if (Has(flags, ClearFlag::Stencil)) CheckClearStencil(view);
  if (!computes) CheckClearRects(view);
}

constexpr CommandRule kTargetRules[] = {
    {Op::kSetRenderTarget, CheckRenderTarget},
    {Op::kSetRenderTarget2, CheckRenderTarget2},
    {Op::kClear, CheckClear},
    {Op::kSetPalette, CheckSetPalette},
    {Op::kUpdatePalette, CheckUpdatePalette},
};

// ---------- combinations ----------

image::Area AreaOf(const SurfaceRef& surface) {
  return surface.surface().WholeLevel(surface.level);
}

// Which parts of the frame the token writes.
struct Use {
  bool color = true, depth = false;
};
Use UseOf(const CommandView& view) {
  if (view.command.op->op == Op::kClear) {
    const uint32_t flags = stream::FieldU32(view.command, kClearFlags);
    return {Has(flags, ClearFlag::Target),
            Has(flags, ClearFlag::ZBuffer) || Has(flags, ClearFlag::Stencil)};
  }
  const device::State& state = view.context.state;
  return {true,
          state.value(RenderState::ZEnable) != 0 || state.value(RenderState::StencilEnable) != 0};
}

// DP2-RT-005, DP2-RT-006.
void CheckPair(const CommandView& view, const SurfaceRef& target, const SurfaceRef& depth) {
  const image::Area t = AreaOf(target);
  const image::Area d = AreaOf(depth);
  if (!target.resource->has_pixels()) return;
  if (d.right < t.right || d.bottom < t.bottom) {
    view.ReportAtDraw(Rule::kDp2Rt005, 0,
                      fmt::format("the depth surface is {} x {}, the render target {} x {}",
                                  d.right, d.bottom, t.right, t.bottom),
                      fmt::format("{} x {}", d.right, d.bottom),
                      fmt::format("at least {} x {}", t.right, t.bottom));
  }
  const uint32_t target_samples = target.resource->sample_count;
  const uint32_t depth_samples = depth.resource->sample_count;
  if (target_samples == depth_samples) return;
  view.ReportAtDraw(Rule::kDp2Rt006, 0,
                    fmt::format("the render target has {}, the depth surface {}",
                                Counted(target_samples, "sample"), depth_samples),
                    fmt::format("{}", depth_samples), fmt::format("{}", target_samples));
}

// DP2-RT-007, DP2-RT-008.
void CheckSlots(const CommandView& view, const std::array<SurfaceRef, kTargetCount>& targets) {
  for (uint32_t slot = 1; slot < kTargetCount; ++slot) {
    if (!targets[slot]) continue;
    uint32_t other = 0;
    while (other < slot && !targets[other])
      ++other;
    if (other == slot) continue;
    const image::Area a = AreaOf(targets[other]);
    const image::Area b = AreaOf(targets[slot]);
    if (a.right != b.right || a.bottom != b.bottom) {
      view.ReportAtDraw(Rule::kDp2Rt007, slot,
                        fmt::format("target {} is {} x {}, target {} is {} x {}", other, a.right,
                                    a.bottom, slot, b.right, b.bottom),
                        fmt::format("{} x {}", b.right, b.bottom),
                        fmt::format("{} x {}", a.right, a.bottom));
    }
    for (uint32_t earlier = other; earlier < slot; ++earlier) {
      if (targets[earlier] != targets[slot]) continue;
      view.ReportAtDraw(Rule::kDp2Rt008, slot,
                        fmt::format("targets {} and {} are the same surface", earlier, slot),
                        fmt::format("{}", view.context.targets.colors[slot]), "another surface");
      break;
    }
  }
}

void CheckColor(const CommandView& view, std::array<SurfaceRef, kTargetCount>& targets) {
  const auto& handles = view.context.targets.colors;
  bool has_several = false;
  for (uint32_t slot = 0; slot < kTargetCount; ++slot) {
    if (handles[slot] == 0) continue;
    targets[slot] = view.context.Target(slot);
    has_several |= slot > 0;
  }
  if (handles[0] == 0) {
    view.ReportAtDraw(Rule::kDp2Rt010, 0,
                      "there is no render target in slot 0, no colour is written", "0",
                      "a render target");
  }
  if (has_several) CheckSlots(view, targets);
}

void CheckTargetAtDraw(const CommandView& view) {
  const Op op = view.command.op->op;
  if (op == Op::kComposeRects) return;
  const bool is_clear = op == Op::kClear;
  const Use use = UseOf(view);
  std::array<SurfaceRef, kTargetCount> targets;
  if (use.color) CheckColor(view, targets);
  const uint32_t handle = view.context.targets.depth;
  if (use.depth && handle != 0) {
    const SurfaceRef depth = view.context.Depth();
    if (depth && targets[0]) CheckPair(view, targets[0], depth);
  }
  if (!is_clear && handle == 0 && view.context.state.value(RenderState::ZEnable) != 0) {
    view.ReportAtDraw(Rule::kDp2Rt011, 0, "ZENABLE is on, and there is no depth surface", "0",
                      "a depth surface");
  }
  if (!is_clear) CheckPaletteAtDraw(view);
}

}  // namespace

const Topic kTargetTopic = {.rules = [] { return std::span<const CommandRule>(kTargetRules); },
                            .at_draw = CheckTargetAtDraw};

}  // namespace dp2trace::validate
