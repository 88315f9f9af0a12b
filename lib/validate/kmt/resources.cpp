// Allocations and resources: KMT-RES-001 to -010. Source: lib/kmt/packets.md 4.5 and 7.8.
#include <fmt/format.h>

#include <optional>
#include <set>

#include "base/plain_text.h"
#include "kmt/flags.h"
#include "rules/rule.h"
#include "validate/kmt/objects.h"
#include "validate/kmt/text.h"

namespace dp2trace::validate {
namespace {

namespace create_flag = kmt::create_allocation_flag;
using device::HasKmtFailed;
using device::KmtType;

bool Has(const trace::AllocationCreate& event, uint32_t flag) {
  return (event.flags & flag) != 0;
}

void ReportFlags(const EventView& view, Rule rule, const trace::AllocationCreate& event,
                 std::string message, std::string expected) {
  view.findings.Add(rule, "flags", std::move(message),
                    FlagsText(kmt::kCreateAllocationFlags, event.flags), std::move(expected));
}

// KMT-RES-001.
void CheckOwners(const EventView& view, const trace::AllocationCreate& event) {
  if (!CheckLive(view, Rule::kKmtRes001, "device", event.process, event.device, KmtType::kDevice) ||
      event.resource == 0)
    return;
  if (!CheckLive(view, Rule::kKmtRes001, "resource", event.process, event.resource,
                 KmtType::kResource))
    return;
  const device::KmtResource& resource = *view.kmt.FindResource(event.process, event.resource);
  if (resource.device != event.device) {
    view.findings.Add(Rule::kKmtRes001, "resource",
                      fmt::format("resource {:#x} is of device {:#x}, not {:#x}", event.resource,
                                  resource.device, event.device),
                      Hex(resource.device), Hex(event.device));
  } else if (resource.is_shared) {
    view.findings.Add(
        Rule::kKmtRes001, "resource",
        fmt::format("resource {:#x} is shared: nothing can be added to it", event.resource),
        "shared", "not shared");
  }
}

// KMT-RES-002, -003, -005.
void CheckFlags(const EventView& view, const trace::AllocationCreate& event) {
  if (Has(event, create_flag::kCreateShared) && !Has(event, create_flag::kCreateResource)) {
    ReportFlags(view, Rule::kKmtRes002, event, "CreateShared without CreateResource",
                "both or none");
  }
  if (Has(event, create_flag::kNtSecuritySharing) && !Has(event, create_flag::kCreateShared)) {
    ReportFlags(view, Rule::kKmtRes002, event, "NtSecuritySharing without CreateShared",
                "both or none");
  }
  const bool is_standard = Has(event, create_flag::kStandardAllocation);
  uint32_t forbidden = create_flag::kCreateProtected | create_flag::kCreateWriteCombined |
                       create_flag::kCreateCached | create_flag::kOpenCrossAdapter;
  if (!is_standard) forbidden |= create_flag::kExistingSysMem;
  if (event.origin == trace::Origin::kUser && Has(event, forbidden)) {
    ReportFlags(view, Rule::kKmtRes003, event,
                fmt::format("{} is not for user mode",
                            FlagsText(kmt::kCreateAllocationFlags, event.flags & forbidden)),
                fmt::format("{} clear", FlagsText(kmt::kCreateAllocationFlags, forbidden)));
  }
  if (!is_standard) return;
  const auto report = [&](const char* path, std::string message) {
    view.findings.Add(Rule::kKmtRes005, path, std::move(message),
                      FlagsText(kmt::kCreateAllocationFlags, event.flags),
                      "one shared cross-adapter allocation");
  };
  constexpr uint32_t kNeeded = create_flag::kCreateShared | create_flag::kCrossAdapter;
  constexpr uint32_t kExclusive = create_flag::kExistingSysMem | create_flag::kExistingSection;
  if (event.allocations.size() != 1) {
    report("allocations", fmt::format("a standard allocation is one, the call creates {}",
                                      event.allocations.size()));
  } else if (event.resource != 0) {
    report("resource", "a standard allocation makes a resource of its own");
  } else if ((event.flags & kNeeded) != kNeeded) {
    report("flags", "StandardAllocation without CreateShared and CrossAdapter");
  } else if ((event.flags & kExclusive) == kExclusive) {
    report("flags", "StandardAllocation with both ExistingSysMem and ExistingSection");
  }
}

// KMT-RES-004, of a call that has not failed.
void CheckHandles(const EventView& view, const trace::AllocationCreate& event) {
  std::set<uint32_t> returned;
  for (size_t i = 0; i < event.allocations.size(); ++i) {
    const uint32_t handle = event.allocations[i].allocation;
    const std::string path = ElementPath("allocations", i);
    if (handle == 0) {
      view.findings.Add(Rule::kKmtRes004, path,
                        fmt::format("success without a handle for allocation {}", i), "0", "not 0");
    } else if (!returned.insert(handle).second) {
      view.findings.Add(Rule::kKmtRes004, path,
                        fmt::format("the call returned {:#x} twice", handle), Hex(handle),
                        "a handle for each");
    } else {
      CheckNewHandle(view, Rule::kKmtRes004, path, event.process, handle);
    }
  }
  const bool makes_resource = Has(event, create_flag::kCreateResource) && event.resource == 0;
  if (makes_resource && event.resource_out == 0) {
    view.findings.Add(Rule::kKmtRes004, "resource_out", "success without a handle for the resource",
                      "0", "not 0");
  } else if (makes_resource) {
    CheckNewHandle(view, Rule::kKmtRes004, "resource_out", event.process, event.resource_out);
  } else if (event.resource_out != 0 && event.resource_out != event.resource) {
    view.findings.Add(Rule::kKmtRes004, "resource_out",
                      "a resource is returned and none was asked for", Hex(event.resource_out),
                      Hex(event.resource));
  }
}

// KMT-RES-007: the resource that the first members belong to, 0 for none.
void CheckMembers(const EventView& view, const trace::AllocationDestroy& event) {
  std::optional<uint32_t> common;
  for (size_t i = 0; i < event.allocations.size(); ++i) {
    const device::KmtAllocation* allocation =
        view.kmt.FindAllocation(event.process, event.allocations[i]);
    if (allocation == nullptr) continue;
    if (!common) common = allocation->resource;
    if (allocation->resource == *common) continue;
    view.findings.Add(Rule::kKmtRes007, ElementPath("allocations", i),
                      fmt::format("allocation {:#x} is of resource {:#x}, those before it of {:#x}",
                                  event.allocations[i], allocation->resource, *common),
                      Hex(allocation->resource), Hex(*common));
    return;
  }
}

// KMT-STATE-011 and KMT-RES-010 for one allocation.
void CheckDestroyed(const EventView& view, const trace::AllocationDestroy& event,
                    const std::string& path, uint32_t handle) {
  if (!CheckLive(view, Rule::kKmtState011, path, event.process, handle, KmtType::kAllocation))
    return;
  const device::KmtAllocation& allocation = *view.kmt.FindAllocation(event.process, handle);
  if (allocation.device != event.device) {
    view.findings.Add(Rule::kKmtState011, path,
                      fmt::format("allocation {:#x} is of device {:#x}, not {:#x}", handle,
                                  allocation.device, event.device),
                      Hex(allocation.device), Hex(event.device));
  } else if (view.kmt.IsQueued(event.process, allocation) && !HasKmtFailed(event.status)) {
    view.findings.Add(
        Rule::kKmtRes010, path,
        fmt::format("allocation {:#x} is destroyed while a packet that lists it is still queued",
                    handle),
        "queued", "complete");
  }
}

// The same and KMT-STATE-011 for a resource.
void CheckDestroyedResource(const EventView& view, const trace::AllocationDestroy& event) {
  if (!CheckLive(view, Rule::kKmtState011, "resource", event.process, event.resource,
                 KmtType::kResource))
    return;
  const device::KmtResource& resource = *view.kmt.FindResource(event.process, event.resource);
  if (resource.device != event.device) {
    view.findings.Add(Rule::kKmtState011, "resource",
                      fmt::format("resource {:#x} is of device {:#x}, not {:#x}", event.resource,
                                  resource.device, event.device),
                      Hex(resource.device), Hex(event.device));
    return;
  }
  for (const uint32_t member : resource.allocations)
    CheckDestroyed(view, event, "resource", member);
}

}  // namespace

void CheckObjectEvent(const EventView& view, const trace::AllocationCreate& event) {
  CheckOwners(view, event);
  CheckFlags(view, event);
  if (!HasKmtFailed(event.status)) CheckHandles(view, event);
}

void CheckObjectEvent(const EventView& view, const trace::AllocationDestroy& event) {
  if (!CheckLive(view, Rule::kKmtState011, "device", event.process, event.device, KmtType::kDevice))
    return;
  if (event.resource != 0) {
    if (!event.allocations.empty()) {
      view.findings.Add(
          Rule::kKmtRes006, "allocations",
          fmt::format("resource {:#x} is named together with a list of {}", event.resource,
                      Counted(event.allocations.size(), "allocation")),
          fmt::format("{}", event.allocations.size()), "no list");
    }
    CheckDestroyedResource(view, event);
    return;
  }
  for (size_t i = 0; i < event.allocations.size(); ++i)
    CheckDestroyed(view, event, ElementPath("allocations", i), event.allocations[i]);
  CheckMembers(view, event);
}

// KMT-RES-008 and KMT-STATE-010.
void CheckObjectEvent(const EventView& view, const trace::ResourceOpen& event) {
  const auto count = view.kmt.FindShare(event.global_share);
  if (!count && !event.external) {
    view.findings.Add(Rule::kKmtRes008, "global_share",
                      fmt::format("no resource was shared as {:#x}", event.global_share),
                      Hex(event.global_share), "a shared resource of the trace, or external");
  } else if (count && *count != event.allocations.size()) {
    view.findings.Add(Rule::kKmtRes008, "allocations",
                      fmt::format("{} allocations are opened, the resource has {}",
                                  event.allocations.size(), *count),
                      fmt::format("{}", event.allocations.size()), fmt::format("{}", *count));
  }
  if (HasKmtFailed(event.status)) return;
  if (event.resource != 0)
    CheckNewHandle(view, Rule::kKmtState010, "resource", event.process, event.resource);
  for (size_t i = 0; i < event.allocations.size(); ++i) {
    const uint32_t handle = event.allocations[i].allocation;
    if (handle != 0) {
      CheckNewHandle(view, Rule::kKmtState010, ElementPath("allocations", i), event.process,
                     handle);
    }
  }
}

}  // namespace dp2trace::validate
