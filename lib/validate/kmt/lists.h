// The allocation list and the patch-location list of a packet: KMT-ALLOC-* and KMT-PATCH-*.
// Source: lib/kmt/packets.md 3, 7.5 and 7.6.
#pragma once

#include <cstdint>
#include <set>

#include "validate/kmt/packet_view.h"

namespace dp2trace::validate {

void CheckAllocationList(const PacketView& view);
void CheckPatchList(const PacketView& view);
// KMT-ALLOC-021, after the payload: `written` are the allocations that its tokens may write.
void CheckOverDeclaration(const PacketView& view, const std::set<uint32_t>& written);

}  // namespace dp2trace::validate
