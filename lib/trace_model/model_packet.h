// A packet as parts that can be left out: beside its tokens the elements of its lists, which are put together again for what is left.
// Source: lib/kmt/packets.md 1.3, 3 and 6.6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "device/kmt/objects.h"
#include "kmt/lists.h"
#include "runtime/core/packet_stream.h"
#include "trace/events.h"
#include "validate/kmt/packet.h"

namespace dp2trace::trace_model {

struct ModelEvent;

// An element of the allocation list.
struct ModelElement {
  uint64_t id = 0;
  uint32_t index = 0;  // in the recorded list: entries name it so
  kmt::AllocationElement element;
};

// An entry of the patch-location list. Its offsets count from the start of a token.
struct ModelPatch {
  uint64_t id = 0;
  kmt::PatchElement element;
  uint64_t token = 0;         // that PatchOffset lies in; 0: none, and it counts from byte 0
  uint64_t split_token = 0;   // that SplitOffset lies in; 0 likewise
  bool follows_word = false;  // slot and DriverId are those of the handle word that stands there
};

// What a packet has beside its tokens. Its event has of the command buffer what stands before them, and no lists.
struct PacketParts {
  std::vector<ModelElement> elements;
  std::vector<ModelPatch> patches;
  Bytes rest;                 // of the command buffer, after the command extent
  bool is_ordered = false;    // elements come in the order of their first use
  bool has_bindings = false;  // what is bound from packets before is listed where draws use it
  size_t command_bytes = 0;   // as recorded, with what is before and after the tokens
  size_t recorded_elements = 0, recorded_patches = 0;
};

// What DP2 handles stand for, and what the packets of each context leave bound. Sees the events of a trace in order.
class PacketBindings {
 public:
  PacketBindings() = default;
  PacketBindings(const PacketBindings&) = delete;
  PacketBindings& operator=(const PacketBindings&) = delete;

  void OnEvent(const trace::Event& event);
  // The allocation that a handle word of the packet stands for; 0: none.
  uint32_t Find(const trace::Render& packet, uint32_t handle) const;
  // What the packet has to list, in the order of use, with the NULL element first. `commands`: its tokens.
  std::vector<kmt::AllocationElement> OnPacket(const trace::Render& packet, Bytes commands);
  const validate::PacketProfile& profile() const { return profile_; }

 private:
  void StartSession(const trace::Header& header);
  runtime::PacketStream& StreamOf(const device::KmtKey& key, const trace::D3dContext& d3d);
  void Release(uint32_t process, uint32_t device, uint32_t handle);

  validate::PacketProfile profile_{trace::Header()};
  device::KmtObjects objects_;
  std::map<device::KmtKey, runtime::PacketStream> streams_;  // by context
  std::vector<kmt::AllocationElement> expected_;             // of the packet at work
};

// Takes the packet of the event apart, where its commands can be read; leaves the event as it is where not. `next_id` numbers the parts.
void TakeApart(ModelEvent& event, PacketBindings& bindings, uint64_t& next_id);

// Bytes of a packet that was put together.
struct PacketBytes {
  std::vector<uint8_t> commands, allocations, patches;
};
// The packet with the tokens, elements and entries that are left. Views into the event and into `out`.
trace::Render Assemble(const ModelEvent& event, PacketBindings& bindings, PacketBytes& out);

}  // namespace dp2trace::trace_model
