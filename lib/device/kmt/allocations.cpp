// Allocations, resources and their locks. Source: lib/kmt/packets.md 4.5 and 4.6.
#include <algorithm>

#include "device/kmt/objects.h"
#include "kmt/flags.h"

namespace dp2trace::device {
namespace {

namespace create_flag = kmt::create_allocation_flag;
namespace lock_flag = kmt::lock_flag;

constexpr uint32_t kPrimary = 0x1;  // D3DDDI_ALLOCATIONINFO.Flags

}  // namespace

void KmtObjects::AddAllocations(uint32_t process, std::span<const trace::AllocationInfo> infos,
                                const KmtAllocation& model) {
  for (const trace::AllocationInfo& info : infos) {
    if (info.allocation == 0) continue;
    const KmtKey key{process, info.allocation};
    Announce(key, KmtType::kAllocation, model.device);
    KmtAllocation allocation = model;
    allocation.size = info.model_size;
    allocation.kind = info.model_kind;
    allocation.is_primary = (info.flags & kPrimary) != 0;
    allocation.family = next_family_++;
    families_[allocation.family].handles = {info.allocation};
    allocations_[key] = allocation;
    const auto resource = resources_.find({process, model.resource});
    if (resource != resources_.end()) {
      resource->second.allocations.insert(info.allocation);
      resource->second.is_emptied = false;
    }
    const auto device = devices_.find({process, model.device});
    if (device != devices_.end() && allocation.is_primary) ++device->second.primaries;
  }
}

void KmtObjects::On(const trace::AllocationCreate& event) {
  TakeStatus(event.process, event.device, event.status);
  if (HasKmtFailed(event.status)) return;
  const uint32_t handle = event.resource_out != 0 ? event.resource_out : event.resource;
  const bool is_shared = (event.flags & create_flag::kCreateShared) != 0;
  if (handle != 0 && handle != event.resource) {
    Announce({event.process, handle}, KmtType::kResource, event.device);
    resources_[{event.process, handle}] = {
        event.device, event.global_share, is_shared, {}, false, {}};
  }
  if (event.global_share != 0)
    shares_[event.global_share] = static_cast<uint32_t>(event.allocations.size());
  KmtAllocation model;
  model.device = event.device;
  model.resource = handle;
  model.is_shared = is_shared;
  model.is_read_only = (event.flags & create_flag::kReadOnly) != 0;
  model.is_swap_chain = (event.flags & create_flag::kSwapChainBackBuffer) != 0;
  AddAllocations(event.process, event.allocations, model);
}

void KmtObjects::On(const trace::ResourceOpen& event) {
  if (HasKmtFailed(event.status)) return;
  if (event.resource != 0) {
    Announce({event.process, event.resource}, KmtType::kResource, event.device);
    resources_[{event.process, event.resource}] = {
        event.device, event.global_share, true, {}, false, {}};
  }
  KmtAllocation model;
  model.device = event.device;
  model.resource = event.resource;
  model.is_shared = true;
  AddAllocations(event.process, event.allocations, model);
}

void KmtObjects::On(const trace::AllocationDestroy& event) {
  if (HasKmtFailed(event.status)) return;
  if (event.resource != 0) {
    if (IsLive(event.process, event.resource, KmtType::kResource))
      Forget({event.process, event.resource});
    return;
  }
  for (const uint32_t handle : event.allocations) {
    if (IsLive(event.process, handle, KmtType::kAllocation)) Forget({event.process, handle});
  }
}

// A new instance of the allocation, under a handle of its own. Unspecified: what destroying one of its handles does; chosen: all instances
// go, they are one allocation.
void KmtObjects::AddInstance(KmtKey key, uint32_t handle) {
  const KmtAllocation old = allocations_[key];
  const auto known = allocations_.find({key.first, handle});
  if (known != allocations_.end() && known->second.family == old.family) return;
  Announce({key.first, handle}, KmtType::kAllocation, old.device);
  KmtAllocation fresh = old;
  fresh.locks = 0;
  fresh.is_locked_with_aperture = fresh.is_locked_without_aperture = fresh.is_locked_alternate =
      false;
  fresh.used_context = 0;
  fresh.used_packet = 0;
  Family& family = families_[old.family];
  fresh.instance = static_cast<uint32_t>(family.handles.size());
  family.handles.push_back(handle);
  allocations_[{key.first, handle}] = fresh;
}

void KmtObjects::On(const trace::Lock& event) {
  TakeStatus(event.process, event.device, event.status);
  if (HasKmtFailed(event.status) || !allocations_.contains({event.process, event.allocation}))
    return;
  const bool is_renamed = event.allocation_out != 0 && event.allocation_out != event.allocation;
  if (is_renamed) AddInstance({event.process, event.allocation}, event.allocation_out);
  const auto found =
      allocations_.find({event.process, is_renamed ? event.allocation_out : event.allocation});
  if (found == allocations_.end()) return;
  KmtAllocation& allocation = found->second;
  ++allocation.locks;
  if ((event.flags & lock_flag::kReadOnly) == 0) allocation.is_discarded = false;
  const bool has_aperture = (event.flags & lock_flag::kAcquireAperture) != 0;
  (has_aperture ? allocation.is_locked_with_aperture : allocation.is_locked_without_aperture) =
      true;
  if ((event.flags & lock_flag::kUseAlternateVa) != 0) allocation.is_locked_alternate = true;
  // Such a lock returns when the GPU no longer uses the allocation.
  if ((event.flags & (lock_flag::kIgnoreSync | lock_flag::kDiscard | lock_flag::kIgnoreReadSync)) ==
      0)
    allocation.used_packet = 0;
}

void KmtObjects::On(const trace::Unlock& event) {
  if (HasKmtFailed(event.status)) return;
  for (const uint32_t handle : event.allocations) {
    const auto found = allocations_.find({event.process, handle});
    if (found == allocations_.end() || found->second.locks == 0) continue;
    KmtAllocation& allocation = found->second;
    if (--allocation.locks != 0) continue;
    allocation.is_locked_with_aperture = allocation.is_locked_without_aperture =
        allocation.is_locked_alternate = false;
  }
}

void KmtObjects::SetOffered(uint32_t process, std::span<const uint32_t> resources,
                            std::span<const uint32_t> allocations, bool is_offered) {
  const KmtOffer offer = {++offer_calls_, is_offered};
  for (const uint32_t handle : allocations) {
    const auto found = allocations_.find({process, handle});
    if (found != allocations_.end()) found->second.offer = offer;
  }
  for (const uint32_t handle : resources) {
    const auto found = resources_.find({process, handle});
    if (found != resources_.end()) found->second.offer = offer;
  }
}

void KmtObjects::On(const trace::Offer& event) {
  if (!HasKmtFailed(event.status))
    SetOffered(event.process, event.resources, event.allocations, true);
}

// The answers are those for the resources, or those for the allocations: a call names one kind.
void KmtObjects::On(const trace::Reclaim& event) {
  if (HasKmtFailed(event.status)) return;
  SetOffered(event.process, event.resources, event.allocations, false);
  const std::vector<uint32_t>& handles =
      event.resources.empty() ? event.allocations : event.resources;
  for (size_t i = 0; i < std::min(handles.size(), event.discarded.size()); ++i) {
    if (event.discarded[i] != 0) NoteDiscarded({event.process, handles[i]});
  }
}

void KmtObjects::On(const trace::SurfaceUpdate& event) {
  for (const auto& [device, object] : devices_) {
    const auto binding = bindings_.find({device, event.handle});
    if (binding == bindings_.end()) continue;
    const auto found = allocations_.find({device.first, binding->second.allocation});
    if (found != allocations_.end()) found->second.is_discarded = false;
  }
}

void KmtObjects::NoteDiscarded(const KmtKey& key) {
  const auto allocation = allocations_.find(key);
  if (allocation != allocations_.end()) allocation->second.is_discarded = true;
  const auto resource = resources_.find(key);
  if (resource == resources_.end()) return;
  for (const uint32_t handle : resource->second.allocations) {
    const auto part = allocations_.find({key.first, handle});
    if (part != allocations_.end()) part->second.is_discarded = true;
  }
}

}  // namespace dp2trace::device
