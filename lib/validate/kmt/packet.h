// Rules about the decoding of D3DKMT_RENDER packets: KMT-DEC-*. Source: lib/kmt/packets.md 7.1.
#pragma once

#include <cstdint>
#include <optional>

#include "kmt/profile.h"
#include "trace/events.h"
#include "validate/findings.h"

namespace dp2trace::validate {

// What the header of the trace says about its packets.
struct PacketProfile {
  uint32_t pointer_bits = 32;
  kmt::OsProfile os_profile = kmt::OsProfile::kWin10;
  trace::LengthOrigin length_origin = trace::LengthOrigin::kZero;

  explicit PacketProfile(const trace::Header& header)
      : pointer_bits(header.pointer_width),
        os_profile(header.os_profile),
        length_origin(header.length_origin) {}

  // None when the trace's pointer width is not 32 or 64 bits.
  std::optional<kmt::PointerWidth> width() const;
};

// Bytes [begin, end) of the command buffer that hold commands, in 64 bits: `end` may lie after the buffer, or before `begin`.
struct Extent {
  uint64_t begin = 0;
  uint64_t end = 0;
};
Extent CommandExtent(const trace::Render& render, const PacketProfile& profile);

// KMT-DEC-002, once for the trace.
void CheckPointerWidth(const PacketProfile& profile, EventFindings& findings);

// The packet with what only the bytes of its structure have: counts, lengths, reserved fields, broadcast contexts. Rules judge that.
trace::Render WithRawFields(const trace::Render& render, const PacketProfile& profile);

// The other KMT-DEC rules. False when the event cannot be decoded (severity F: no further rule runs on it).
// `is_padding_reported` is the memory of KMT-DEC-010 over the whole trace.
bool CheckPacket(const trace::Render& render, const PacketProfile& profile,
                 bool& is_padding_reported, EventFindings& findings);

}  // namespace dp2trace::validate
