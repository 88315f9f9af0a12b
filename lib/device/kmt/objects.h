// The KMT objects of a trace: one table of typed handles per process, contexts with the triple that the next packet is written into,
// allocations with their locks and instances, and which allocation a DP2 handle stands for. Rules read it before an event is applied.
// Source: lib/kmt/packets.md 1.3, 4 and 6.6; lib/design.md 3.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "device/kmt/types.h"
#include "trace/events.h"

namespace dp2trace::device {

// A D3D context of the device model, by space and id.
struct ContextKey {
  uint32_t space = 0;
  uint64_t id = 0;
};

// The id of the D3D context of a KMT context. The highest bit is set: ids of context_create events are pointers of a process.
uint64_t D3dContextId(uint32_t process, uint32_t context);

// Not thread-safe; one object per trace. Pointers live until the next event is applied.
class KmtObjects {
 public:
  // ---- what is there ----

  // What the handle names or named; nothing for a value that was never announced.
  std::optional<KmtName> Look(uint32_t process, uint32_t handle) const;
  bool IsLive(uint32_t process, uint32_t handle, KmtType type) const;
  // Live objects; null where the handle names none of this type.
  const KmtAdapter* FindAdapter(uint32_t process, uint32_t handle) const;
  const KmtDevice* FindDevice(uint32_t process, uint32_t handle) const;
  const KmtResource* FindResource(uint32_t process, uint32_t handle) const;
  const KmtAllocation* FindAllocation(uint32_t process, uint32_t handle) const;
  // A context handle, or that of a device that has an implicit context.
  const KmtContext* FindKmtContext(uint32_t process, uint32_t handle) const;
  const KmtDevice* DeviceOf(const KmtContext& context) const {
    return FindDevice(context.process, context.device);
  }
  KmtChildren ChildrenOf(uint32_t process, uint32_t device) const;
  // Live resources of the device whose allocations were all destroyed one by one, and are not destroyed themselves.
  std::vector<uint32_t> EmptiedResourcesOf(uint32_t process, uint32_t device) const;
  // The same of the whole trace.
  std::vector<KmtKey> EmptiedResources() const;
  // The number of allocations of a shared resource, by its global handle.
  std::optional<uint32_t> FindShare(uint32_t global_share) const;
  // True for an older instance of an allocation, once a packet has named a newer one. Source: lib/kmt/packets.md 4.5.
  bool IsStale(const KmtAllocation& allocation) const;
  // By D3DKMTOfferAllocations or a packet, on its own or with its resource. Source: lib/kmt/packets.md 4.5.
  bool IsOffered(uint32_t process, const KmtAllocation& allocation) const;
  // True after STATUS_GRAPHICS_ALLOCATION_INVALID, until a primary of the device is created or opened, or a packet succeeds.
  bool AwaitsPrimary(const KmtContext& context) const;
  // True when the last packet that lists the allocation is known to be still in the queue.
  bool IsQueued(uint32_t process, const KmtAllocation& allocation) const;

  // The allocation that a handle word of a packet on this context stands for, by the bindings of its device or, in the mode IDENTITY,
  // itself; nothing for an unbound handle. The allocation need not be live.
  std::optional<Dp2Target> Resolve(const KmtContext& context, uint32_t dp2_handle) const;
  // The binding that a DP2_BIND event made.
  const Dp2Target* FindBinding(uint32_t process, uint32_t device, uint32_t dp2_handle) const;
  // True when a DP2 handle of the device stands for the allocation.
  bool IsBound(uint32_t process, uint32_t device, uint32_t allocation) const;
  bool is_identity() const { return is_identity_; }

  // The D3D context of a packet.
  std::optional<ContextKey> FindContext(uint32_t process, uint32_t context) const;
  // The surface handle and byte offset that the allocation stands for, in the device of the context; without a binding the allocation
  // handle itself.
  std::pair<uint32_t, uint64_t> HandleOf(uint32_t process, uint32_t context,
                                         uint32_t allocation) const;

  // ---- events: a recorded failure creates and destroys nothing ----

