#include "validate/kmt/lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/flag_text.h"
#include "kmt/profile.h"
#include "rules/rule.h"
#include "validate/kmt/text.h"

namespace dp2trace::validate {
namespace {

using device::KmtType;

std::string ListPathOf(size_t index) {
  return ElementPath("allocation_list", index);
}

// KMT-ALLOC-005, -006, -009, -016, -017.
void CheckBits(const PacketView& view, size_t index, const kmt::AllocationElement& element) {
  const uint32_t reserved =
      kmt::ReservedMask(kmt::kAllocationBits, kmt::NewestWddm(view.profile.os_profile));
  const std::string path = ListPathOf(index);
  if ((element.value & reserved) != 0) {
    view.Report(
        Rule::kKmtAlloc005, path,
        fmt::format("element {} has the reserved bits {:#x}", index, element.value & reserved),
        FieldsText(kmt::kAllocationBits, element.value),
        LegalFieldsText(kmt::kAllocationBits, reserved));
    return;
  }
  if (element.handle == 0) {
    if (element.value == 0) return;
    view.Report(Rule::kKmtAlloc009, path,
                fmt::format("element {} names no allocation, its Value is {}", index,
                            FieldsText(kmt::kAllocationBits, element.value)),
                FieldsText(kmt::kAllocationBits, element.value), "0");
    return;
  }
  const uint32_t priority = element.offer_priority();
  if (NameOf(kmt::kOfferPriorityNames, priority).empty()) {
    view.Report(Rule::kKmtAlloc006, path,
                fmt::format("OfferPriority of element {} is {}", index, priority),
                fmt::format("{}", priority), AllValuesText(kmt::kOfferPriorityNames));
  } else if (priority != 0) {
    view.Report(
        Rule::kKmtAlloc017, path,
        fmt::format("allocation {:#x} is offered once the packet is complete", element.handle),
        ValueText(kmt::kOfferPriorityNames, priority), ValueText(kmt::kOfferPriorityNames, 0));
  }
  if (element.do_not_retire_instance() && view.render.broadcast_context_count == 0) {
    view.Report(
        Rule::kKmtAlloc016, path,
        fmt::format("DoNotRetireInstance of element {} in a packet that is not broadcast", index),
        "1", "0");
  }
}

// KMT-ALLOC-001, -003, -004: the allocation, or null.
const device::KmtAllocation* CheckHandle(const PacketView& view, size_t index, uint32_t handle) {
  const uint32_t process = view.render.process;
  if (const device::KmtAllocation* allocation = view.kmt().FindAllocation(process, handle))
    return allocation;
  view.allocation_defects[index] |= kIsNoAllocation;
  const auto name = view.kmt().Look(process, handle);
  const Rule rule = !name            ? Rule::kKmtAlloc001
                    : !name->is_live ? Rule::kKmtAlloc003
                                     : Rule::kKmtAlloc004;
  view.Report(rule, ListPathOf(index),
              fmt::format("handle {:#x} of element {} {}", handle, index,
                          DescribeHandle(view.kmt(), process, handle)),
              Hex(handle), "a live allocation");
  return nullptr;
}

// KMT-ALLOC-011 to -014: states in which an allocation cannot be submitted.
void CheckState(const PacketView& view, size_t index, uint32_t handle,
                const device::KmtAllocation& allocation) {
  const auto report = [&](Rule rule, const char* what, const char* actual, const char* expected) {
    view.Report(rule, ListPathOf(index), fmt::format("allocation {:#x} {}", handle, what), actual,
                expected);
  };
  if (view.kmt().IsOffered(view.render.process, allocation)) {
    report(Rule::kKmtAlloc011, "is offered and was not reclaimed", "offered", "reclaimed");
  }
  if (allocation.is_locked_with_aperture) {
    report(Rule::kKmtAlloc013, "is locked with AcquireAperture", "locked", "unlocked");
  } else if (allocation.locks != 0) {
    report(Rule::kKmtAlloc012, "is locked: it renders only where it can be evicted", "locked",
           "unlocked");
  }
  if (view.kmt().IsStale(allocation)) {
    report(Rule::kKmtAlloc014,
           "is an old instance: a packet has used the one that a Discard lock made", "stale",
           "the newest instance");
  }
}

// KMT-ALLOC-002, -011 to -015, -018, -020, -022.
void CheckUse(const PacketView& view, size_t index, const kmt::AllocationElement& element,
              const device::KmtAllocation& allocation) {
  const std::string path = ListPathOf(index);
  if (view.context != nullptr && allocation.device != view.context->device) {
    view.Report(Rule::kKmtAlloc002, path,
                fmt::format("allocation {:#x} is of device {:#x}, the packet of device {:#x}",
                            element.handle, allocation.device, view.context->device),
                Hex(allocation.device), Hex(view.context->device));
    return;
  }
  CheckState(view, index, element.handle, allocation);
  if (allocation.is_discarded && !element.write_operation()) {
    view.Report(Rule::kKmtAlloc022, path,
                fmt::format("allocation {:#x} was discarded while it was offered, and nothing has "
                            "written it since: its contents are undefined",
                            element.handle),
                "discarded", "contents that were written after the reclaim");
  }
  if (element.write_operation() && allocation.is_read_only) {
    view.Report(Rule::kKmtAlloc015, path,
                fmt::format("WriteOperation for allocation {:#x}, which was created ReadOnly",
                            element.handle),
                "1", "0");
  }
  if (allocation.is_invalidated) {
    view.allocation_defects[index] |= kIsInvalidPrimary;
    view.Report(Rule::kKmtAlloc018, path,
                fmt::format("primary {:#x} is invalid since a mode change", element.handle),
                Hex(element.handle), "a primary that was created or opened since");
  }
  const bool needs_primary = view.context != nullptr && view.context->no_patching;
  if (needs_primary && !allocation.is_primary && !allocation.is_swap_chain) {
    view.Report(Rule::kKmtAlloc020, path,
                fmt::format("allocation {:#x} is neither a primary nor a swap chain buffer",
                            element.handle),
                Hex(element.handle), "a primary or a swap chain buffer");
  }
}

// KMT-ALLOC-007 and -008.
void CheckDuplicates(const PacketView& view) {
  std::map<uint32_t, size_t> first;
  for (size_t i = 0; i < view.allocations.size(); ++i) {
    const kmt::AllocationElement element = view.allocations[i];
    if (element.handle == 0 || (view.allocation_defects[i] & kIsNoAllocation) != 0) continue;
    const auto [known, is_new] = first.emplace(element.handle, i);
    if (is_new) continue;
    const uint32_t value = view.allocations[known->second].value;
    const bool is_equal = value == element.value;
    view.Report(
        is_equal ? Rule::kKmtAlloc007 : Rule::kKmtAlloc008, ListPathOf(i),
        is_equal ? fmt::format("allocation {:#x} is listed before, as element {}", element.handle,
                               known->second)
                 : fmt::format("allocation {:#x} has other flags as element {}", element.handle,
                               known->second),
        is_equal ? fmt::format("element {}", i) : FieldsText(kmt::kAllocationBits, element.value),
        is_equal ? "once" : FieldsText(kmt::kAllocationBits, value));
  }
}

// KMT-ALLOC-010, once for the packet.
void CheckNullElements(const PacketView& view) {
  uint64_t count = 0;
  std::optional<size_t> misplaced;
  for (size_t i = 0; i < view.allocations.size(); ++i) {
    if (view.allocations[i].handle != 0) continue;
    ++count;
    if (i != 0 && !misplaced) misplaced = i;
  }
  if (!misplaced) return;
  view.Report(Rule::kKmtAlloc010, ListPathOf(*misplaced),
              fmt::format("{} NULL elements, the first beyond index 0 at {}", count, *misplaced),
              fmt::format("element {}", *misplaced), "only element 0");
}

}  // namespace

void CheckAllocationList(const PacketView& view) {
  for (size_t i = 0; i < view.allocations.size(); ++i) {
    const kmt::AllocationElement element = view.allocations[i];
    CheckBits(view, i, element);
    if (element.handle == 0) continue;
    if (const device::KmtAllocation* allocation = CheckHandle(view, i, element.handle))
      CheckUse(view, i, element, *allocation);
  }
  CheckDuplicates(view);
  CheckNullElements(view);
}

void CheckOverDeclaration(const PacketView& view, const std::set<uint32_t>& written) {
  for (size_t i = 0; i < view.allocations.size(); ++i) {
    const kmt::AllocationElement element = view.allocations[i];
    const bool is_known = element.handle != 0 && view.allocation_defects[i] == 0;
    if (!is_known || !element.write_operation() || written.contains(element.handle)) continue;
    view.Report(
        Rule::kKmtAlloc021, ListPathOf(i),
        fmt::format("no token writes allocation {:#x}, WriteOperation is set", element.handle), "1",
        "0");
  }
}

}  // namespace dp2trace::validate
