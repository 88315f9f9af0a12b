// The questions that rules ask about KMT objects. Source: lib/kmt/packets.md 4 and 6.6.
#include <array>

#include "device/kmt/objects.h"

namespace dp2trace::device {
namespace {

template <class Map>
auto* Find(const Map& map, uint32_t process, uint32_t handle) {
  const auto found = map.find(KmtKey{process, handle});
  return found == map.end() ? nullptr : &found->second;
}

}  // namespace

std::string_view Name(KmtType type) {
  constexpr std::array<std::string_view, 6> kNames = {
      "adapter", "device", "context", "resource", "allocation", "synchronisation object"};
  return kNames[static_cast<size_t>(type)];
}

std::optional<KmtName> KmtObjects::Look(uint32_t process, uint32_t handle) const {
  const KmtName* name = Find(names_, process, handle);
  return name == nullptr ? std::nullopt : std::optional(*name);
}

bool KmtObjects::IsLive(uint32_t process, uint32_t handle, KmtType type) const {
  const KmtName* name = Find(names_, process, handle);
  return name != nullptr && name->is_live && name->type == type;
}

const KmtAdapter* KmtObjects::FindAdapter(uint32_t process, uint32_t handle) const {
  return Find(adapters_, process, handle);
}
const KmtDevice* KmtObjects::FindDevice(uint32_t process, uint32_t handle) const {
  return Find(devices_, process, handle);
}
const KmtResource* KmtObjects::FindResource(uint32_t process, uint32_t handle) const {
  return Find(resources_, process, handle);
}
const KmtAllocation* KmtObjects::FindAllocation(uint32_t process, uint32_t handle) const {
  return Find(allocations_, process, handle);
}

const KmtContext* KmtObjects::FindKmtContext(uint32_t process, uint32_t handle) const {
  const KmtContext* context = Find(contexts_, process, handle);
  return context != nullptr ? context : Find(implicit_contexts_, process, handle);
}

KmtChildren KmtObjects::ChildrenOf(uint32_t process, uint32_t device) const {
  KmtChildren count;
  const std::set<uint32_t>* children = Find(children_, process, device);
  if (children == nullptr) return count;
  for (const uint32_t child : *children) {
    switch (Find(names_, process, child)->type) {
      case KmtType::kContext:
        ++count.contexts;
        break;
      case KmtType::kAllocation:
        ++count.allocations;
        break;
      case KmtType::kSync:
        ++count.syncs;
        break;
      default:
        break;
    }
  }
  return count;
}

std::vector<uint32_t> KmtObjects::EmptiedResourcesOf(uint32_t process, uint32_t device) const {
  std::vector<uint32_t> emptied;
  const std::set<uint32_t>* children = Find(children_, process, device);
  if (children == nullptr) return emptied;
  for (const uint32_t child : *children) {
    const KmtResource* resource = FindResource(process, child);
    if (resource != nullptr && resource->is_emptied) emptied.push_back(child);
  }
  return emptied;
}

std::vector<KmtKey> KmtObjects::EmptiedResources() const {
  std::vector<KmtKey> emptied;
  for (const auto& [key, resource] : resources_) {
    if (resource.is_emptied) emptied.push_back(key);
  }
  return emptied;
}

std::optional<uint32_t> KmtObjects::FindShare(uint32_t global_share) const {
  const auto found = shares_.find(global_share);
  return found == shares_.end() ? std::nullopt : std::optional(found->second);
}

bool KmtObjects::IsStale(const KmtAllocation& allocation) const {
  const auto family = families_.find(allocation.family);
  return family != families_.end() && allocation.instance < family->second.newest_used;
}

bool KmtObjects::IsOffered(uint32_t process, const KmtAllocation& allocation) const {
  const KmtResource* resource = FindResource(process, allocation.resource);
  const bool is_own = resource == nullptr || resource->offer.call < allocation.offer.call;
  return is_own ? allocation.offer.is_offered : resource->offer.is_offered;
}

bool KmtObjects::AwaitsPrimary(const KmtContext& context) const {
  const KmtDevice* device = DeviceOf(context);
  return context.awaited_primary && device != nullptr &&
         device->primaries == *context.awaited_primary;
}

bool KmtObjects::IsQueued(uint32_t process, const KmtAllocation& allocation) const {
  if (allocation.used_packet == 0) return false;
  const KmtContext* context = FindKmtContext(process, allocation.used_context);
  return context != nullptr && context->device == allocation.device &&
         allocation.used_packet > context->completed;
}

std::optional<Dp2Target> KmtObjects::Resolve(const KmtContext& context, uint32_t dp2_handle) const {
  if (dp2_handle == 0) return std::nullopt;
  if (!is_identity_) {
    const Dp2Target* target = FindBinding(context.process, context.device, dp2_handle);
    return target == nullptr ? std::nullopt : std::optional(*target);
  }
  const KmtAllocation* allocation = FindAllocation(context.process, dp2_handle);
  if (allocation == nullptr) return std::nullopt;
  return Dp2Target{dp2_handle, 0, allocation->kind, allocation->size};
}

const Dp2Target* KmtObjects::FindBinding(uint32_t process, uint32_t device,
                                         uint32_t dp2_handle) const {
  const auto found = bindings_.find({{process, device}, dp2_handle});
  return found == bindings_.end() ? nullptr : &found->second;
}

bool KmtObjects::IsBound(uint32_t process, uint32_t device, uint32_t allocation) const {
  const auto found = bound_allocations_.lower_bound({{process, device}, allocation, 0});
  return found != bound_allocations_.end() && std::get<0>(*found) == KmtKey{process, device} &&
         std::get<1>(*found) == allocation;
}

std::optional<ContextKey> KmtObjects::FindContext(uint32_t process, uint32_t context) const {
  const KmtContext* found = Find(contexts_, process, context);
  if (found == nullptr) return std::nullopt;
  return ContextKey{found->space, D3dContextId(process, context)};
}

std::pair<uint32_t, uint64_t> KmtObjects::HandleOf(uint32_t process, uint32_t context,
                                                   uint32_t allocation) const {
  const KmtContext* owner = FindKmtContext(process, context);
  if (owner == nullptr || !IsBound(process, owner->device, allocation)) return {allocation, 0};
  const KmtKey device{process, owner->device};
  const uint32_t handle = std::get<2>(*bound_allocations_.lower_bound({device, allocation, 0}));
  return {handle, bindings_.at({device, handle}).base_offset};
}

}  // namespace dp2trace::device
