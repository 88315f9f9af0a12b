#include "validate/kmt/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/plain_text.h"
#include "kmt/flags.h"
#include "kmt/layout.h"
#include "rules/rule.h"
#include "validate/kmt/text.h"

namespace dp2trace::validate {
namespace {

namespace render_flag = kmt::render_flag;

constexpr uint32_t kLastPatchOffset = 0xFFFFFFFB;  // a word after it would wrap around

std::string Number(uint64_t value) {
  return fmt::format("{}", value);
}

// KMT-RENDER-010, -011, -012, -016, -035, -036.
bool CheckExtent(const PacketView& view) {
  const trace::Render& render = view.render;
  const Extent extent = view.extent;
  bool is_readable = true;
  if (extent.begin > extent.end) {
    view.Report(
        Rule::kKmtRender010, "command_offset",
        fmt::format(
            "CommandOffset is {}, CommandLength {}: both count from the start of the buffer",
            extent.begin, extent.end),
        Number(extent.begin), AtMost(extent.end));
    is_readable = false;
  } else if (extent.begin != 0 &&
             view.profile.length_origin ==
                 trace::LengthOrigin::kZero) {  // "zero" is the default, not a statement
    view.Report(
        Rule::kKmtRender012, "command_offset",
        fmt::format("CommandOffset is {}: producers disagree from where CommandLength counts then",
                    extent.begin),
        Number(extent.begin), "0");
  }
  if (extent.end > UINT32_MAX) {
    view.Report(Rule::kKmtRender036, "command_length",
                fmt::format("the commands end at {}, beyond 32 bits", extent.end),
                Number(extent.end), AtMost(UINT32_MAX));
  }
  if (extent.begin == extent.end && !view.has(render_flag::kPresentRedirected)) {
    view.Report(Rule::kKmtRender016, "command_length",
                "the packet has no commands and completes no redirected present", "0 bytes",
                "commands, or PresentRedirected");
  }
  const device::KmtContext* context = view.context;
  if (context == nullptr || !context->current || view.has(render_flag::kRenderKm) || !is_readable)
    return is_readable;
  const uint64_t size = context->current->command_buffer_size;
  if (extent.end > size) {
    view.Report(Rule::kKmtRender011, "command_length",
                fmt::format("the commands end at {}, the command buffer of context {:#x} has {}",
                            extent.end, render.context, Counted(size, "byte")),
                Number(extent.end), AtMost(size));
    return false;
  }
  const bool is_contract =
      view.device != nullptr && view.device->has_guaranteed_contract && context->start;
  if (is_contract && !context->is_resize_granted &&
      extent.end > context->start->command_buffer_size) {
    view.Report(
        Rule::kKmtRender035, "command_length",
        fmt::format("{} of commands do not fit one DMA buffer of {}, and no resize was granted",
                    Counted(extent.end, "byte"),
                    Counted(context->start->command_buffer_size, "byte")),
        Number(extent.end), AtMost(context->start->command_buffer_size));
  }
  return true;
}

// KMT-RENDER-013, -014, -015.
void CheckCounts(const PacketView& view) {
  const size_t allocations = view.allocations.size();
  const size_t patches = view.patches.size();
  if (patches != 0 && allocations == 0) {
    view.Report(Rule::kKmtRender015, "patch_location_count",
                fmt::format("{} and no allocations", Counted(patches, "patch location")),
                Number(patches), "0");
  }
  if (view.context == nullptr || !view.context->current || view.has(render_flag::kRenderKm)) return;
  const trace::Triple& triple = *view.context->current;
  const auto check = [&](Rule rule, const char* path, const char* name, size_t count,
                         uint32_t size) {
    if (count <= size) return;
    view.Report(rule, path,
                fmt::format("{} is {}, the list of context {:#x} has {}", name, count,
                            view.render.context, Counted(size, "element")),
                Number(count), AtMost(size));
  };
  check(Rule::kKmtRender013, "allocation_count", "AllocationCount", allocations,
        triple.allocation_list_size);
  check(Rule::kKmtRender014, "patch_location_count", "PatchLocationCount", patches,
        triple.patch_location_list_size);
}

// KMT-RENDER-017, -018, -019. Windows Vista has no such fields: KMT-DEC-007.
void CheckReservedFields(const PacketView& view) {
  if (view.profile.os_profile == kmt::OsProfile::kVista) return;
  const trace::Render& render = view.render;
  const auto check = [&](Rule rule, const char* path, const char* name, uint64_t value) {
    if (value == 0) return;
    view.Report(rule, path, fmt::format("{} is reserved and is {:#x}", name, value), Hex(value),
                "0");
  };
  check(Rule::kKmtRender017, "private_driver_data", "pPrivateDriverData",
        render.private_driver_data.value_or(0));
  check(Rule::kKmtRender018, "private_driver_data_size", "PrivateDriverDataSize",
        render.private_driver_data_size.value_or(0));
  if (view.has(render_flag::kRenderKm)) return;
  check(Rule::kKmtRender019, "new_command_buffer", "NewCommandBuffer",
        render.new_command_buffer.value_or(0));
}

// KMT-RENDER-021 to -024 for one element.
void CheckBroadcastElement(const PacketView& view, size_t index, std::set<uint32_t>& seen) {
  const uint32_t handle = view.render.broadcast_context[index];
  const std::string path = ElementPath("broadcast_context", index);
  if (handle != 0 && handle == view.render.context) {
    view.Report(
        Rule::kKmtRender022, path,
        fmt::format("context {:#x} submits the packet, it is not a broadcast context", handle),
        Hex(handle), "another context");
    return;
  }
  if (handle != 0 && !seen.insert(handle).second) {
    view.Report(Rule::kKmtRender023, path, fmt::format("context {:#x} is named twice", handle),
                Hex(handle), "each context once");
    return;
  }
  const bool is_live = CheckLive(view.event, Rule::kKmtRender021, path, view.render.process, handle,
                                 device::KmtType::kContext);
  const device::KmtContext* target =
      is_live ? view.kmt().FindKmtContext(view.render.process, handle) : nullptr;
  if (target == nullptr) return;
  if (target->kind != trace::ContextKind::kLegacy) {
    view.Report(Rule::kKmtRender021, path, fmt::format("context {:#x} is virtual", handle),
                "virtual", "legacy");
  } else if (view.context != nullptr && target->device != view.context->device) {
    view.Report(Rule::kKmtRender024, path,
                fmt::format("context {:#x} is of device {:#x}, the packet of device {:#x}", handle,
                            target->device, view.context->device),
                Hex(target->device), Hex(view.context->device));
  }
}

// KMT-RENDER-020 to -026.
void CheckBroadcast(const PacketView& view) {
  const uint32_t count = view.render.broadcast_context_count;
  if (count > kmt::kMaxBroadcastContexts) {
    view.Report(Rule::kKmtRender020, "broadcast_context_count",
                fmt::format("BroadcastContextCount is {}", count), Number(count),
                AtMost(kmt::kMaxBroadcastContexts));
    return;
  }
  const auto& handles = view.render.broadcast_context;
  if (count != 0 && view.context != nullptr && view.context->is_implicit) {
    view.Report(Rule::kKmtRender026, "broadcast_context_count",
                fmt::format("a packet on device {:#x} names {}", view.render.context,
                            Counted(count, "broadcast context")),
                Number(count), "0");
    return;
  }
  std::set<uint32_t> seen;
  for (size_t i = 0; i < std::min<size_t>(count, handles.size()); ++i)
    CheckBroadcastElement(view, i, seen);
  if (count > handles.size()) {
    view.Report(Rule::kKmtRender021, "broadcast_context_count",
                fmt::format("{}, {} recorded: the others are not live contexts",
                            Counted(count, "broadcast context"), handles.size()),
                Number(count), AtMost(handles.size()));
  }
  for (size_t i = count; i < handles.size(); ++i) {
    if (handles[i] == 0) continue;
    view.Report(Rule::kKmtRender025, ElementPath("broadcast_context", i),
                fmt::format("element {} of BroadcastContext is {:#x}, and only {} count", i,
                            handles[i], count),
                Hex(handles[i]), "0");
    return;
  }
}

// KMT-RENDER-027 and -028.
void CheckToken(const PacketView& view) {
  const uint64_t token = view.render.present_history_token;
  const bool is_redirected = view.has(render_flag::kPresentRedirected);
  if (token != 0 && !is_redirected) {
    view.Report(Rule::kKmtRender027, "present_history_token",
                "PresentHistoryToken means nothing without PresentRedirected", Hex(token), "0");
  }
  if (token == 0 && is_redirected) {
    view.Report(Rule::kKmtRender028, "present_history_token",
                "PresentRedirected without a PresentHistoryToken", "0", "not 0");
  }
}

// KMT-RENDER-029, -030, -031 for one of the three sizes; `start` is 0 where it is not known.
void CheckResize(const PacketView& view, uint32_t flag, const char* path, uint32_t size,
                 uint32_t start) {
  if (!view.has(flag)) {
    if (size != 0 && !view.has(render_flag::kRenderKm)) {
      view.Report(Rule::kKmtRender031, path,
                  fmt::format("{} is ignored: its Resize flag is clear", path), Number(size), "0");
    }
    return;
  }
  if (size == 0) {
    view.Report(Rule::kKmtRender029, path, fmt::format("a resize to 0 is requested by {}", path),
                "0", "not 0");
  } else if (size < start) {
    view.Report(Rule::kKmtRender030, path,
                fmt::format("{} asks for {}, the context started with {}", path, size, start),
                Number(size), fmt::format("{} or more", start));
  }
}

void CheckResizes(const PacketView& view) {
  const trace::Render& render = view.render;
  const trace::Triple start =
      view.context != nullptr ? view.context->start.value_or(trace::Triple{}) : trace::Triple{};
  CheckResize(view, render_flag::kResizeCommandBuffer, "new_command_buffer_size",
              render.new_command_buffer_size, start.command_buffer_size);
  CheckResize(view, render_flag::kResizeAllocationList, "new_allocation_list_size",
              render.new_allocation_list_size, start.allocation_list_size);
  CheckResize(view, render_flag::kResizePatchLocationList, "new_patch_location_list_size",
              render.new_patch_location_list_size, start.patch_location_list_size);
}

// KMT-RENDER-032, -033, -034.
void CheckPointers(const PacketView& view) {
  const trace::Render& render = view.render;
  if (!view.has(render_flag::kRenderKm)) {
    const uint64_t first =
        render.new_command_buffer_pointer != 0    ? render.new_command_buffer_pointer
        : render.new_allocation_list_pointer != 0 ? render.new_allocation_list_pointer
                                                  : render.new_patch_location_list_pointer;
    if (first == 0) return;
    view.Report(Rule::kKmtRender034, "new_command_buffer_pointer",
                "the pNew pointers are outputs: what they held before the call is ignored",
                Hex(first), "0");
    return;
  }
  if (render.origin != trace::Origin::kKernel) return;  // KMT-FLAGS-002
  if (render.new_command_buffer_pointer == 0 && view.extent.begin < view.extent.end) {
    view.Report(Rule::kKmtRender032, "new_command_buffer_pointer",
                "RenderKm takes the commands from pNewCommandBuffer, which is NULL", "0", "not 0");
  }
  if (render.new_allocation_list_pointer == 0 && view.allocations.size() != 0) {
    view.Report(Rule::kKmtRender032, "new_allocation_list_pointer",
                "RenderKm takes the list from pNewAllocationList, which is NULL", "0", "not 0");
  }
  if (view.patches.size() != 0) {
    view.Report(Rule::kKmtRender033, "patch_location_count",
                "RenderKm has no patch-location list as an input", Number(view.patches.size()),
                "0");
  }
}

// KMT-RENDER-036 for the patch-location list.
void CheckWrapAround(const PacketView& view) {
  for (size_t i = 0; i < view.patches.size(); ++i) {
    const uint32_t offset = view.patches[i].patch_offset;
    if (offset <= kLastPatchOffset) continue;
    view.patch_defects[i] |= kWrapsAround;
    Diagnostic finding =
        MakeDiagnostic(Rule::kKmtRender036,
                       fmt::format("the word at PatchOffset {:#x} ends beyond 32 bits", offset));
    if (!view.is_dp2()) finding.severity = Severity::kWarning;
    finding.path = ElementPath("patch_location_list", i);
    finding.actual = Hex(offset);
    finding.expected = Hex(kLastPatchOffset) + " or less";
    view.findings().Add(std::move(finding));
  }
}

}  // namespace

bool CheckRenderParameters(const PacketView& view) {
  const bool is_readable = CheckExtent(view);
  CheckCounts(view);
  CheckReservedFields(view);
  CheckBroadcast(view);
  CheckToken(view);
  CheckResizes(view);
  CheckPointers(view);
  CheckWrapAround(view);
  return is_readable;
}

void CheckRenderFlags(const PacketView& view) {
  const uint32_t reserved = kmt::ReservedMask(kmt::kRenderFlags, view.profile.os_profile);
  const uint32_t set = view.render.flags & reserved;
  const auto report = [&](Rule rule, const char* message, const char* expected) {
    view.Report(rule, "flags", message, FlagsText(kmt::kRenderFlags, view.render.flags), expected);
  };
  if (set != 0) {
    view.Report(Rule::kKmtFlags001, "flags",
                fmt::format("{} is reserved", FlagsText(kmt::kRenderFlags, set)),
                FlagsText(kmt::kRenderFlags, view.render.flags),
                LegalFlagsText(kmt::kRenderFlags, reserved));
  }
  if (view.has(render_flag::kNullRendering)) {
    report(Rule::kKmtFlags007, "NullRendering is set: nothing is executed", "NullRendering clear");
  }
  const bool is_kernel = view.render.origin == trace::Origin::kKernel;
  const bool is_render_km = view.has(render_flag::kRenderKm);
  const bool is_readback = view.has(render_flag::kRenderKmReadback);
  if (!is_kernel && is_render_km)
    report(Rule::kKmtFlags002, "RenderKm is set by user mode", "RenderKm clear");
  if (!is_kernel && is_readback)
    report(Rule::kKmtFlags003, "RenderKmReadback is set by user mode", "RenderKmReadback clear");
  if (is_kernel && is_readback && !is_render_km)
    report(Rule::kKmtFlags004, "RenderKmReadback without RenderKm", "both or none");
  if (!is_kernel && (is_render_km || is_readback)) return;
  constexpr uint32_t kResizes = render_flag::kResizeCommandBuffer |
                                render_flag::kResizeAllocationList |
                                render_flag::kResizePatchLocationList;
  if (is_render_km && view.has(kResizes)) {
    report(Rule::kKmtFlags005, "RenderKm with a Resize flag: the buffers are the caller's own",
           "no Resize flag");
  }
  if (is_render_km && view.has(render_flag::kPresentRedirected)) {
    report(Rule::kKmtFlags006, "RenderKm with PresentRedirected", "one of the two");
  }
  if ((reserved & render_flag::kRenderKm) != 0) return;  // no such flag: nothing can agree with it
  const bool is_payload_km = view.render.payload == trace::PayloadKind::kRenderKm;
  if (is_payload_km != is_render_km) {
    report(Rule::kKmtFlags008,
           is_payload_km ? "the payload is renderkm and RenderKm is clear"
                         : "RenderKm is set and the payload is not renderkm",
           is_payload_km ? "RenderKm set" : "payload renderkm");
  }
}

}  // namespace dp2trace::validate
