// The objects that a submission names: KMT-STATE-001 to -009 and -019. Source: lib/kmt/packets.md 7.2.
#pragma once

#include <cstdint>
#include <optional>

#include "validate/kmt/packet_view.h"

namespace dp2trace::validate {

inline constexpr uint32_t kHintCdd = 2;  // D3DKMT_CLIENTHINT of the canonical display driver
// Elements of the allocation list of a GDI context.
inline constexpr uint32_t kGdiAllocationCount = 256;

// The word hDevice / hContext of a packet, and the state of the device after it.
void CheckPacketState(const PacketView& view);

// The same of any other call: true when the word names a context, or a device.
bool CheckOwner(const EventView& view, uint32_t process, uint32_t handle,
                const std::optional<uint32_t>& status);

}  // namespace dp2trace::validate
