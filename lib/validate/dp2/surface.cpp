#include "validate/dp2/surface.h"

#include <fmt/format.h>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "device/load.h"
#include "device/resource.h"
#include "opcode/layouts.h"
#include "rules/rule.h"
#include "validate/dp2/surface_create.h"
#include "validate/dp2/topics.h"
#include "validate/memory.h"

namespace dp2trace::validate {
namespace {

namespace layout = opcode::layout;
using device::Context;
using device::SurfaceRef;
using opcode::Op;
using stream::FieldRef;
using stream::Record;

// ---------- tokens about textures ----------

// All four start with the handle.
constexpr FieldRef kSurface = stream::Field(layout::kSetPriority, "surface");
static_assert(kSurface.offset == 0 && stream::Field(layout::kSetTexLod, "surface").offset == 0 &&
              stream::Field(layout::kAddDirtyRect, "surface").offset == 0 &&
              stream::Field(layout::kAddDirtyBox, "surface").offset == 0);

// DP2-RES-002, DP2-RES-006. Empty where the handle is not live.
SurfaceRef FindManaged(const CommandView& view, const Record& record) {
  const SurfaceRef surface = view.context.space->Find(record.U32(kSurface));
  if (surface && surface.level != 0) {
    view.Report(Rule::kDp2Res006, record, kSurface,
                fmt::format("surface {} is level {} of surface {}", record.U32(kSurface),
                            surface.level, surface.resource->handle),
                fmt::format("level {}", surface.level), "a top level");
    return surface;
  }
  if (!surface || surface.resource->is_driver_managed() || surface.resource->lacks_caps())
    return surface;
  view.Report(Rule::kDp2Res002, record, kSurface,
              fmt::format("surface {} lacks TEXTUREMANAGE", surface.resource->handle),
              FlagsText(trace::kSurfaceCaps2Names, surface.resource->caps2), "TEXTUREMANAGE");
  return surface;
}

void CheckPriority(const CommandView& view) {
  for (const Record& record : view.Records())
    FindManaged(view, record);
}

// DP2-RES-003.
void CheckTextureLod(const CommandView& view) {
  constexpr FieldRef kLod = stream::Field(layout::kSetTexLod, "lod");
  for (const Record& record : view.Records()) {
    const SurfaceRef surface = FindManaged(view, record);
    if (!surface) continue;
    const uint32_t levels = surface.surface().description().levels;
    const uint32_t lod = record.U32(kLod);
    if (lod < levels) continue;
    view.Report(Rule::kDp2Res003, record, kLod,
                fmt::format("surface {} has {}, none is level {}", surface.resource->handle,
                            Counted(levels, "level"), lod),
                fmt::format("{}", lod), fmt::format("below {}", levels));
  }
}

// DP2-RES-001 of the tokens that the device does not apply, DP2-RES-002. Empty where the handle is not live.
SurfaceRef FindDirty(const CommandView& view, const Record& record) {
  const SurfaceRef surface = FindManaged(view, record);
  const uint32_t handle = record.U32(kSurface);
  const device::Absence absence = view.context.space->history().Find(handle);
  if (!surface && (handle == 0 || absence != device::Absence::kRefused)) {
    view.Report(Rule::kDp2Res001, record, kSurface,
                fmt::format("surface {} {}", handle, handle == 0 ? "is none" : Describe(absence)),
                fmt::format("{}", handle), "a live surface");
  }
  return surface;
}

// DP2-RES-004, DP2-RES-005.
void CheckDirtyRect(const CommandView& view) {
  constexpr FieldRef kArea = stream::Field(layout::kAddDirtyRect, "dirty_area");
  for (const Record& record : view.Records()) {
    const SurfaceRef surface = FindDirty(view, record);
    if (!surface) continue;
    if (surface.resource->is_volume()) {
      view.Report(Rule::kDp2Res005, record, kSurface,
                  fmt::format("surface {} is a volume", surface.resource->handle), "a volume",
                  "a 2D or cube texture");
      continue;
    }
    const d3d::Rect rect = {record.I32(kArea, 0), record.I32(kArea, 1), record.I32(kArea, 2),
                            record.I32(kArea, 3)};
    const image::Area whole = surface.surface().WholeLevel(0);
    const bool is_inside = rect.left >= 0 && rect.top >= 0 && rect.left <= rect.right &&
                           rect.top <= rect.bottom && rect.right <= int64_t{whole.right} &&
                           rect.bottom <= int64_t{whole.bottom};
    if (is_inside) continue;
    const uint32_t part = rect.left < 0                                                 ? 0
                          : rect.top < 0                                                ? 1
                          : rect.left > rect.right || rect.right > int64_t{whole.right} ? 2
                                                                                        : 3;
    view.Report(Rule::kDp2Res004, record, stream::PartOf(kArea, part),
                fmt::format("rectangle {}, {}, {}, {} of a top level of {} x {}", rect.left,
                            rect.top, rect.right, rect.bottom, whole.right, whole.bottom),
                fmt::format("{}, {}, {}, {}", rect.left, rect.top, rect.right, rect.bottom),
                fmt::format("inside {} x {}", whole.right, whole.bottom));
  }
}

void CheckDirtyBox(const CommandView& view) {
  constexpr FieldRef kBox = stream::Field(layout::kAddDirtyBox, "dirty_box");
  for (const Record& record : view.Records()) {
    const SurfaceRef surface = FindDirty(view, record);
    if (!surface) continue;
    if (!surface.resource->is_volume()) {
      view.Report(Rule::kDp2Res005, record, kSurface,
                  fmt::format("surface {} is not a volume", surface.resource->handle), "no volume",
                  "a volume");
      continue;
    }
    const image::Area box = {record.U32(kBox, 0), record.U32(kBox, 1), record.U32(kBox, 2),
                             record.U32(kBox, 3), record.U32(kBox, 4), record.U32(kBox, 5)};
    const image::Area whole = surface.surface().WholeLevel(0);
    const bool is_inside = box.left <= box.right && box.right <= whole.right &&
                           box.top <= box.bottom && box.bottom <= whole.bottom &&
                           box.front <= box.back && box.back <= whole.back;
    if (is_inside) continue;
    const std::string text = device::BoxText(box);
    view.Report(Rule::kDp2Res004, record, kBox,
                fmt::format("box {} of a top level of {} x {} x {}", text, whole.right,
                            whole.bottom, whole.back),
                text, fmt::format("inside {} x {} x {}", whole.right, whole.bottom, whole.back));
  }
}

constexpr CommandRule kSurfaceRules[] = {
    {Op::kSetPriority, CheckPriority},
    {Op::kSetTexLod, CheckTextureLod},
    {Op::kAddDirtyRect, CheckDirtyRect},
    {Op::kAddDirtyBox, CheckDirtyBox},
};

// ---------- contexts ----------

// DP2-CTX-006.
void CheckSharedTarget(const EventView& view, const trace::ContextCreate& event,
                       const SurfaceRef& target) {
  for (const auto& [key, other] : view.device.ContextsOf(event.space)) {
    if (key.second == event.context) continue;
    if (!view.device.work().Spend(device::kContextSteps)) return;
    for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
      if (other->targets.colors[slot] == 0 || other->Target(slot) != target) continue;
      view.findings.Add(
          Rule::kDp2Ctx006, "target",
          fmt::format("context {} has surface {} as render target, too", key.second, event.target),
          fmt::format("{}", event.target), "a surface that is not a target yet");
      return;
    }
  }
}

// ---------- surfaces that are bound ----------

// Where a context binds something that the handle destroys, as text; empty where it does not.
class BindingSearch {
 public:
  BindingSearch(const device::Space& space, uint32_t handle) : space_(&space), handle_(handle) {}

