// The KMT objects that a part of a trace needs, as the events that make them again under their handles.
// Source: lib/kmt/packets.md 4 and 6.6.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/kmt/objects.h"
#include "trace/events.h"
#include "trim/kmt_creations.h"
#include "trim/part.h"

namespace dp2trace::trim {

// A context of packets as the snapshot makes it.
struct PacketContext {
  trace::KmtContextCreate create;
  uint32_t level = 9;
  uint32_t space = 0;
  // What its packets have to leave behind; none: what the context was made with.
  std::optional<trace::Triple> end_triple;
};

class KmtSnapshot {
 public:
  // Whether the snapshot has a surface, by space and handle of the surface or of one of its levels.
  using HasSurface = std::function<bool(uint32_t space, uint32_t handle)>;

  // All outlive the object.
  KmtSnapshot(const device::Device& device, const device::KmtObjects& objects,
              const KmtCreations& creations, const Part& part);

  // Finds what is needed. Not empty: what cannot be said.
  std::string Prepare(const HasSurface& has_surface);
  bool Has(const device::KmtKey& key) const { return needed_.contains(key); }
  bool HasBinding(const BindingKey& key) const { return bindings_.contains(key); }

  // Adapters, devices, allocations and bindings, by the number of the event that made them.
  const std::map<uint64_t, std::vector<trace::Event>>& events() const { return events_; }
  // What makes and destroys objects that the part names though they are gone.
  const std::vector<trace::Event>& dead_events() const { return dead_events_; }
  // Contexts that own no D3D context yet, or none at all.
  const std::vector<trace::Event>& plain_contexts() const { return plain_contexts_; }
  // The context that owns a D3D context, with its target and depth surface of now.
  PacketContext MakeContext(const device::Context& context, const device::KmtKey& key) const;
  // What holds after the contents and states: locks and offers.
  const std::vector<trace::Event>& late_events() const { return late_events_; }
  // What differs where the snapshot has been executed; empty where nothing does.
  std::string FindGap(const device::KmtObjects& reached) const;

 private:
  void Need(const device::KmtKey& key);
  void NeedOwners(const device::KmtKey& key);
  void AddDead(const device::KmtKey& key);
  void NeedBindings(const HasSurface& has_surface);
  void AddEvent(const device::KmtKey& key);
  void AddPlainContext(const device::KmtContext& context, trace::KmtContextCreate create);
  void AddLate(const device::KmtKey& key);
  // The event as it has to be now: without allocations that are gone, or that nobody needs.
  template <class T>
  T Renew(const T& create) const;

  const device::Device& device_;
  const device::KmtObjects& objects_;
  const KmtCreations& creations_;
  const Part& part_;
  std::string gap_;
  std::set<device::KmtKey> needed_;
  std::set<BindingKey> bindings_;
  std::set<uint64_t> made_;  // events that are there already
  std::map<uint64_t, std::vector<trace::Event>> events_;
  std::vector<trace::Event> dead_events_;
  std::vector<trace::Event> plain_contexts_;
  std::vector<trace::Event> late_events_;
};

}  // namespace dp2trace::trim
