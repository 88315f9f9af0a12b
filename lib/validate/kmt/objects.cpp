#include "validate/kmt/objects.h"

#include <fmt/format.h>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "kmt/flags.h"
#include "rules/rule.h"
#include "validate/kmt/state.h"
#include "validate/kmt/text.h"

namespace dp2trace::validate {
namespace {

using device::HasKmtFailed;
using device::KmtType;

constexpr uint32_t kNoPatchingAllocationCount = 16;

// KMT-STATE-015.
void CheckReservedFlags(const EventView& view, const kmt::FlagTable& table, uint32_t flags) {
  const uint32_t reserved = kmt::ReservedMask(table, view.header().os_profile);
  if ((flags & reserved) == 0) return;
  view.findings.Add(
      Rule::kKmtState015, "flags",
      fmt::format("{} of {} is reserved", FlagsText(table, flags & reserved), table.name),
      FlagsText(table, flags), LegalFlagsText(table, reserved));
}

// KMT-STATE-013, of a call that has not failed.
void CheckContextResult(const EventView& view, const trace::KmtContextCreate& event) {
  const auto report = [&](const char* path, const std::string& message) {
    view.findings.Add(Rule::kKmtState013, path, message, "0", "not 0");
  };
  if (event.context == 0) report("context", "success without a context handle");
  if (!event.triple) return;
  const trace::Triple& triple = *event.triple;
  if (triple.command_buffer == 0)
    report("triple/command_buffer", "success without a command buffer");
  if (triple.command_buffer_size == 0)
    report("triple/command_buffer_size", "success with a command buffer of 0 bytes");
  const auto check_list = [&](const char* path, uint64_t pointer, uint32_t size) {
    if (pointer == 0 && size != 0)
      report(path, fmt::format("success with a list of {} at NULL", Counted(size, "element")));
  };
  check_list("triple/allocation_list", triple.allocation_list, triple.allocation_list_size);
  check_list("triple/patch_location_list", triple.patch_location_list,
             triple.patch_location_list_size);
}

// KMT-STATE-017 and -019.
void CheckListSizes(const EventView& view, const trace::KmtContextCreate& event) {
  const trace::Triple& triple = *event.triple;
  const auto number = [](uint64_t value) { return fmt::format("{}", value); };
  if (event.no_patching && triple.patch_location_list_size != 0) {
    view.findings.Add(Rule::kKmtState017, "triple/patch_location_list_size",
                      fmt::format("a context that needs no patching has a patch list of {}",
                                  Counted(triple.patch_location_list_size, "element")),
                      number(triple.patch_location_list_size), "0");
  }
  if (event.no_patching && triple.allocation_list_size > kNoPatchingAllocationCount) {
    view.findings.Add(Rule::kKmtState017, "triple/allocation_list_size",
                      fmt::format("a context that needs no patching has an allocation list of {}",
                                  Counted(triple.allocation_list_size, "element")),
                      number(triple.allocation_list_size), "16 or less");
  }
  if (event.client_hint == kHintCdd && triple.allocation_list_size < kGdiAllocationCount) {
    view.findings.Add(Rule::kKmtState019, "triple/allocation_list_size",
                      fmt::format("a GDI context has an allocation list of {}",
                                  Counted(triple.allocation_list_size, "element")),
                      number(triple.allocation_list_size), "256 or more");
  }
}

}  // namespace

bool CheckNewHandle(const EventView& view, Rule rule, std::string_view path, uint32_t process,
                    uint32_t handle) {
  const auto name = view.kmt.Look(process, handle);
  if (!name || !name->is_live) return true;
  view.findings.Add(rule, std::string(path),
                    fmt::format("the call returned {:#x}, which {}", handle,
                                DescribeHandle(view.kmt, process, handle)),
                    Hex(handle), "a handle that is not in use");
  return false;
}

void CheckObjectEvent(const EventView& view, const trace::AdapterOpen& event) {
  if (!HasKmtFailed(event.status))
    CheckNewHandle(view, Rule::kKmtState010, "adapter", event.process, event.adapter);
}

void CheckObjectEvent(const EventView& view, const trace::AdapterClose& event) {
  CheckLive(view, Rule::kKmtState011, "adapter", event.process, event.adapter, KmtType::kAdapter);
}

void CheckObjectEvent(const EventView& view, const trace::DeviceCreate& event) {
  CheckLive(view, Rule::kKmtState014, "adapter", event.process, event.adapter, KmtType::kAdapter);
  CheckReservedFlags(view, kmt::kCreateDeviceFlags, event.flags);
  if (!HasKmtFailed(event.status))
    CheckNewHandle(view, Rule::kKmtState010, "device", event.process, event.device);
}

// KMT-STATE-011, -012 and KMT-RES-009.
void CheckObjectEvent(const EventView& view, const trace::DeviceDestroy& event) {
  if (!CheckLive(view, Rule::kKmtState011, "device", event.process, event.device,
                 KmtType::kDevice) ||
      HasKmtFailed(event.status))
    return;
  const device::KmtChildren left = view.kmt.ChildrenOf(event.process, event.device);
  if (left.contexts + left.allocations + left.syncs != 0) {
    view.findings.Add(
        Rule::kKmtState012, "device",
        fmt::format("device {:#x} is destroyed with {}, {} and {} synchronisation objects",
                    event.device, Counted(left.contexts, "context"),
                    Counted(left.allocations, "allocation"), left.syncs),
        fmt::format("{}", left.contexts + left.allocations + left.syncs), "0");
  }
  for (const uint32_t handle : view.kmt.EmptiedResourcesOf(event.process, event.device)) {
    view.findings.Add(
        Rule::kKmtRes009, "device",
        fmt::format("resource {:#x} was never destroyed, only each of its allocations", handle),
        Hex(handle), "destroyed");
  }
}

void CheckObjectEvent(const EventView& view, const trace::KmtContextCreate& event) {
  CheckLive(view, Rule::kKmtState014, "device", event.process, event.device, KmtType::kDevice);
  CheckReservedFlags(view, kmt::kCreateContextFlags, event.flags);
  if (NameOf(kmt::kClientHintNames, event.client_hint).empty()) {
    view.findings.Add(Rule::kKmtState016, "client_hint",
                      fmt::format("ClientHint {} is not defined", event.client_hint),
                      fmt::format("{}", event.client_hint), AllValuesText(kmt::kClientHintNames));
  }
  if (HasKmtFailed(event.status)) return;
  CheckNewHandle(view, Rule::kKmtState010, "context", event.process, event.context);
  if (event.kind != trace::ContextKind::kLegacy) return;
  CheckContextResult(view, event);
  if (event.triple) CheckListSizes(view, event);
}

void CheckObjectEvent(const EventView& view, const trace::KmtContextDestroy& event) {
  CheckLive(view, Rule::kKmtState011, "context", event.process, event.context, KmtType::kContext);
}

void CheckObjectEvent(const EventView& view, const trace::SyncCreate& event) {
  if (!HasKmtFailed(event.status))
    CheckNewHandle(view, Rule::kKmtState010, "sync", event.process, event.sync);
}

void CheckObjectEvent(const EventView& view, const trace::SyncDestroy& event) {
  CheckLive(view, Rule::kKmtState011, "sync", event.process, event.sync, KmtType::kSync);
}

void CheckObjectsAtEnd(const EventView& view) {
  for (const auto& [process, handle] : view.kmt.EmptiedResources()) {
    view.findings.Add(
        Rule::kKmtRes009, "",
        fmt::format("resource {:#x} was never destroyed, only each of its allocations", handle),
        Hex(handle), "destroyed");
  }
}

}  // namespace dp2trace::validate