  std::string Find(const Context& context) const {
    for (uint32_t slot = 0; slot < device::kTargetCount; ++slot) {
      if (Holds(context.targets.colors[slot])) return fmt::format("render target {}", slot);
    }
    if (Holds(context.targets.depth)) return "depth surface";
    for (uint32_t slot = 0; slot < device::kStageSlotCount; ++slot) {
      if (Holds(context.state.stage(slot, d3d::TextureStageState::TextureMap)))
        return fmt::format("texture {}", slot);
    }
    for (uint32_t i = 0; i < device::kStreamCount; ++i) {
      if (Holds(context.state.streams[i].buffer)) return fmt::format("stream {}", i);
    }
    return Holds(context.state.indices.buffer) ? "index buffer" : "";
  }

 private:
  bool Holds(uint32_t bound) const {
    if (bound == 0 || bound == handle_) return bound != 0;
    const SurfaceRef surface = space_->Find(bound);
    return surface && surface.resource->handle == handle_;
  }

  const device::Space* space_;
  uint32_t handle_;
};

// DP2-SURF-023: a level or face lives as long as its surface.
void CheckDestroyedLevel(const EventView& view, const device::Space& space, uint32_t handle) {
  const SurfaceRef surface = space.Find(handle);
  if (surface.resource->handle == handle) return;
  view.findings.Add(Rule::kDp2Surf023, "handle",
                    fmt::format("surface {} is face {}, level {} of surface {}, which lives on",
                                handle, surface.face, surface.level, surface.resource->handle),
                    fmt::format("{}", handle), fmt::format("{}", surface.resource->handle));
}

}  // namespace

