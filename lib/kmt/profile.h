// Which Windows recorded a packet: decides structure sizes and which flag bits are reserved.
#pragma once

#include <cstdint>

namespace dp2trace::kmt {

// Source: lib/kmt/packets.md 1.2.
enum class OsProfile : uint32_t { kVista, kWin7, kWin8, kWin10 };

// A WDDM version as one number: major * 100 + minor * 10 (1.3 is 130).
using WddmVersion = uint16_t;

// The newest WDDM version that the profile's headers define.
constexpr WddmVersion NewestWddm(OsProfile profile) {
  switch (profile) {
    case OsProfile::kVista:
      return 100;
    case OsProfile::kWin7:
      return 110;
    case OsProfile::kWin8:
      return 130;
    case OsProfile::kWin10:
      break;
  }
  return 999;
}

// Size of a pointer in the recorded process.
enum class PointerWidth : uint8_t { k32, k64 };

}  // namespace dp2trace::kmt
