#include "trim/kmt_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <variant>

#include "kmt/flags.h"
#include "trim/kmt_use.h"

namespace dp2trace::trim {
namespace {

using device::KmtKey;
using device::KmtType;

constexpr uint32_t kDone = 0;  // STATUS_SUCCESS

auto SizesOf(const trace::Triple& triple) {
  return std::tuple(triple.command_buffer_size, triple.allocation_list_size,
                    triple.patch_location_list_size);
}

// The triple of now with the sizes that the context was created with, or has now where those are smaller: a call may not ask for less.
// `end_triple`, where it has grown.
std::optional<trace::Triple> StartOf(const device::KmtContext& context,
                                     std::optional<trace::Triple>& end_triple) {
  end_triple.reset();
  if (!context.start) {
    end_triple = context.current;
    return std::nullopt;
  }
  const trace::Triple current = context.current.value_or(*context.start);
  trace::Triple start = current;
  const auto shrink = [](uint32_t& size, uint32_t first) { size = std::min(size, first); };
  shrink(start.command_buffer_size, context.start->command_buffer_size);
  shrink(start.allocation_list_size, context.start->allocation_list_size);
  shrink(start.patch_location_list_size, context.start->patch_location_list_size);
  if (SizesOf(start) != SizesOf(current)) end_triple = current;
  return start;
}

bool IsSameContext(const device::KmtContext& a, const device::KmtContext& b) {
  return a.device == b.device && a.kind == b.kind && a.has_d3d == b.has_d3d &&
         a.deferred.has_value() == b.deferred.has_value() && a.current == b.current &&
         a.no_patching == b.no_patching;
}

bool IsSameDevice(const device::KmtDevice& a, const device::KmtDevice& b) {
  return a.space == b.space && a.adapter == b.adapter && a.loss == b.loss &&
         a.was_adapter_open == b.was_adapter_open && a.has_rendered_closed == b.has_rendered_closed;
}

bool IsSameAllocation(const device::KmtAllocation& a, const device::KmtAllocation& b) {
  return a.device == b.device && a.resource == b.resource && a.size == b.size && a.kind == b.kind &&
         a.is_primary == b.is_primary && a.is_shared == b.is_shared &&
         a.is_read_only == b.is_read_only && a.is_invalidated == b.is_invalidated &&
         a.locks == b.locks && a.is_locked_with_aperture == b.is_locked_with_aperture &&
         a.is_locked_without_aperture == b.is_locked_without_aperture &&
         a.is_locked_alternate == b.is_locked_alternate;
}

}  // namespace

KmtSnapshot::KmtSnapshot(const device::Device& device, const device::KmtObjects& objects,
                         const KmtCreations& creations, const Part& part)
    : device_(device), objects_(objects), creations_(creations), part_(part) {}

std::string KmtSnapshot::Prepare(const HasSurface& has_surface) {
  for (const KmtKey& key : part_.kmt_objects)
    Need(key);
  for (const auto& [key, use] : part_.contexts) {
    const std::optional<KmtKey> context = KmtContextOf(key.second);
    if (context && device_.FindContext(key.first, key.second) != nullptr) Need(*context);
  }
  NeedBindings(has_surface);
  for (const KmtKey& key : needed_)
    AddEvent(key);
  for (const KmtKey& key : needed_)
    AddLate(key);
  for (const KmtKey& key : part_.kmt_objects)
    AddDead(key);
  return gap_;
}

void KmtSnapshot::Need(const KmtKey& key) {
  const std::optional<device::KmtName> name = objects_.Look(key.first, key.second);
  if (!name || !name->is_live || !needed_.insert(key).second) return;
  if (creations_.Find(key, objects_) == nullptr && gap_.empty())
    gap_ = fmt::format("nothing made the {} {:#x}", device::Name(name->type), key.second);
  NeedOwners(key);
}

// What the object hangs on. Objects outlive an owner whose handle a call gives again; no order of events makes both.
void KmtSnapshot::NeedOwners(const KmtKey& key) {
  const KeptEvent* const made = creations_.Find(key, objects_);
  const auto need = [&](uint32_t handle) {
    if (handle == 0) return;
    const KmtKey owner = {key.first, handle};
    const KeptEvent* const owner_made = creations_.Find(owner, objects_);
    const bool is_older =
        made != nullptr && owner_made != nullptr && owner_made->number > made->number;
    if ((owner_made == nullptr || is_older) && gap_.empty()) {
      gap_ = fmt::format("what {:#x} hangs on, {:#x}, is {}", key.second, handle,
                         is_older ? "younger" : "gone");
    }
    Need(owner);
  };
  if (const auto* const device = objects_.FindDevice(key.first, key.second)) {
    need(device->adapter);
  } else if (const auto* const context = objects_.FindKmtContext(key.first, key.second)) {
    need(context->device);
  } else if (const auto* const resource = objects_.FindResource(key.first, key.second)) {
    need(resource->device);
  } else if (const auto* const allocation = objects_.FindAllocation(key.first, key.second)) {
    need(allocation->device);
    need(allocation->resource);
  }
  if (made == nullptr) return;
  const trace::Event event = made->Decode();
  if (const auto* const lock = std::get_if<trace::Lock>(&event)) {
    need(lock->allocation);
  } else if (const auto* const sync = std::get_if<trace::SyncCreate>(&event)) {
    need(sync->device);
  } else if (const auto* const open = std::get_if<trace::ResourceOpen>(&event)) {
    const std::optional<KmtKey> share = creations_.FindShare(open->global_share);
    if (share && !open->external) Need(*share);
  }
}

// Of the devices that are needed: what stands for a surface of the snapshot, and what the part names.
void KmtSnapshot::NeedBindings(const HasSurface& has_surface) {
  std::set<KmtKey> devices;
  for (const auto& [device, handle] : part_.bindings)
    Need(device);
  for (const KmtKey& key : needed_) {
    if (objects_.FindDevice(key.first, key.second) != nullptr) devices.insert(key);
  }
  for (const KmtKey& key : devices) {
    const device::KmtDevice& device = *objects_.FindDevice(key.first, key.second);
    for (const auto& [handle, event] : creations_.BindingsOf(key, objects_)) {
      if (!part_.bindings.contains({key, handle}) && !has_surface(device.space, handle)) continue;
      const device::Dp2Target& target = *objects_.FindBinding(key.first, key.second, handle);
      if (!objects_.IsLive(key.first, target.allocation, KmtType::kAllocation)) {
        if (part_.bindings.contains({key, handle}) && gap_.empty())
          gap_ = fmt::format("the allocation of surface {} is gone", handle);
        continue;
      }
      const KeptEvent* const made = creations_.Find({key.first, target.allocation}, objects_);
      if (made != nullptr && made->number > event && gap_.empty())
        gap_ = fmt::format("surface {} was bound before its allocation was made", handle);
      bindings_.insert({key, handle});
      Need({key.first, target.allocation});
      trace::Dp2Bind bind;
      bind.process = key.first;
      bind.device = key.second;
      bind.handle = handle;
      bind.allocation = target.allocation;
      bind.base_offset = target.base_offset;
      bind.kind = target.kind;
      bind.size = target.size;
      events_[event].emplace_back(bind);
    }
    const device::Space* const space = device_.FindSpace(device.space);
    if (!objects_.is_identity() || space == nullptr) continue;
    for (const auto& [root, resource] : space->roots()) {
      const device::KmtAllocation* const allocation = objects_.FindAllocation(key.first, root);
      if (allocation != nullptr && allocation->device == key.second &&
          has_surface(device.space, root))
        Need({key.first, root});
    }
  }
}

template <class T>
T KmtSnapshot::Renew(const T& create) const {
  T renewed = create;
  std::erase_if(renewed.allocations, [&](const trace::AllocationInfo& info) {
    return !Has({create.process, info.allocation});
  });
  return renewed;
}

void KmtSnapshot::AddEvent(const KmtKey& key) {
  const KeptEvent* const made = creations_.Find(key, objects_);
  if (made == nullptr || !made_.insert(made->number).second) return;
  std::vector<trace::Event>& events = events_[made->number];
  trace::Event event = made->Decode();
  if (const auto* const create = std::get_if<trace::AllocationCreate>(&event)) {
    trace::AllocationCreate renewed = Renew(*create);
    // The resource of this event may be gone while another one has its handle.
    const bool is_shared = create->global_share != 0;
    if (is_shared && renewed.allocations.size() != create->allocations.size() && gap_.empty())
      gap_ = fmt::format("a shared resource of {:#x} has lost allocations", create->device);
    events.emplace_back(renewed);
  } else if (const auto* const open = std::get_if<trace::ResourceOpen>(&event)) {
    if (Renew(*open).allocations.size() != open->allocations.size() && gap_.empty())
      gap_ = fmt::format("the opened resource {:#x} has lost allocations", open->resource);
    events.push_back(event);
  } else if (const auto* const lock = std::get_if<trace::Lock>(&event)) {
    events.push_back(event);
    events.emplace_back(trace::Unlock{.process = lock->process,
                                      .device = lock->device,
                                      .allocations = {key.second},
                                      .status = lock->status});
  } else if (auto* const device = std::get_if<trace::DeviceCreate>(&event)) {
    const auto* const implicit = objects_.FindKmtContext(key.first, key.second);
    std::optional<trace::Triple> end_triple;
    if (implicit != nullptr) device->triple = StartOf(*implicit, end_triple);
    if (end_triple && gap_.empty())
      gap_ = fmt::format("the buffers of device {:#x} have grown", key.second);
    events.push_back(event);
  } else if (const auto* const context = std::get_if<trace::KmtContextCreate>(&event)) {
    AddPlainContext(*objects_.FindKmtContext(key.first, key.second), *context);
  } else {
    events.push_back(event);
  }
}

// Only that the handle named something of this type: nobody looks at the rest.
void KmtSnapshot::AddDead(const KmtKey& key) {
  const std::optional<device::KmtName> name = objects_.Look(key.first, key.second);
  const auto owner = std::ranges::find_if(needed_, [&](const KmtKey& other) {
    return other.first == key.first && objects_.FindDevice(other.first, other.second) != nullptr;
  });
  if (!name || name->is_live) return;
  if (owner == needed_.end()) {
    if (gap_.empty()) gap_ = fmt::format("{:#x} is gone, with the device that had it", key.second);
    return;
  }
  const auto [process, device] = *owner;
  const auto make = [this](const auto& create, const auto& destroy) {
    dead_events_.emplace_back(create);
    dead_events_.emplace_back(destroy);
  };
  trace::AllocationCreate create;
  trace::AllocationDestroy destroy;
  create.process = destroy.process = process;
  create.device = destroy.device = device;
  switch (name->type) {
    case KmtType::kAdapter: {
      trace::AdapterOpen adapter;
      adapter.process = process;
      adapter.adapter = key.second;
      return make(adapter, trace::AdapterClose{process, key.second, kDone});
    }
    case KmtType::kDevice: {
      trace::DeviceCreate other;
      other.process = process;
      other.adapter = objects_.FindDevice(process, device)->adapter;
      other.device = key.second;
      return make(other, trace::DeviceDestroy{process, key.second, kDone});
    }
    case KmtType::kContext: {
      trace::KmtContextCreate context;
      context.process = process;
      context.device = device;
      context.context = key.second;
      context.kind = trace::ContextKind::kVirtual;  // owns no D3D context, and has no buffers
      return make(context, trace::KmtContextDestroy{process, key.second, kDone});
    }
    case KmtType::kSync: {
      trace::SyncCreate sync;
      sync.process = process;
      sync.device = device;
      sync.sync = key.second;
      return make(sync, trace::SyncDestroy{process, key.second, kDone});
    }
    case KmtType::kResource:
      create.flags = kmt::create_allocation_flag::kCreateResource;
      create.resource_out = destroy.resource = key.second;
      return make(create, destroy);
    case KmtType::kAllocation:
      create.allocations.emplace_back().allocation = key.second;
      destroy.allocations = {key.second};
      return make(create, destroy);
  }
}

void KmtSnapshot::AddPlainContext(const device::KmtContext& context,
                                  trace::KmtContextCreate create) {
  const uint64_t id = device::D3dContextId(context.process, context.handle);
  if (device_.FindContext(context.space, id) != nullptr) return;  // MakeContext()
  std::optional<trace::Triple> end_triple;
  create.triple = StartOf(context, end_triple);
  if (end_triple && gap_.empty())
    gap_ = fmt::format("the buffers of context {:#x} have grown", context.handle);
  plain_contexts_.emplace_back(create);
}

PacketContext KmtSnapshot::MakeContext(const device::Context& context, const KmtKey& key) const {
  PacketContext made;
  const KeptEvent* const kept = creations_.Find(key, objects_);
  const device::KmtContext& kmt_context = *objects_.FindKmtContext(key.first, key.second);
  if (kept != nullptr) made.create = std::get<trace::KmtContextCreate>(kept->Decode());
  made.create.triple = StartOf(kmt_context, made.end_triple);
  made.create.d3d = trace::D3dContext{context.runtime_version, context.targets.colors[0],
                                      context.Depth() ? context.targets.depth : 0, context.is_pure};
  made.level = device_.level();
  made.space = context.space_id;
  return made;
}

void KmtSnapshot::AddLate(const KmtKey& key) {
  for (const trace::Lock& lock : creations_.LocksOf(key))
    late_events_.emplace_back(lock);
  const device::KmtResource* const resource = objects_.FindResource(key.first, key.second);
  const device::KmtAllocation* const allocation = objects_.FindAllocation(key.first, key.second);
  const bool is_offered = resource != nullptr     ? resource->offer.is_offered
                          : allocation != nullptr ? allocation->offer.is_offered
                                                  : false;
  if (!is_offered) return;
  trace::Offer offer;
  offer.process = key.first;
  offer.device = resource != nullptr ? resource->device : allocation->device;
  (resource != nullptr ? offer.resources : offer.allocations).push_back(key.second);
  offer.priority = creations_.FindOffer(key).value_or(1);
  offer.status = kDone;
  late_events_.emplace_back(offer);
}

std::string KmtSnapshot::FindGap(const device::KmtObjects& reached) const {
  const auto is_same = [&](const KmtKey& key, const auto& find, const auto& compare) {
    const auto* const here = find(objects_, key);
    const auto* const there = find(reached, key);
    return here == nullptr || (there != nullptr && compare(*here, *there));
  };
  const auto find_device = [](const device::KmtObjects& o, const KmtKey& key) {
    return o.FindDevice(key.first, key.second);
  };
  const auto find_context = [](const device::KmtObjects& o, const KmtKey& key) {
    return o.FindKmtContext(key.first, key.second);
  };
  const auto find_allocation = [](const device::KmtObjects& o, const KmtKey& key) {
    return o.FindAllocation(key.first, key.second);
  };
  const auto is_same_use = [&](const KmtKey& key) {
    const auto* const here = find_allocation(objects_, key);
    const auto* const there = find_allocation(reached, key);
    return here == nullptr || !part_.kmt_objects.contains(key) ||
           (objects_.IsOffered(key.first, *here) == reached.IsOffered(key.first, *there) &&
            objects_.IsStale(*here) == reached.IsStale(*there));
  };
  const auto awaits = [](const device::KmtContext& context, const device::KmtObjects& o) {
    return o.AwaitsPrimary(context);
  };
  for (const KmtKey& key : needed_) {
    const device::KmtName name = *objects_.Look(key.first, key.second);
    const auto* const context = find_context(objects_, key);
    const bool is_reached = reached.IsLive(key.first, key.second, name.type) &&
                            is_same(key, find_device, IsSameDevice) &&
                            is_same(key, find_context, IsSameContext) &&
                            is_same(key, find_allocation, IsSameAllocation) && is_same_use(key) &&
                            (context == nullptr || !awaits(*context, objects_));
    if (!is_reached) {
      return fmt::format("the {} {:#x} is in a state that no call makes", device::Name(name.type),
                         key.second);
    }
  }
  return {};
}

}  // namespace dp2trace::trim
