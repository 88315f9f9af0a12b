// The KMT objects of a trace: one table of typed handles per process, contexts with the triple that the next packet is written into,
// allocations with their locks and instances, and which allocation a DP2 handle stands for. Rules read it before an event is applied.
// Source: D3DKMT_RENDER specification, sections 1.3, 4 and 6.6; DESIGN section 3.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "device/kmt_types.h"
#include "trace/events.h"

namespace dp2trace::device {

// A D3D context of the device model, by space and id.
struct ContextKey {
  uint32_t space = 0;
  uint64_t id = 0;
};

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
  const KmtSync* FindSync(uint32_t process, uint32_t handle) const;
  // A context handle, or that of a device that has an implicit context.
  const KmtContext* FindKmtContext(uint32_t process, uint32_t handle) const;
  const KmtDevice* DeviceOf(const KmtContext& context) const { return FindDevice(context.process, context.device); }
  KmtChildren ChildrenOf(uint32_t process, uint32_t device) const;
  // Live resources of the device whose allocations were all destroyed one by one, and are not destroyed themselves.
  std::vector<uint32_t> EmptiedResourcesOf(uint32_t process, uint32_t device) const;
  // The same of the whole trace.
  std::vector<KmtKey> EmptiedResources() const;
  // The number of allocations of a shared resource, by its global handle.
  std::optional<uint32_t> FindShare(uint32_t global_share) const;
  // True for an older instance of an allocation, once a packet has named a newer one. Source: 4.5.
  bool IsStale(const KmtAllocation& allocation) const;
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
  std::pair<uint32_t, uint64_t> HandleOf(uint32_t process, uint32_t context, uint32_t allocation) const;

  // ---- events: a recorded failure creates and destroys nothing ----

  void OnHeader(const trace::Header& header);
  void OnAdapterOpen(const trace::AdapterOpen& event);
  void OnAdapterClose(const trace::AdapterClose& event);
  void OnDeviceCreate(const trace::DeviceCreate& event);
  // The D3D contexts that go with it.
  std::vector<trace::ContextDestroy> OnDeviceDestroy(const trace::DeviceDestroy& event);
  // The D3D context to create for a KMT context; nothing for a failed call, and where the event does not describe one.
  std::optional<trace::ContextCreate> OnContextCreate(const trace::KmtContextCreate& event);
  // The D3D context of a KMT context whose event described none, before its first DP2 packet; nothing afterwards.
  std::optional<trace::ContextCreate> TakeDeferred(uint32_t process, uint32_t context);
  std::optional<trace::ContextDestroy> OnContextDestroy(const trace::KmtContextDestroy& event);
  void OnAllocationCreate(const trace::AllocationCreate& event);
  void OnAllocationDestroy(const trace::AllocationDestroy& event);
  void OnResourceOpen(const trace::ResourceOpen& event);
  void OnSyncCreate(const trace::SyncCreate& event);
  void OnSyncDestroy(const trace::SyncDestroy& event);
  void OnLock(const trace::Lock& event);
  void OnUnlock(const trace::Unlock& event);
  void OnOffer(const trace::Offer& event);
  void OnReclaim(const trace::Reclaim& event);
  void OnPresent(const trace::KmtPresent& event);
  void OnSubmit(const trace::SubmitCommand& event);
  void OnBind(const trace::Dp2Bind& event);
  void OnUnbind(const trace::Dp2Unbind& event);
  // A packet, behind its rules. `is_accepted`: by its recorded status or, without one, because nothing is wrong with it.
  void OnRender(const trace::Render& event, bool is_accepted);

 private:
  struct Family {
    std::vector<uint32_t> handles;  // of the instances, oldest first
    uint32_t newest_used = 0;       // instance that a packet has named
  };

  void Announce(KmtKey key, KmtType type);
  void Forget(KmtKey key);
  void AddAllocations(uint32_t process, std::span<const trace::AllocationInfo> infos, const KmtAllocation& model);
  // All instances of it.
  void DestroyAllocation(KmtKey key, bool is_single);
  void DestroyResource(KmtKey key);
  // After a call returned `status`: the device may be lost, primaries may have become invalid.
  void TakeStatus(uint32_t process, uint32_t device, const std::optional<uint32_t>& status);
  KmtContext* ContextAt(uint32_t process, uint32_t handle);
  void TakeTriple(const trace::Render& event, KmtContext& context);
  void TakeQueue(const trace::Render& event, KmtContext& context);
  void UseAllocations(const trace::Render& event, const KmtContext& context);
  void OfferAll(uint32_t process, std::span<const uint32_t> resources, std::span<const uint32_t> allocations, bool is_offered);
  void AwaitPrimary(uint32_t process, uint32_t device, bool is_awaiting);

  bool is_identity_ = false;
  bool has_offer_priority_ = true;  // by the profile of the header
  uint64_t next_family_ = 1;
  std::map<KmtKey, KmtName> names_;
  std::map<KmtKey, KmtAdapter> adapters_;
  std::map<KmtKey, KmtDevice> devices_;
  std::map<KmtKey, KmtContext> contexts_;
  std::map<KmtKey, KmtContext> implicit_contexts_;  // by device
  std::map<KmtKey, KmtResource> resources_;
  std::map<KmtKey, KmtAllocation> allocations_;
  std::map<KmtKey, KmtSync> syncs_;
  std::map<KmtKey, KmtKey> d3d_contexts_;                  // contexts that own a D3D context -> their device
  std::map<uint64_t, Family> families_;
  std::map<uint32_t, uint32_t> shares_;                    // global handle -> number of allocations
  std::map<std::pair<KmtKey, uint32_t>, Dp2Target> bindings_;             // by device and DP2 handle
  std::set<std::tuple<KmtKey, uint32_t, uint32_t>> bound_allocations_;    // device, allocation, DP2 handle
};

}  // namespace dp2trace::device
