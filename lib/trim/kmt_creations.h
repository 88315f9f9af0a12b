// The events that made the KMT objects that live, and what else of them must be said again: bindings, locks, offers.
// Source: lib/kmt/packets.md 4 and 6.6.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "device/kmt/objects.h"
#include "trace/events.h"
#include "trim/part.h"

namespace dp2trace::trim {

// An event that was kept, as bytes.
struct KeptEvent {
  uint64_t number = 0;
  uint16_t kind = 0;  // trace::CodeOf()
  std::vector<uint8_t> payload;
  // Views into the object.
  trace::Event Decode() const;
};

class KmtCreations {
 public:
  // After the effect of the event.
  void OnEvent(uint64_t number, const trace::Event& event, const device::KmtObjects& objects);

  // The event that made a live object: a create, open, or the lock that gave an allocation another handle. Null where none is known.
  const KeptEvent* Find(const device::KmtKey& key, const device::KmtObjects& objects) const;
  // The number of the event that bound a handle; nothing where it is not bound.
  std::optional<uint64_t> FindBinding(const BindingKey& key,
                                      const device::KmtObjects& objects) const;
  // Live bindings of a device, by handle.
  std::map<uint32_t, uint64_t> BindingsOf(const device::KmtKey& device,
                                          const device::KmtObjects& objects) const;
  // The locks of an allocation that were not unlocked, oldest first.
  std::vector<trace::Lock> LocksOf(const device::KmtKey& allocation) const;
  // What an allocation or resource was offered with; nothing where it was not.
  std::optional<uint32_t> FindOffer(const device::KmtKey& key) const;
  // The resource whose share this is.
  std::optional<device::KmtKey> FindShare(uint32_t global_share) const;

 private:
  void Keep(const device::KmtKey& key, uint64_t number, const trace::Event& event);
  void On(uint64_t number, const trace::Event& event, const trace::AllocationCreate& create);
  void On(uint64_t number, const trace::Event& event, const trace::ResourceOpen& open);
  void On(uint64_t number, const trace::Event& event, const trace::Lock& lock);
  void On(const trace::Unlock& unlock);
  void On(const trace::Render& packet, const device::KmtObjects& objects);
  void SetOffers(uint32_t process, const std::vector<uint32_t>& handles,
                 std::optional<uint32_t> priority);
  // Forgets what no longer lives, now and then.
  void Sweep(const device::KmtObjects& objects);

  std::map<device::KmtKey, KeptEvent> made_;
  std::map<BindingKey, uint64_t> bindings_;
  std::map<device::KmtKey, std::deque<trace::Lock>> locks_;
  std::map<device::KmtKey, uint32_t> offers_;
  std::map<uint32_t, device::KmtKey> shares_;
  size_t sweep_at_ = 1024;
};

}  // namespace dp2trace::trim
