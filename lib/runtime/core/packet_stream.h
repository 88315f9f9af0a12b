// The tokens of one context as D3DKMT_RENDER packets: canonical allocation lists and patch lists, and what is bound from packet to packet.
// Source: lib/kmt/packets.md 1.3 and 6 (canonical lists, carried bindings).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "kmt/handle_words.h"
#include "kmt/lists.h"
#include "stream/stream.h"
#include "trace/events.h"

namespace dp2trace::runtime {

// What a surface handle stands for in the lists.
struct SurfaceBinding {
  uint32_t allocation = 0;   // 0: it is not bound
  uint32_t base_offset = 0;  // bytes
};

struct PacketStreamOptions {
  uint32_t space = 0;
  uint32_t process = 0;
  uint32_t context = 0;  // its KMT handle
  uint32_t level = 9;    // of the driver, 6-9
  uint32_t target = 0;   // surface handles that are bound at the start
  uint32_t depth = 0;
  bool has_patches = true;  // false: the context takes no patch lists
  // Into which the first packet is written; none: not recorded, and packets have no limit.
  std::optional<trace::Triple> triple = {};
  uint32_t queued_buffer_count = 1;  // of each packet
};

// All packets succeed.
class PacketStream {
 public:
  using FindBinding = std::function<SurfaceBinding(uint32_t handle)>;
  // What the event points to lives until it returns.
  using Send = std::function<void(const trace::Render& packet)>;

  PacketStream(PacketStreamOptions options, FindBinding find_binding, Send send);

  // One packet, or more where a list would grow too long. A token that is longer than the command buffer makes the packet before it ask
  // for a larger one. The last packet leaves the context with the triple `end_triple`, where there is one: there is a packet then in any case.
  void Write(Bytes commands, const trace::Dp2Env& environment,
             const std::optional<trace::Triple>& end_triple = {});
  // The surface is no longer there.
  void Release(uint32_t handle);

  uint32_t space() const { return options_.space; }
  uint32_t context() const { return options_.context; }
  // A handle that a token named and that is not bound; 0: there was none.
  uint32_t unbound() const { return unbound_; }
  // A packet was longer than the lists of the context.
  bool has_overflowed() const { return has_overflowed_; }

 private:
  // The packet at work.
  struct Packet {
    std::vector<uint8_t> commands;
    std::vector<kmt::AllocationElement> allocations = {{}};  // element 0 is the NULL element
    std::map<uint32_t, uint32_t> indices = {{0, 0}};         // of an allocation in the list
    // What draws touch without a token that names it, in the order of their first use; true: written.
    std::vector<std::pair<uint32_t, bool>> carried;
    std::vector<kmt::PatchElement> patches;
  };

  SurfaceBinding BindingOf(uint32_t handle);
  // Index in the allocation list.
  static uint32_t Reference(Packet& packet, uint32_t allocation, bool is_write);
  void AddToken(Packet& packet, const stream::Command& command);
  void AddCarried(Packet& packet, const stream::Command& command);
  // After those that tokens name: the list is in the order of its names.
  static void ListCarried(Packet& packet);
  // A token that changes nothing: the bound target again.
  void AddNeutral(Packet& packet);
  void SendPacket(Packet& packet, const trace::Dp2Env& environment,
                  const std::optional<trace::Triple>& next);
  bool IsFull(const Packet& packet, const stream::Command& command) const;

  PacketStreamOptions options_;
  FindBinding find_binding_;
  Send send_;
  trace::Triple triple_;                // that the next packet writes into
  std::map<uint32_t, uint32_t> slots_;  // surface handles that are bound, by slot
  uint32_t unbound_ = 0;
  bool has_overflowed_ = false;
};

}  // namespace dp2trace::runtime