void CheckSurfaceEvent(const EventView& view, const trace::ContextCreate& event) {
  if (device::HasFailed(event.ddrval) || event.context == 0) return;
  ContextMemory& memory = view.trace.contexts[{event.space, event.context}];
  memory = ContextMemory();
  view.trace.shader_links.Forget(event.space, event.context);
  memory.surface.is_pure = event.pure_device;
  memory.surface.process = event.process;
  const device::Space* const space = view.device.FindSpace(event.space);
  const SurfaceRef target = space == nullptr ? SurfaceRef{} : space->Find(event.target);
  if (!target) return;
  if (!device::CanBeTarget(*target.resource)) {
    view.findings.Add(Rule::kDp2Rt002, "target",
                      fmt::format("surface {} cannot be a render target", event.target),
                      Describe(*target.resource), "3DDEVICE and a colour format");
  }
  CheckSharedTarget(view, event, target);
}

void CheckSurfaceEvent(const EventView& view, const trace::ContextDestroy& event) {
  if (view.device.FindContext(event.space, event.context) != nullptr)
    view.trace.surface.is_destruction_recorded = true;
}

void CheckSurfaceEvent(const EventView& view, const trace::SurfaceCreate& event) {
  CheckAnnouncement(view, event);
}

// DP2-SURF-007, DP2-SURF-023.
void CheckSurfaceEvent(const EventView& view, const trace::SurfaceDestroy& event) {
  const device::Space* const space = view.device.FindSpace(event.space);
  if (space == nullptr || !space->Find(event.handle)) return;
  CheckDestroyedLevel(view, *space, event.handle);
  const BindingSearch search(*space, event.handle);
  for (const auto& [key, context] : view.device.ContextsOf(event.space)) {
    if (!view.device.work().Spend(device::kContextSteps)) return;
    const std::string binding = search.Find(*context);
    if (binding.empty()) continue;
    view.findings.Add(
        Rule::kDp2Surf007, "handle",
        fmt::format("surface {} is {} of context {}", event.handle, binding, key.second), binding,
        "not bound");
    return;
  }
}

// DP2-CTX-004. Unspecified: how to tell a context that leaks from a trace that is cut off; chosen: a context that lives on is reported
// where the trace records that another one was destroyed.
void CheckSurfaceAtEnd(const EventView& view) {
  if (!view.trace.surface.is_destruction_recorded) return;
  for (const auto& [key, context] : view.device.contexts()) {
    if ((key.second & device::kPacketContext) != 0) continue;
    view.findings.Add(Rule::kDp2Ctx004, "",
                      fmt::format("context {} is never destroyed", key.second),
                      fmt::format("{}", key.second), "context_destroy");
  }
}

const Topic kSurfaceTopic = {.rules = [] { return std::span<const CommandRule>(kSurfaceRules); }};

}  // namespace dp2trace::validate
