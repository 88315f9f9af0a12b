// The patch-location list: KMT-PATCH-*. Source: lib/kmt/packets.md 3.2 and 7.6.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/plain_text.h"
#include "rules/rule.h"
#include "validate/kmt/lists.h"
#include "validate/kmt/text.h"

namespace dp2trace::validate {
namespace {

constexpr uint32_t kFirstWddmWithLeakCheck = 120;

std::string PatchPathOf(size_t index) {
  return ElementPath("patch_location_list", index);
}

// An error in a DP2 payload; a vendor may have its own use for the field.
void ReportByPayload(const PacketView& view, Rule rule, size_t index, std::string message,
                     std::string actual, std::string expected) {
  Diagnostic finding = MakeDiagnostic(rule, std::move(message));
  if (!view.is_dp2()) finding.severity = Severity::kWarning;
  finding.path = PatchPathOf(index);
  finding.actual = std::move(actual);
  finding.expected = std::move(expected);
  view.findings().Add(std::move(finding));
}

// KMT-PATCH-001. A list that the context has no room for is only KMT-RENDER-014.
void CheckNoPatching(const PacketView& view) {
  if (view.context == nullptr || !view.context->no_patching || view.patches.size() == 0) return;
  if (view.context->current &&
      view.patches.size() > view.context->current->patch_location_list_size)
    return;
  view.Report(Rule::kKmtPatch001, "patch_location_count",
              fmt::format("context {:#x} needs no patching, the packet has {}", view.render.context,
                          Counted(view.patches.size(), "patch location")),
              fmt::format("{}", view.patches.size()), "0");
}

// KMT-PATCH-003, -004, -005.
void CheckSlot(const PacketView& view, size_t index, const kmt::PatchElement& patch) {
  const uint32_t reserved =
      patch.value & kmt::ReservedMask(kmt::kPatchBits, kmt::NewestWddm(view.profile.os_profile));
  if (reserved != 0) {
    view.Report(Rule::kKmtPatch003, PatchPathOf(index),
                fmt::format("reserved bits {:#x} of entry {} are set", reserved, index),
                FieldsText(kmt::kPatchBits, patch.value),
                LegalFieldsText(kmt::kPatchBits, reserved));
  }
  const device::KmtAdapter* adapter =
      view.device == nullptr ? nullptr
                             : view.kmt().FindAdapter(view.device->process, view.device->adapter);
  if (adapter == nullptr || !adapter->max_slot) return;
  const uint32_t slot = patch.slot_id();
  if (slot > *adapter->max_slot) {
    ReportByPayload(view, Rule::kKmtPatch004, index,
                    fmt::format("SlotId of entry {} is {}, the adapter's largest is {}", index,
                                slot, *adapter->max_slot),
                    fmt::format("{}", slot), AtMost(*adapter->max_slot));
  } else if (slot == *adapter->max_slot) {
    view.Report(
        Rule::kKmtPatch005, PatchPathOf(index),
        fmt::format("SlotId of entry {} is MaxAllocationListSlotId, {}: a count or a maximum",
                    index, slot),
        fmt::format("{}", slot), fmt::format("less than {}", slot));
  }
}

// KMT-PATCH-002, -010, -011.
void CheckElement(const PacketView& view, size_t index, const kmt::PatchElement& patch) {
  if (patch.allocation_index >= view.allocations.size()) {
    view.patch_defects[index] |= kHasNoElement;
    view.Report(Rule::kKmtPatch002, PatchPathOf(index),
                fmt::format("AllocationIndex of entry {} is {}, the list has {}", index,
                            patch.allocation_index, Counted(view.allocations.size(), "element")),
                fmt::format("{}", patch.allocation_index),
                fmt::format("less than {}", view.allocations.size()));
    return;
  }
  const uint32_t handle = view.allocations[patch.allocation_index].handle;
  if (handle == 0) {
    if (patch.allocation_offset == 0) return;
    view.Report(Rule::kKmtPatch011, PatchPathOf(index),
                fmt::format("entry {} unbinds a slot, its AllocationOffset is {}", index,
                            patch.allocation_offset),
                fmt::format("{}", patch.allocation_offset), "0");
    return;
  }
  const device::KmtAllocation* allocation = view.kmt().FindAllocation(view.render.process, handle);
  if (allocation == nullptr || allocation->size == 0 || patch.allocation_offset < allocation->size)
    return;
  ReportByPayload(view, Rule::kKmtPatch010, index,
                  fmt::format("AllocationOffset of entry {} is {}, allocation {:#x} has {}", index,
                              patch.allocation_offset, handle, Counted(allocation->size, "byte")),
                  fmt::format("{}", patch.allocation_offset),
                  fmt::format("less than {}", allocation->size));
}

// KMT-PATCH-008, -009.
void CheckPosition(const PacketView& view, size_t index, const kmt::PatchElement& patch) {
  if ((view.patch_defects[index] & kWrapsAround) != 0) return;
  if (patch.split_offset > patch.patch_offset) {
    ReportByPayload(view, Rule::kKmtPatch008, index,
                    fmt::format("SplitOffset of entry {} is {}, after its PatchOffset {}", index,
                                patch.split_offset, patch.patch_offset),
                    fmt::format("{}", patch.split_offset), AtMost(patch.patch_offset));
  }
  const bool is_opaque = view.render.payload == trace::PayloadKind::kOpaque;
  if (is_opaque && patch.patch_offset >= view.extent.end) {
    view.Report(Rule::kKmtPatch009, PatchPathOf(index),
                fmt::format("PatchOffset of entry {} is {}, the commands end at {}", index,
                            patch.patch_offset, view.extent.end),
                fmt::format("{}", patch.patch_offset),
                fmt::format("less than {}", view.extent.end));
  }
}

// KMT-PATCH-006, -007.
void CheckSplits(const PacketView& view) {
  bool is_repeat_reported = false;
  for (size_t i = 1; i < view.patches.size(); ++i) {
    const uint32_t before = view.patches[i - 1].split_offset;
    const uint32_t split = view.patches[i].split_offset;
    if (split < before) {
      view.patch_defects[i] |= kHasFallingSplit;
      ReportByPayload(view, Rule::kKmtPatch006, i,
                      fmt::format("SplitOffset of entry {} is {}, that of the entry before {}", i,
                                  split, before),
                      fmt::format("{}", split), fmt::format("{} or more", before));
    } else if (split == before && !is_repeat_reported) {
      is_repeat_reported = true;
      view.Report(Rule::kKmtPatch007, PatchPathOf(i),
                  fmt::format("SplitOffset {} is that of the entry before", split),
                  fmt::format("{}", split), fmt::format("more than {}", before));
    }
  }
}

// KMT-PATCH-012. An instance that is stale before the packet is only KMT-ALLOC-014.
void CheckInstances(const PacketView& view) {
  std::map<uint64_t, uint32_t> newest;  // instance by allocation
  for (size_t i = 0; i < view.patches.size(); ++i) {
    if ((view.patch_defects[i] & kHasNoElement) != 0) continue;
    const uint32_t handle = view.allocations[view.patches[i].allocation_index].handle;
    const device::KmtAllocation* allocation =
        view.kmt().FindAllocation(view.render.process, handle);
    if (allocation == nullptr || view.kmt().IsStale(*allocation)) continue;
    uint32_t& seen = newest[allocation->family];
    if (allocation->instance < seen) {
      view.Report(
          Rule::kKmtPatch012, PatchPathOf(i),
          fmt::format("entry {} names {:#x}, an older instance than an entry before it", i, handle),
          Hex(handle), "the newest instance");
    }
    seen = std::max(seen, allocation->instance);
  }
}

// KMT-PATCH-013, once for the packet: slots that are bound at one split point must appear at the next.
void CheckLeaks(const PacketView& view) {
  const device::KmtAdapter* adapter =
      view.device == nullptr ? nullptr
                             : view.kmt().FindAdapter(view.device->process, view.device->adapter);
  // Unspecified: which adapters are checked; chosen: those that say that they are of WDDM 1.2 (Windows 8) or later.
  if (adapter == nullptr || adapter->no_dma_patching ||
      adapter->wddm_version.value_or(0) < kFirstWddmWithLeakCheck)
    return;
  std::set<uint32_t> bound;  // at the split point before
  std::set<uint32_t> now;    // at this one
  std::set<uint32_t> touched;
  size_t leaked = 0;
  size_t at = 0;
  uint32_t slot = 0;
  for (size_t i = 0; i <= view.patches.size(); ++i) {
    const bool is_end = i == view.patches.size();
    if (is_end || (i != 0 && view.patches[i].split_offset != view.patches[i - 1].split_offset)) {
      for (const uint32_t candidate : bound) {
        if (touched.contains(candidate)) continue;
        if (leaked++ == 0) at = i - 1, slot = candidate;
      }
      bound = std::exchange(now, {});
      touched.clear();
    }
    if (is_end) break;
    const kmt::PatchElement patch = view.patches[i];
    touched.insert(patch.slot_id());
    const bool is_bound = patch.allocation_index < view.allocations.size() &&
                          view.allocations[patch.allocation_index].handle != 0;
    if (is_bound) now.insert(patch.slot_id());
  }
  if (leaked == 0) return;
  view.Report(
      Rule::kKmtPatch013, PatchPathOf(at),
      fmt::format(
          "slot {} is bound at one split point and not named at the next, with offset {} ({} such)",
          slot, view.patches[at].split_offset, leaked),
      fmt::format("slot {}", slot), "bound anew or unbound");
}

// KMT-PATCH-014, once for the packet. Without any entry the kernel driver finds the references in the commands.
void CheckUnreferenced(const PacketView& view) {
  if (view.render.payload != trace::PayloadKind::kOpaque || view.patches.size() == 0) return;
  std::vector<bool> is_used(view.allocations.size());
  for (size_t i = 0; i < view.patches.size(); ++i) {
    const uint32_t index = view.patches[i].allocation_index;
    if (index < is_used.size()) is_used[index] = true;
  }
  size_t count = 0;
  size_t first = 0;
  for (size_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i] || view.allocations[i].handle == 0) continue;
    if (count++ == 0) first = i;
  }
  if (count == 0) return;
  view.Report(Rule::kKmtPatch014, ElementPath("allocation_list", first),
              fmt::format("no patch location names {} of the allocations, the first is element {}",
                          count, first),
              fmt::format("{}", count), "0");
}

}  // namespace

void CheckPatchList(const PacketView& view) {
  CheckNoPatching(view);
  for (size_t i = 0; i < view.patches.size(); ++i) {
    const kmt::PatchElement patch = view.patches[i];
    CheckElement(view, i, patch);
    CheckSlot(view, i, patch);
    CheckPosition(view, i, patch);
  }
  CheckSplits(view);
  CheckInstances(view);
  CheckLeaks(view);
  CheckUnreferenced(view);
}

}  // namespace dp2trace::validate
