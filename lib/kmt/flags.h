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

// D3DKMT_RENDERFLAGS. Source: D3DKMT_RENDER specification 2.
namespace render_flag {
inline constexpr uint32_t kResizeCommandBuffer = 0x01;
inline constexpr uint32_t kResizeAllocationList = 0x02;
inline constexpr uint32_t kResizePatchLocationList = 0x04;
inline constexpr uint32_t kNullRendering = 0x08;
inline constexpr uint32_t kPresentRedirected = 0x10;
inline constexpr uint32_t kRenderKm = 0x20;
inline constexpr uint32_t kRenderKmReadback = 0x40;
}  // namespace render_flag

extern const FlagTable kRenderFlags;             // D3DKMT_RENDERFLAGS (section 2)
extern const FlagTable kCreateDeviceFlags;       // D3DKMT_CREATEDEVICEFLAGS (4.3)
extern const FlagTable kCreateContextFlags;      // D3DDDI_CREATECONTEXTFLAGS (4.4)
extern const FlagTable kCreateAllocationFlags;   // D3DKMT_CREATEALLOCATIONFLAGS (4.5)
extern const FlagTable kAllocationInfoFlags;     // D3DDDI_ALLOCATIONINFO.Flags (4.5)
extern const FlagTable kDestroyAllocationFlags;  // D3DDDICB_DESTROYALLOCATION2FLAGS (4.5)
extern const FlagTable kLockFlags;               // D3DDDICB_LOCKFLAGS (4.6)
extern const FlagTable kSignalFlags;             // D3DDDICB_SIGNALFLAGS (4.7)
extern const FlagTable kPresentFlags;            // D3DKMT_PRESENTFLAGS (4.8), the bits that handle validation needs
extern const FlagTable kSubmitFlags;             // D3DKMT_SUBMITCOMMANDFLAGS (4.9)
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
extern const EnumInfo kClientHintNames;            // D3DKMT_CLIENTHINT (4.4)
extern const EnumInfo kSyncTypeNames;              // D3DDDI_SYNCHRONIZATIONOBJECT_TYPE (4.7)
extern const EnumInfo kOfferPriorityNames;         // D3DDDI_OFFER_PRIORITY (3.1)
extern const EnumInfo kDeviceExecutionStateNames;  // D3DKMT_DEVICEEXECUTION_STATE (4.3)
extern const EnumInfo kRenderKmOpNames;            // DXGK_RENDERKM_OPERATION (section 2)

}  // namespace dp2trace::kmt