  void OnHeader(const trace::Header& header);
  void On(const trace::AdapterOpen& event);
  void On(const trace::AdapterClose& event);
  void On(const trace::DeviceCreate& event);
  // The D3D contexts that go with it.
  std::vector<trace::ContextDestroy> OnDeviceDestroy(const trace::DeviceDestroy& event);
  // The D3D context to create for a KMT context; nothing for a failed call, and where the event does not describe one.
  std::optional<trace::ContextCreate> OnContextCreate(const trace::KmtContextCreate& event);
  // The D3D context of a KMT context whose event described none, before its first DP2 packet; nothing afterwards.
  std::optional<trace::ContextCreate> TakeDeferred(uint32_t process, uint32_t context);
  std::optional<trace::ContextDestroy> OnContextDestroy(const trace::KmtContextDestroy& event);
  void On(const trace::AllocationCreate& event);
  void On(const trace::AllocationDestroy& event);
  void On(const trace::ResourceOpen& event);
  void On(const trace::SyncCreate& event);
  void On(const trace::SyncDestroy& event);
  void On(const trace::Lock& event);
  void On(const trace::Unlock& event);
  void On(const trace::Offer& event);
  void On(const trace::Reclaim& event);
  void On(const trace::KmtPresent& event);
  void On(const trace::SubmitCommand& event);
  void On(const trace::Dp2Bind& event);
  void On(const trace::Dp2Unbind& event);
  // The recorder found these contents in the surface: what an allocation of it lost is there again.
  void On(const trace::SurfaceUpdate& event);
  // A packet, after its rules. `is_accepted`: by its recorded status or, without one, because nothing is wrong with it.
  void OnRender(const trace::Render& event, bool is_accepted);

 private:
  struct Family {
    std::vector<uint32_t> handles;  // of the instances, oldest first
    uint32_t newest_used = 0;       // instance that a packet has named
  };

  // An object appears, in place of what the handle named; `device` is 0 for those that hang on none.
  void Announce(KmtKey key, KmtType type, uint32_t device);
  // An object goes, with what it owns.
  void Forget(KmtKey key);
  void ForgetAllocation(KmtKey key);
  void ForgetResource(KmtKey key);
  void AddAllocations(uint32_t process, std::span<const trace::AllocationInfo> infos,
                      const KmtAllocation& model);
  void AddInstance(KmtKey key, uint32_t handle);
  KmtContext* ContextAt(uint32_t process, uint32_t handle);
  // What a call returned: the device may be lost.
  void TakeStatus(uint32_t process, uint32_t device, const std::optional<uint32_t>& status);
  void TakeInvalidPrimaries(const trace::Render& event, KmtContext& context);
  void UseAllocations(const trace::Render& event, const KmtContext& context);
  void SetOffered(uint32_t process, std::span<const uint32_t> resources,
                  std::span<const uint32_t> allocations, bool is_offered);

  // Of an allocation, or of all allocations of a resource.
  void NoteDiscarded(const KmtKey& key);

  bool is_identity_ = false;
  bool has_offer_priority_ = true;  // allocation lists of the profile have OfferPriority
  uint64_t next_family_ = 1;
  uint64_t offer_calls_ = 0;
  std::map<KmtKey, KmtName> names_;  // live and destroyed
  std::map<KmtKey, KmtAdapter> adapters_;
  std::map<KmtKey, KmtDevice> devices_;
  std::map<KmtKey, std::set<uint32_t>> children_;  // of devices
  std::map<KmtKey, KmtContext> contexts_;
  std::map<KmtKey, KmtContext> implicit_contexts_;  // by device
  std::map<KmtKey, KmtResource> resources_;
  std::map<KmtKey, KmtAllocation> allocations_;
  std::map<KmtKey, uint32_t> syncs_;  // -> device
  std::map<uint64_t, Family> families_;
  std::map<uint32_t, uint32_t> shares_;  // global handle -> number of allocations
  std::map<std::pair<KmtKey, uint32_t>, Dp2Target> bindings_;  // by device and DP2 handle
  std::set<std::tuple<KmtKey, uint32_t, uint32_t>>
      bound_allocations_;  // device, allocation, DP2 handle
};

}  // namespace dp2trace::device
