// Which allocations the tokens of a packet write. Source: lib/kmt/packets.md 6.5 and 6.6.
#pragma once

#include <cstdint>
#include <set>

#include "device/context.h"
#include "device/kmt/objects.h"
#include "stream/stream.h"

namespace dp2trace::validate {

class PacketWrites {
 public:
  // `carried` is the D3D context before the packet, null where there is none.
  PacketWrites(const device::KmtObjects& kmt, const device::KmtContext& context,
               const device::Context* carried)
      : kmt_(&kmt), context_(&context), carried_(carried) {}

  void Add(const stream::Command& command);
  // Written by a word of a token, bound as a target, or, when something is drawn or cleared, bound as a target before the packet.
  const std::set<uint32_t>& allocations() const { return allocations_; }

 private:
  void AddHandle(uint32_t dp2_handle);

  const device::KmtObjects* kmt_;
  const device::KmtContext* context_;
  const device::Context* carried_;
  std::set<uint32_t> allocations_;
};

}  // namespace dp2trace::validate
