#include "trim/kmt_creations.h"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "kmt/lists.h"
#include "trace/codec.h"
#include "trace/event_kind.h"

namespace dp2trace::trim {
namespace {

using device::HasKmtFailed;
using device::KmtKey;
using device::KmtObjects;

bool IsAlive(const KmtKey& key, const KmtObjects& objects) {
  const std::optional<device::KmtName> name = objects.Look(key.first, key.second);
  return name && name->is_live;
}

}  // namespace

trace::Event KeptEvent::Decode() const {
  trace::Event event;
  trace::DecodePayload(kind, 0, payload, event);
  return event;
}

void KmtCreations::Keep(const KmtKey& key, uint64_t number, const trace::Event& event) {
  if (key.second == 0) return;
  KeptEvent& kept = made_[key];
  kept.number = number;
  kept.payload.clear();
  kept.kind = trace::CodeOf(event);
  trace::EncodePayload(event, kept.payload);
  locks_.erase(key);
  offers_.erase(key);
}

void KmtCreations::On(uint64_t number, const trace::Event& event,
                      const trace::AllocationCreate& create) {
  const uint32_t resource = create.resource_out != 0 ? create.resource_out : create.resource;
  if (resource != create.resource) Keep({create.process, resource}, number, event);
  for (const trace::AllocationInfo& info : create.allocations)
    Keep({create.process, info.allocation}, number, event);
  if (create.global_share != 0) shares_[create.global_share] = {create.process, resource};
}

void KmtCreations::On(uint64_t number, const trace::Event& event, const trace::ResourceOpen& open) {
  Keep({open.process, open.resource}, number, event);
  for (const trace::AllocationInfo& info : open.allocations)
    Keep({open.process, info.allocation}, number, event);
}

void KmtCreations::On(uint64_t number, const trace::Event& event, const trace::Lock& lock) {
  const bool is_renamed = lock.allocation_out != 0 && lock.allocation_out != lock.allocation;
  const KmtKey key = {lock.process, is_renamed ? lock.allocation_out : lock.allocation};
  const auto made = made_.find(key);
  const bool is_instance = made != made_.end() && made->second.kind == trace::CodeOf(event);
  if (is_renamed && !is_instance) Keep(key, number, event);
  locks_[key].push_back(lock);
}

void KmtCreations::On(const trace::Unlock& unlock) {
  for (const uint32_t handle : unlock.allocations) {
    const auto found = locks_.find({unlock.process, handle});
    if (found == locks_.end()) continue;
    found->second.pop_front();
    if (found->second.empty()) locks_.erase(found);
  }
}

void KmtCreations::SetOffers(uint32_t process, const std::vector<uint32_t>& handles,
                             std::optional<uint32_t> priority) {
  for (const uint32_t handle : handles) {
    if (priority) {
      offers_[{process, handle}] = *priority;
    } else {
      offers_.erase({process, handle});
    }
  }
}

void KmtCreations::On(const trace::Render& packet, const KmtObjects& objects) {
  const kmt::AllocationListView list(packet.allocation_list);
  for (size_t i = 0; i < list.size(); ++i) {
    const kmt::AllocationElement element = list[i];
    if (element.offer_priority() == 0) continue;
    const device::KmtAllocation* const allocation =
        objects.FindAllocation(packet.process, element.handle);
    if (allocation != nullptr && objects.IsOffered(packet.process, *allocation))
      offers_[{packet.process, element.handle}] = element.offer_priority();
  }
}

void KmtCreations::OnEvent(uint64_t number, const trace::Event& event, const KmtObjects& objects) {
  std::visit(
      [&](const auto& e) {
        using T = std::decay_t<decltype(e)>;
        if constexpr (std::is_same_v<T, trace::Header>) {
          *this = KmtCreations();
        } else if constexpr (std::is_same_v<T, trace::Render>) {
          On(e, objects);
        } else if constexpr (std::is_same_v<T, trace::Dp2Bind>) {
          bindings_[{{e.process, e.device}, e.handle}] = number;
        } else if constexpr (std::is_same_v<T, trace::Dp2Unbind>) {
          bindings_.erase({{e.process, e.device}, e.handle});
        } else if constexpr (requires {
                               e.process;
                               e.status;
                             }) {
          if (HasKmtFailed(e.status)) return;
          if constexpr (std::is_same_v<T, trace::AdapterOpen>) {
            Keep({e.process, e.adapter}, number, event);
          } else if constexpr (std::is_same_v<T, trace::DeviceCreate>) {
            Keep({e.process, e.device}, number, event);
          } else if constexpr (std::is_same_v<T, trace::KmtContextCreate>) {
            Keep({e.process, e.context}, number, event);
          } else if constexpr (std::is_same_v<T, trace::SyncCreate>) {
            Keep({e.process, e.sync}, number, event);
          } else if constexpr (std::is_same_v<T, trace::Unlock>) {
            On(e);
          } else if constexpr (std::is_same_v<T, trace::Offer>) {
            SetOffers(e.process, e.resources, e.priority);
            SetOffers(e.process, e.allocations, e.priority);
          } else if constexpr (std::is_same_v<T, trace::Reclaim>) {
            SetOffers(e.process, e.resources, {});
            SetOffers(e.process, e.allocations, {});
          } else if constexpr (requires { On(number, event, e); }) {
            On(number, event, e);
          }
        }
      },
      event);
  Sweep(objects);
}

void KmtCreations::Sweep(const KmtObjects& objects) {
  constexpr size_t kLeast = 1024;
  if (made_.size() + bindings_.size() < sweep_at_) return;
  const auto is_dead = [&](const auto& entry) { return !IsAlive(entry.first, objects); };
  std::erase_if(made_, is_dead);
  std::erase_if(locks_, is_dead);
  std::erase_if(offers_, is_dead);
  std::erase_if(bindings_, [&](const auto& entry) { return !IsAlive(entry.first.first, objects); });
  sweep_at_ = std::max(kLeast, 2 * (made_.size() + bindings_.size()));
}

const KeptEvent* KmtCreations::Find(const KmtKey& key, const KmtObjects& objects) const {
  const auto found = made_.find(key);
  return found != made_.end() && IsAlive(key, objects) ? &found->second : nullptr;
}

std::optional<uint64_t> KmtCreations::FindBinding(const BindingKey& key,
                                                  const KmtObjects& objects) const {
  const auto found = bindings_.find(key);
  const bool is_bound =
      objects.FindBinding(key.first.first, key.first.second, key.second) != nullptr;
  return found != bindings_.end() && is_bound ? std::optional(found->second) : std::nullopt;
}

std::map<uint32_t, uint64_t> KmtCreations::BindingsOf(const KmtKey& device,
                                                      const KmtObjects& objects) const {
  std::map<uint32_t, uint64_t> result;
  for (auto i = bindings_.lower_bound({device, 0});
       i != bindings_.end() && i->first.first == device; ++i) {
    if (FindBinding(i->first, objects)) result[i->first.second] = i->second;
  }
  return result;
}

std::vector<trace::Lock> KmtCreations::LocksOf(const KmtKey& allocation) const {
  const auto found = locks_.find(allocation);
  return found != locks_.end()
             ? std::vector<trace::Lock>(found->second.begin(), found->second.end())
             : std::vector<trace::Lock>();
}

std::optional<uint32_t> KmtCreations::FindOffer(const KmtKey& key) const {
  const auto found = offers_.find(key);
  return found != offers_.end() ? std::optional(found->second) : std::nullopt;
}

std::optional<KmtKey> KmtCreations::FindShare(uint32_t global_share) const {
  const auto found = shares_.find(global_share);
  return found != shares_.end() ? std::optional(found->second) : std::nullopt;
}

}  // namespace dp2trace::trim
