// The flag words of the D3DKMT structures: names, masks and the WDDM version that first defines them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/enum_info.h"
#include "kmt/profile.h"

namespace dp2trace::kmt {

// One flag of a flag word.
struct FlagRow {
  std::string_view name;  // the documentation's name
  uint32_t mask;
  WddmVersion since = 100;  // first WDDM version whose header has it
};

// One flag word.
struct FlagTable {
  std::string_view name;  // the documentation's structure
  std::span<const FlagRow> rows;
};

// Bits that no header up to `version` defines.
constexpr uint32_t ReservedMask(const FlagTable& table, WddmVersion version) {
  uint32_t defined = 0;
  for (const FlagRow& row : table.rows) {
    if (row.since <= version) defined |= row.mask;
  }
  return ~defined;
}

constexpr uint32_t ReservedMask(const FlagTable& table, OsProfile profile) {
  return ReservedMask(table, NewestWddm(profile));
}

// D3DKMT_RENDERFLAGS. Source: lib/kmt/packets.md 2.
namespace render_flag {
inline constexpr uint32_t kResizeCommandBuffer = 0x01;
inline constexpr uint32_t kResizeAllocationList = 0x02;
inline constexpr uint32_t kResizePatchLocationList = 0x04;
inline constexpr uint32_t kNullRendering = 0x08;
inline constexpr uint32_t kPresentRedirected = 0x10;
inline constexpr uint32_t kRenderKm = 0x20;
inline constexpr uint32_t kRenderKmReadback = 0x40;
}  // namespace render_flag

// D3DKMT_CREATEALLOCATIONFLAGS. Source: lib/kmt/packets.md 4.5.
namespace create_allocation_flag {
inline constexpr uint32_t kCreateResource = 0x1;
inline constexpr uint32_t kCreateShared = 0x2;
inline constexpr uint32_t kCreateProtected = 0x8;
inline constexpr uint32_t kExistingSysMem = 0x20;
inline constexpr uint32_t kNtSecuritySharing = 0x40;
inline constexpr uint32_t kReadOnly = 0x80;
inline constexpr uint32_t kCreateWriteCombined = 0x100;
inline constexpr uint32_t kCreateCached = 0x200;
inline constexpr uint32_t kSwapChainBackBuffer = 0x400;
inline constexpr uint32_t kCrossAdapter = 0x800;
inline constexpr uint32_t kOpenCrossAdapter = 0x1000;
inline constexpr uint32_t kStandardAllocation = 0x10000;
inline constexpr uint32_t kExistingSection = 0x20000;
}  // namespace create_allocation_flag

// D3DDDICB_LOCKFLAGS. Source: lib/kmt/packets.md 4.6.
namespace lock_flag {
inline constexpr uint32_t kReadOnly = 0x1;
inline constexpr uint32_t kWriteOnly = 0x2;
inline constexpr uint32_t kIgnoreSync = 0x8;
inline constexpr uint32_t kAcquireAperture = 0x40;
inline constexpr uint32_t kDiscard = 0x80;
inline constexpr uint32_t kNoExistingReference = 0x100;
inline constexpr uint32_t kUseAlternateVa = 0x200;
inline constexpr uint32_t kIgnoreReadSync = 0x400;
}  // namespace lock_flag

// D3DDDICB_SIGNALFLAGS. Source: lib/kmt/packets.md 4.7.
namespace signal_flag {
inline constexpr uint32_t kEnqueueCpuEvent = 0x2;
}  // namespace signal_flag

// D3DKMT_PRESENTFLAGS. Source: lib/kmt/packets.md 4.8.
namespace present_flag {
inline constexpr uint32_t kBlt = 0x1;
inline constexpr uint32_t kColorFill = 0x2;
inline constexpr uint32_t kFlip = 0x4;
inline constexpr uint32_t kFlipDoNotFlip = 0x8;
inline constexpr uint32_t kFlipDoNotWait = 0x10;
inline constexpr uint32_t kFlipRestart = 0x20;
inline constexpr uint32_t kDstRectValid = 0x40;
inline constexpr uint32_t kSrcRectValid = 0x80;
inline constexpr uint32_t kRestrictVidPnSource = 0x100;
inline constexpr uint32_t kSrcColorKey = 0x200;
inline constexpr uint32_t kDstColorKey = 0x400;
inline constexpr uint32_t kRotate = 0x2000;
}  // namespace present_flag

extern const FlagTable kRenderFlags;             // D3DKMT_RENDERFLAGS (section 2)
extern const FlagTable kCreateDeviceFlags;       // D3DKMT_CREATEDEVICEFLAGS (4.3)
extern const FlagTable kCreateContextFlags;      // D3DDDI_CREATECONTEXTFLAGS (4.4)
extern const FlagTable kCreateAllocationFlags;   // D3DKMT_CREATEALLOCATIONFLAGS (4.5)
extern const FlagTable kAllocationInfoFlags;     // D3DDDI_ALLOCATIONINFO.Flags (4.5)
extern const FlagTable kDestroyAllocationFlags;  // D3DDDICB_DESTROYALLOCATION2FLAGS (4.5)
extern const FlagTable kLockFlags;               // D3DDDICB_LOCKFLAGS (4.6)
extern const FlagTable kSignalFlags;             // D3DDDICB_SIGNALFLAGS (4.7)
// D3DKMT_PRESENTFLAGS (4.8), the bits that handle validation needs.
extern const FlagTable kPresentFlags;
extern const FlagTable kSubmitFlags;  // D3DKMT_SUBMITCOMMANDFLAGS (4.9)
std::span<const FlagTable* const> AllFlagTables();

// The same tables, and the enumerations, as name lists.
extern const EnumInfo kRenderFlagNames;
extern const EnumInfo kCreateDeviceFlagNames;
extern const EnumInfo kCreateContextFlagNames;
extern const EnumInfo kCreateAllocationFlagNames;
extern const EnumInfo kKmtLockFlagNames;
extern const EnumInfo kSignalFlagNames;
extern const EnumInfo kPresentFlagNames;
extern const EnumInfo kSubmitFlagNames;
extern const EnumInfo kClientHintNames;     // D3DKMT_CLIENTHINT (4.4)
extern const EnumInfo kSyncTypeNames;       // D3DDDI_SYNCHRONIZATIONOBJECT_TYPE (4.7)
extern const EnumInfo kOfferPriorityNames;  // D3DDDI_OFFER_PRIORITY (3.1)
extern const EnumInfo kRenderKmOpNames;     // DXGK_RENDERKM_OPERATION (section 2)

}  // namespace dp2trace::kmt
