// Finds which KMT objects that were there before a part its events name, and which of them it destroys.
// Source: lib/kmt/packets.md 4 and 6.6.
#pragma once

#include <cstdint>
#include <optional>

#include "device/context.h"
#include "device/kmt/objects.h"
#include "stream/stream.h"
#include "trace/events.h"
#include "trim/kmt_creations.h"
#include "trim/packet_cut.h"
#include "trim/part.h"

namespace dp2trace::trim {

class KmtUse {
 public:
  // All outlive the object. The part begins at its cut.
  KmtUse(const device::KmtObjects& objects, const KmtCreations& creations, Part& part)
      : objects_(&objects), creations_(&creations), part_(&part) {}

  // Before the effect of an event. What a packet lists is left to OnPacket().
  void OnEvent(uint64_t number, const trace::Event& event);
  // A packet of the part, or the rest of one, once it is known where it is cut.
  void OnPacket(uint64_t number, const trace::Render& packet, trace::LengthOrigin length_origin);
  // The object itself, and the D3D context that it owns. Objects that the part made count not.
  void Name(const device::KmtKey& key);

 private:
  bool IsLive(const device::KmtKey& key) const;
  bool WasBefore(const device::KmtKey& key) const;
  // The handle words of its tokens in the range.
  void NameWords(const trace::Render& packet, trace::LengthOrigin length_origin,
                 const PacketRange& range);
  void NameBinding(const device::KmtContext& context, uint32_t handle);
  void End(uint64_t number, const device::KmtKey& key);
  // False for an event that destroys nothing.
  bool OnEnd(uint64_t number, const trace::Event& event);

  const device::KmtObjects* objects_;
  const KmtCreations* creations_;
  Part* part_;
};

// The KMT handle of the context that owns a D3D context; nothing for one of a DP2 call.
std::optional<device::KmtKey> KmtContextOf(uint64_t d3d_context);

// What the D3D context of a packet has bound, for the tokens that follow.
PacketUse CarriedBy(const device::Context& context, const device::KmtObjects& objects);
// Adds the handle words of a token.
void AddWords(const device::Context& context, const stream::Command& command,
              const device::KmtObjects& objects, PacketUse& use);

}  // namespace dp2trace::trim
