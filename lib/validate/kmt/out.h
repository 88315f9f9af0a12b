// What a render call returned: KMT-OUT-*. Source: lib/kmt/packets.md 1.3, 1.4, 7.7 and 8.
#pragma once

#include "validate/kmt/packet_view.h"

namespace dp2trace::validate {

// After all other rules of the packet.
void CheckResults(const PacketView& view);

}  // namespace dp2trace::validate
