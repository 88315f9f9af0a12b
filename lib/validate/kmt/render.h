// The parameters and flags of a render packet: KMT-RENDER-* and KMT-FLAGS-*. Source: lib/kmt/packets.md 7.3 and 7.4.
#pragma once

#include "validate/kmt/packet_view.h"

namespace dp2trace::validate {

// False when the command extent is none, so that the payload cannot be read (KMT-RENDER-010 and -011).
bool CheckRenderParameters(const PacketView& view);
void CheckRenderFlags(const PacketView& view);

}  // namespace dp2trace::validate
