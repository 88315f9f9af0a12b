#include "device/kmt/objects.h"

#include <algorithm>

#include "device/context.h"
#include "kmt/ntstatus.h"

namespace dp2trace::device {
namespace {

// D3DKMT_CLIENTHINT to the runtime version of a context: DX7 is 3, DX8 4; the others count as 9.
uint32_t RuntimeVersionOf(uint32_t client_hint) {
  constexpr uint32_t kHintDx7 = 7;
  constexpr uint32_t kHintDx8 = 8;
  return client_hint == kHintDx7 ? 3 : client_hint == kHintDx8 ? 4 : 5;
}

trace::ContextCreate D3dContextOf(const trace::KmtContextCreate& event, uint32_t space) {
  trace::D3dContext d3d;
  d3d.runtime_version = RuntimeVersionOf(event.client_hint);
  if (event.d3d) d3d = *event.d3d;
  trace::ContextCreate create;
  create.space = space;
  create.context = D3dContextId(event.process, event.context);
  create.target = d3d.target;
  create.depth = d3d.depth;
  create.runtime_version = d3d.runtime_version;
  create.pure_device = d3d.pure_device;
  create.process = event.process;
  return create;
}

// False before the first DP2 packet of a context whose event described none.
bool HasD3dContext(const KmtContext& context) {
  return context.has_d3d && !context.deferred;
}

}  // namespace

uint64_t D3dContextId(uint32_t process, uint32_t context) {
  return kPacketContext | uint64_t{process} << 32 | context;
}

bool HasKmtFailed(const std::optional<uint32_t>& status) {
  return status && !kmt::IsSuccess(*status);
}

void KmtObjects::Announce(KmtKey key, KmtType type, uint32_t device) {
  Forget(key);
  names_[key] = {type, true};
  const KmtKey owner{key.first, device};
  if (devices_.contains(owner)) children_[owner].insert(key.second);
}

void KmtObjects::Forget(KmtKey key) {
  const auto name = names_.find(key);
  if (name == names_.end() || !name->second.is_live) return;
  name->second.is_live = false;
  uint32_t device = 0;
  switch (name->second.type) {
    case KmtType::kAdapter:
      adapters_.erase(key);
      break;
    case KmtType::kDevice:
      devices_.erase(key);
      implicit_contexts_.erase(key);
      break;
    case KmtType::kContext:
      device = contexts_[key].device;
      contexts_.erase(key);
      break;
    case KmtType::kResource:
      device = resources_[key].device;
      ForgetResource(key);
      break;
    case KmtType::kAllocation:
      device = allocations_[key].device;
      ForgetAllocation(key);
      break;
    case KmtType::kSync:
      device = syncs_[key];
      syncs_.erase(key);
      break;
  }
  const auto children = children_.find({key.first, device});
  if (children != children_.end()) children->second.erase(key.second);
}

// The object's own part of Forget(); the name is dead already.
void KmtObjects::ForgetResource(KmtKey key) {
  const std::set<uint32_t> members = std::move(resources_[key].allocations);
  resources_.erase(key);
  for (const uint32_t member : members)
    Forget({key.first, member});
}

void KmtObjects::ForgetAllocation(KmtKey key) {
  const KmtAllocation allocation = allocations_[key];
  allocations_.erase(key);
  const auto resource = resources_.find({key.first, allocation.resource});
  if (resource != resources_.end()) {
    resource->second.allocations.erase(key.second);
    resource->second.is_emptied = resource->second.allocations.empty();
  }
  const auto family = families_.find(allocation.family);
  if (family == families_.end()) return;
  const std::vector<uint32_t> instances = std::move(family->second.handles);
  families_.erase(family);
  for (const uint32_t instance : instances)
    Forget({key.first, instance});
}

void KmtObjects::OnHeader(const trace::Header& header) {
  is_identity_ = header.dp2_handle_mode == trace::Dp2HandleMode::kIdentity;
  has_offer_priority_ = header.os_profile >= kmt::OsProfile::kWin8;
}

void KmtObjects::On(const trace::AdapterOpen& event) {
  if (HasKmtFailed(event.status)) return;
  Announce({event.process, event.adapter}, KmtType::kAdapter, 0);
  adapters_[{event.process, event.adapter}] = {event.max_allocation_list_slot_id,
                                               event.wddm_version, event.no_dma_patching};
}

void KmtObjects::On(const trace::AdapterClose& event) {
  if (HasKmtFailed(event.status) || !IsLive(event.process, event.adapter, KmtType::kAdapter))
    return;
  Forget({event.process, event.adapter});
}

void KmtObjects::On(const trace::DeviceCreate& event) {
  if (HasKmtFailed(event.status)) return;
  const KmtKey key{event.process, event.device};
  Announce(key, KmtType::kDevice, 0);
  KmtDevice device;
  device.process = event.process;
  device.handle = event.device;
  device.space = event.space;
  device.adapter = event.adapter;
  device.was_adapter_open = FindAdapter(event.process, event.adapter) != nullptr;
  device.has_guaranteed_contract = event.guaranteed_contract;
  devices_[key] = device;
  const bool has_implicit =
      event.triple && event.triple->command_buffer != 0 && event.triple->command_buffer_size != 0;
  if (!has_implicit) return;
  KmtContext context;
  context.process = event.process;
  context.handle = event.device;
  context.device = event.device;
  context.space = event.space;
  context.is_implicit = true;
  context.start = context.current = event.triple;
  implicit_contexts_[key] = context;
}

std::vector<trace::ContextDestroy> KmtObjects::OnDeviceDestroy(const trace::DeviceDestroy& event) {
  std::vector<trace::ContextDestroy> destroyed;
  const KmtKey key{event.process, event.device};
  if (HasKmtFailed(event.status) || !devices_.contains(key)) return destroyed;
  const std::set<uint32_t> children = std::move(children_[key]);
  children_.erase(key);
  for (const uint32_t child : children) {
    const auto context = contexts_.find({event.process, child});
    if (context != contexts_.end() && HasD3dContext(context->second)) {
      destroyed.push_back({context->second.space, D3dContextId(event.process, child)});
    }
    Forget({event.process, child});
  }
  bindings_.erase(bindings_.lower_bound({key, 0}), bindings_.upper_bound({key, UINT32_MAX}));
  bound_allocations_.erase(bound_allocations_.lower_bound({key, 0, 0}),
                           bound_allocations_.upper_bound({key, UINT32_MAX, UINT32_MAX}));
  Forget(key);
  return destroyed;
}

std::optional<trace::ContextCreate> KmtObjects::OnContextCreate(
    const trace::KmtContextCreate& event) {
  if (HasKmtFailed(event.status)) return std::nullopt;
  const KmtKey key{event.process, event.context};
  Announce(key, KmtType::kContext, event.device);
  const KmtDevice* device = FindDevice(event.process, event.device);
  KmtContext context;
  context.process = event.process;
  context.handle = event.context;
  context.device = event.device;
  context.space = device == nullptr ? 0 : device->space;
  context.kind = event.kind;
  context.client_hint = event.client_hint;
  context.no_patching = event.no_patching;
  context.start = context.current = event.triple;
  const trace::ContextCreate d3d = D3dContextOf(event, context.space);
  context.has_d3d = event.d3d.has_value() || event.kind == trace::ContextKind::kLegacy;
  if (!event.d3d && context.has_d3d) context.deferred = d3d;
  contexts_[key] = context;
  return event.d3d ? std::optional(d3d) : std::nullopt;
}

std::optional<trace::ContextCreate> KmtObjects::TakeDeferred(uint32_t process, uint32_t context) {
  const auto found = contexts_.find({process, context});
  if (found == contexts_.end()) return std::nullopt;
  return std::exchange(found->second.deferred, std::nullopt);
}

std::optional<trace::ContextDestroy> KmtObjects::OnContextDestroy(
    const trace::KmtContextDestroy& event) {
  const auto found = contexts_.find({event.process, event.context});
  if (HasKmtFailed(event.status) || found == contexts_.end()) return std::nullopt;
  const bool has_d3d = HasD3dContext(found->second);
  const trace::ContextDestroy destroy{found->second.space,
                                      D3dContextId(event.process, event.context)};
  Forget(found->first);
  return has_d3d ? std::optional(destroy) : std::nullopt;
}

void KmtObjects::On(const trace::SyncCreate& event) {
  if (HasKmtFailed(event.status)) return;
  Announce({event.process, event.sync}, KmtType::kSync, event.device);
  syncs_[{event.process, event.sync}] = event.device;
}

void KmtObjects::On(const trace::SyncDestroy& event) {
  if (!HasKmtFailed(event.status) && IsLive(event.process, event.sync, KmtType::kSync))
    Forget({event.process, event.sync});
}

void KmtObjects::On(const trace::Dp2Bind& event) {
  On(trace::Dp2Unbind{event.process, event.device, event.handle});
  const KmtKey device{event.process, event.device};
  bindings_[{device, event.handle}] = {event.allocation, event.base_offset, event.kind, event.size};
  bound_allocations_.insert({device, event.allocation, event.handle});
}

void KmtObjects::On(const trace::Dp2Unbind& event) {
  const KmtKey device{event.process, event.device};
  const auto found = bindings_.find({device, event.handle});
  if (found == bindings_.end()) return;
  bound_allocations_.erase({device, found->second.allocation, event.handle});
  bindings_.erase(found);
}

}  // namespace dp2trace::device
