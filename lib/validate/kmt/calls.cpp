#include "validate/kmt/calls.h"

#include <fmt/format.h>

#include <span>
#include <string>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "kmt/flags.h"
#include "kmt/layout.h"
#include "rules/rule.h"
#include "validate/kmt/text.h"

namespace dp2trace::validate {
namespace {

namespace lock_flag = kmt::lock_flag;
using device::HasKmtFailed;
using device::KmtType;

constexpr size_t kMaxWaitObjects = 32;
constexpr size_t kMaxPrimaries = 16;

// KMT-LOCK-001 and -008: a live allocation of the device, or null.
const device::KmtAllocation* FindOfDevice(const EventView& view, Rule rule, const std::string& path,
                                          uint32_t process, uint32_t device, uint32_t handle) {
  if (!CheckLive(view, rule, path, process, handle, KmtType::kAllocation)) return nullptr;
  const device::KmtAllocation* allocation = view.kmt.FindAllocation(process, handle);
  if (allocation->device == device) return allocation;
  view.findings.Add(rule, path,
                    fmt::format("allocation {:#x} is of device {:#x}, not {:#x}", handle,
                                allocation->device, device),
                    Hex(allocation->device), Hex(device));
  return nullptr;
}

// KMT-LOCK-002 and -005.
void CheckLockFlags(const EventView& view, const trace::Lock& event) {
  const auto has = [&](uint32_t flag) { return (event.flags & flag) != 0; };
  const auto report = [&](Rule rule, const char* message, const char* expected) {
    view.findings.Add(rule, "flags", message, FlagsText(kmt::kLockFlags, event.flags), expected);
  };
  const uint32_t reserved = kmt::ReservedMask(kmt::kLockFlags, view.header().os_profile);
  if (has(reserved)) {
    view.findings.Add(
        Rule::kKmtLock002, "flags",
        fmt::format("{} is reserved", FlagsText(kmt::kLockFlags, event.flags & reserved)),
        FlagsText(kmt::kLockFlags, event.flags), LegalFlagsText(kmt::kLockFlags, reserved));
  }
  if (has(lock_flag::kReadOnly) && has(lock_flag::kWriteOnly))
    report(Rule::kKmtLock002, "ReadOnly and WriteOnly", "one of the two");
  if (has(lock_flag::kIgnoreSync) && has(lock_flag::kAcquireAperture)) {
    report(Rule::kKmtLock002, "IgnoreSync and AcquireAperture", "one of the two");
  }
  if (has(lock_flag::kUseAlternateVa) && !has(lock_flag::kAcquireAperture)) {
    report(Rule::kKmtLock002, "UseAlternateVA without AcquireAperture", "both or none");
  }
  if (has(lock_flag::kNoExistingReference) && !has(lock_flag::kDiscard)) {
    report(Rule::kKmtLock005, "NoExistingReference without Discard", "both or none");
  }
}

// KMT-LOCK-003, -004, -006, -010.
void CheckLockState(const EventView& view, const trace::Lock& event,
                    const device::KmtAllocation& allocation) {
  const auto report = [&](Rule rule, const char* what, const char* actual, const char* expected) {
    view.findings.Add(rule, "allocation",
                      fmt::format("allocation {:#x} {}", event.allocation, what), actual, expected);
  };
  const bool has_aperture = (event.flags & lock_flag::kAcquireAperture) != 0;
  if (view.kmt.IsOffered(event.process, allocation)) {
    report(Rule::kKmtLock003, "is offered and was not reclaimed", "offered", "reclaimed");
  } else if (view.kmt.IsStale(allocation)) {
    report(Rule::kKmtLock003, "is a retired instance", "retired", "the newest instance");
  }
  if (allocation.is_locked_alternate) {
    report(Rule::kKmtLock004, "is locked with UseAlternateVA already", "locked", "unlocked");
  } else if (has_aperture && allocation.is_locked_without_aperture) {
    report(Rule::kKmtLock004, "is locked without AcquireAperture already", "locked", "unlocked");
  }
  if (allocation.is_read_only && (event.flags & lock_flag::kReadOnly) == 0) {
    view.findings.Add(Rule::kKmtLock010, "flags",
                      fmt::format("allocation {:#x} was created ReadOnly, the lock is for writing",
                                  event.allocation),
                      FlagsText(kmt::kLockFlags, event.flags), "ReadOnly");
  }
  const bool is_discard = (event.flags & lock_flag::kDiscard) != 0;
  if (is_discard && (allocation.is_primary || allocation.is_shared)) {
    report(Rule::kKmtLock006, "is a primary or shared: Discard is ignored", "Discard",
           "no Discard");
  }
}

// KMT-SYNC-001 to -003.
void CheckSyncObjects(const EventView& view, uint32_t process, uint32_t context,
                      std::span<const uint32_t> objects, bool may_be_empty) {
  CheckLive(view, Rule::kKmtSync001, "context", process, context, KmtType::kContext);
  if (objects.size() > kMaxWaitObjects) {
    view.findings.Add(Rule::kKmtSync001, "objects",
                      fmt::format("{} objects in one call", objects.size()),
                      fmt::format("{}", objects.size()), "32 or less");
    return;
  }
  for (size_t i = 0; i < objects.size(); ++i) {
    CheckLive(view, Rule::kKmtSync002, ElementPath("objects", i), process, objects[i],
              KmtType::kSync);
  }
  if (objects.empty() && !may_be_empty)
    view.findings.Add(Rule::kKmtSync003, "objects", "the call names no object", "0", "1 to 32");
}

// KMT-OFFER-001.
void CheckOneList(const EventView& view, size_t resources, size_t allocations) {
  if ((resources == 0) != (allocations == 0)) return;
  view.findings.Add(Rule::kKmtOffer001, "allocations",
                    fmt::format("the call names {} and {}", Counted(resources, "resource"),
                                Counted(allocations, "allocation")),
                    fmt::format("{} and {}", resources, allocations), "one of the lists");
}

void ReportReclaimed(const EventView& view, const char* what, std::string path, uint32_t handle) {
  view.findings.Add(Rule::kKmtOffer002, std::move(path),
                    fmt::format("{} {:#x} is not offered", what, handle), "not offered", "offered");
}

// KMT-OFFER-001: what is offered and reclaimed is there.
void CheckOffered(const EventView& view, uint32_t process, std::span<const uint32_t> resources,
                  std::span<const uint32_t> allocations) {
  for (size_t i = 0; i < resources.size(); ++i) {
    CheckLive(view, Rule::kKmtOffer001, ElementPath("resources", i), process, resources[i],
              KmtType::kResource);
  }
  for (size_t i = 0; i < allocations.size(); ++i) {
    CheckLive(view, Rule::kKmtOffer001, ElementPath("allocations", i), process, allocations[i],
              KmtType::kAllocation);
  }
}

}  // namespace

void CheckCallEvent(const EventView& view, const trace::Lock& event) {
  CheckLockFlags(view, event);
  if (!CheckLive(view, Rule::kKmtLock001, "device", event.process, event.device, KmtType::kDevice))
    return;
  const device::KmtAllocation* allocation = FindOfDevice(
      view, Rule::kKmtLock001, "allocation", event.process, event.device, event.allocation);
  if (allocation == nullptr) return;
  CheckLockState(view, event, *allocation);
  if (HasKmtFailed(event.status)) return;
  if (event.allocation_out != 0 && event.allocation_out != event.allocation) {
    view.findings.Add(
        Rule::kKmtLock007, "allocation_out",
        fmt::format(
            "a new instance of allocation {:#x} is {:#x}: packets must name it from here on",
            event.allocation, event.allocation_out),
        Hex(event.allocation_out), Hex(event.allocation));
  }
  if (event.status && event.data_pointer == 0) {
    view.findings.Add(Rule::kKmtLock009, "data_pointer", "success without a pointer to the data",
                      "0", "not 0");
  }
}

// KMT-LOCK-008.
void CheckCallEvent(const EventView& view, const trace::Unlock& event) {
  for (size_t i = 0; i < event.allocations.size(); ++i) {
    const std::string path = ElementPath("allocations", i);
    const device::KmtAllocation* allocation = FindOfDevice(
        view, Rule::kKmtLock008, path, event.process, event.device, event.allocations[i]);
    if (allocation == nullptr || allocation->locks != 0) continue;
    view.findings.Add(Rule::kKmtLock008, path,
                      fmt::format("allocation {:#x} is not locked", event.allocations[i]),
                      "unlocked", "locked");
  }
}

void CheckCallEvent(const EventView& view, const trace::Offer& event) {
  CheckOneList(view, event.resources.size(), event.allocations.size());
  CheckOffered(view, event.process, event.resources, event.allocations);
  if (event.priority != 0 && !NameOf(kmt::kOfferPriorityNames, event.priority).empty()) return;
  view.findings.Add(
      Rule::kKmtOffer001, "priority", fmt::format("the priority is {}", event.priority),
      ValueText(kmt::kOfferPriorityNames, event.priority),
      ValueRangesText(kmt::kOfferPriorityNames, [](uint32_t priority) { return priority != 0; }));
}

void CheckCallEvent(const EventView& view, const trace::Reclaim& event) {
  CheckOneList(view, event.resources.size(), event.allocations.size());
  CheckOffered(view, event.process, event.resources, event.allocations);
  for (size_t i = 0; i < event.allocations.size(); ++i) {
    const device::KmtAllocation* allocation =
        view.kmt.FindAllocation(event.process, event.allocations[i]);
    if (allocation == nullptr || view.kmt.IsOffered(event.process, *allocation)) continue;
    ReportReclaimed(view, "allocation", ElementPath("allocations", i), event.allocations[i]);
  }
  for (size_t i = 0; i < event.resources.size(); ++i) {
    const device::KmtResource* resource = view.kmt.FindResource(event.process, event.resources[i]);
    if (resource == nullptr || resource->offer.is_offered) continue;
    ReportReclaimed(view, "resource", ElementPath("resources", i), event.resources[i]);
  }
}

void CheckCallEvent(const EventView& view, const trace::SyncWait& event) {
  CheckSyncObjects(view, event.process, event.context, event.objects, false);
}

void CheckCallEvent(const EventView& view, const trace::SyncSignal& event) {
  const bool has_event = (event.flags & kmt::signal_flag::kEnqueueCpuEvent) != 0;
  CheckSyncObjects(view, event.process, event.context, event.objects, has_event);
  const uint32_t reserved = kmt::ReservedMask(kmt::kSignalFlags, view.header().os_profile);
  if ((event.flags & reserved) != 0) {
    view.findings.Add(
        Rule::kKmtSync005, "flags",
        fmt::format("{} is reserved", FlagsText(kmt::kSignalFlags, event.flags & reserved)),
        FlagsText(kmt::kSignalFlags, event.flags), LegalFlagsText(kmt::kSignalFlags, reserved));
  }
  if (event.broadcast_context.size() > kmt::kMaxBroadcastContexts) {
    view.findings.Add(Rule::kKmtSync004, "broadcast_context",
                      Counted(event.broadcast_context.size(), "broadcast context"),
                      fmt::format("{}", event.broadcast_context.size()), "64 or less");
    return;
  }
  for (size_t i = 0; i < event.broadcast_context.size(); ++i) {
    const uint32_t handle = event.broadcast_context[i];
    const std::string path = ElementPath("broadcast_context", i);
    if (handle != 0 && handle == event.context) {
      view.findings.Add(
          Rule::kKmtSync004, path,
          fmt::format("context {:#x} makes the call, it is not a broadcast context", handle),
          Hex(handle), "another context");
    } else {
      CheckLive(view, Rule::kKmtSync004, path, event.process, handle, KmtType::kContext);
    }
  }
}

// KMT-SUBMIT-001, -002, -003, -005.
void CheckCallEvent(const EventView& view, const trace::SubmitCommand& event) {
  const size_t count = event.broadcast_context.size();
  if (count == 0 || count > kmt::kMaxBroadcastContexts) {
    view.findings.Add(Rule::kKmtSubmit002, "broadcast_context",
                      fmt::format("{}, the submitting one among them", Counted(count, "context")),
                      fmt::format("{}", count), "1 to 64");
  }
  for (size_t i = 0; i < count && i < kmt::kMaxBroadcastContexts; ++i) {
    const uint32_t handle = event.broadcast_context[i];
    const std::string path = ElementPath("broadcast_context", i);
    if (!CheckLive(view, Rule::kKmtSubmit001, path, event.process, handle, KmtType::kContext))
      continue;
    if (view.kmt.FindKmtContext(event.process, handle)->kind == trace::ContextKind::kVirtual)
      continue;
    view.findings.Add(
        Rule::kKmtSubmit001, path,
        fmt::format("context {:#x} is not virtual: it submits with D3DKMTRender", handle), "legacy",
        "virtual");
  }
  if (event.written_primaries.size() > kMaxPrimaries) {
    view.findings.Add(Rule::kKmtSubmit003, "written_primaries",
                      fmt::format("{} written primaries", event.written_primaries.size()),
                      fmt::format("{}", event.written_primaries.size()), "16 or less");
  } else {
    for (size_t i = 0; i < event.written_primaries.size(); ++i) {
      CheckLive(view, Rule::kKmtSubmit003, ElementPath("written_primaries", i), event.process,
                event.written_primaries[i], KmtType::kAllocation);
    }
  }
  if (event.payload == trace::PayloadKind::kOpaque) return;
  view.findings.Add(
      Rule::kKmtSubmit005, "payload",
      "the commands of D3DKMTSubmitCommand come without lists: only opaque ones are described",
      ValueText(trace::kPayloadKindNames, static_cast<uint32_t>(event.payload)),
      ValueText(trace::kPayloadKindNames, static_cast<uint32_t>(trace::PayloadKind::kOpaque)));
}

}  // namespace dp2trace::validate
