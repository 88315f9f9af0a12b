// A part of a recorded packet: some of its tokens, and of its lists what they need.
// Source: lib/kmt/packets.md 1.3, 3 and 6.6.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/events.h"
#include "trim/part.h"

namespace dp2trace::trim {

// Offsets of tokens from byte 0 of the command buffer; none: from the first, to the last.
struct PacketRange {
  std::optional<uint64_t> begin, end;
  bool Holds(uint64_t offset) const {
    return (!begin || offset >= *begin) && (!end || offset < *end);
  }
};

// Indices of the elements of the allocation list that the tokens of the range need, in the order of the new list: the NULL element,
// those that words name in the order of the first, then those that only entries name or that were bound before.
std::vector<uint32_t> KeptElements(const trace::Render& packet, const PacketRange& range,
                                   const PacketUse& use);

// The packet with the tokens of the range, from byte 0 on where it is cut at its beginning: a prefix is not what producers write.
// Counts that speak of what is cut off go.
class CutPacket {
 public:
  // The fields of the packet hold (validate::WithRawFields), not the bytes of its structure.
  CutPacket(const trace::Render& packet, trace::LengthOrigin length_origin,
            const PacketRange& range, const PacketUse& use);
  CutPacket(const CutPacket&) = delete;
  CutPacket& operator=(const CutPacket&) = delete;

  // Views into the object and into the packet that was cut.
  const trace::Render& packet() const { return packet_; }

 private:
  // A token that stays, by offsets from byte 0.
  struct Move {
    uint64_t from = 0, end = 0, to = 0;
  };

  void CutCommands(const trace::Render& packet, trace::LengthOrigin length_origin,
                   const PacketRange& range);
  void CutLists(const trace::Render& packet, const PacketRange& range, const PacketUse& use);
  // The new offset; nothing where no token that stays holds the old one.
  std::optional<uint32_t> Moved(uint64_t offset) const;

  trace::Render packet_;
  std::vector<Move> moves_;
  std::vector<uint8_t> commands_, allocations_, patches_;
};

}  // namespace dp2trace::trim
