#include "kmt/ntstatus.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dp2trace::kmt {
namespace {

struct HresultRow {
  uint32_t hresult;
  NtStatus status;
};

// clang-format off
constexpr HresultRow kHresults[] = {
    {0x00000000, NtStatus::kSuccess},                     // S_OK
    {0x8007000E, NtStatus::kNoMemory},                    // E_OUTOFMEMORY
    {0x80070057, NtStatus::kInvalidParameter},            // E_INVALIDARG
    {0x8876021C, NtStatus::kAllocationBusy},              // D3DDDIERR_WASSTILLDRAWING
    {0x8876086A, NtStatus::kTryAgainNow},                 // D3DDDIERR_NOTAVAILABLE: no aperture
    {0x88760870, NtStatus::kDeviceRemoved},               // D3DDDIERR_DEVICEREMOVED
    {0x88760871, NtStatus::kPrivilegedInstruction},       // D3DDDIERR_PRIVILEGEDINSTRUCTION
    {0x88760872, NtStatus::kIllegalInstruction},          // D3DDDIERR_INVALIDINSTRUCTION
    {0x88760873, NtStatus::kInvalidHandle},               // D3DDDIERR_INVALIDHANDLE
    {0x88760879, NtStatus::kInvalidUserBuffer},           // D3DDDIERR_INVALIDUSERBUFFER
    {0xC0262109, NtStatus::kCantEvictPinnedAllocation},   // D3DDDIERR_CANTEVICTPINNEDALLOCATION
    {0xC0262111, NtStatus::kCantRenderLockedAllocation},  // D3DDDIERR_CANTRENDERLOCKEDALLOCATION
};
// clang-format on

constexpr uint32_t kOldDriverMismatch = 0x401E0117;
constexpr uint32_t kGraphicsFacility = 0xC01E0000;         // of NTSTATUS
constexpr uint32_t kGraphicsHresultFacility = 0xC0262000;  // of HRESULT

// What the finer predictions for a bad allocation handle may be.
constexpr NtStatus kBadAllocationHandle[] = {
    NtStatus::kInvalidHandle, NtStatus::kInvalidAllocationHandle, NtStatus::kAllocationClosed,
    NtStatus::kWrongAllocationDevice};

bool IsBadAllocationHandle(uint32_t status) {
  return std::ranges::find(kBadAllocationHandle, NtStatus{status}) !=
         std::end(kBadAllocationHandle);
}

}  // namespace

uint32_t NormalizeStatus(uint32_t status) {
  return status == kOldDriverMismatch ? static_cast<uint32_t>(NtStatus::kDriverMismatch) : status;
}

bool IsSuccess(uint32_t status) {
  return NormalizeStatus(status) < 0x80000000u;
}

std::string_view StatusName(uint32_t status) {
  switch (NtStatus{NormalizeStatus(status)}) {
#define DP2TRACE_STATUS(enumerator, name, value) \
  case NtStatus::enumerator:                     \
    return name;
#include "kmt/status.def"
#undef DP2TRACE_STATUS
  }
  return {};
}

std::optional<NtStatus> FindStatus(std::string_view short_name) {
  constexpr std::pair<std::string_view, NtStatus> kNames[] = {
#define DP2TRACE_STATUS(enumerator, name, value) {name, NtStatus::enumerator},
#include "kmt/status.def"
#undef DP2TRACE_STATUS
  };
  for (const auto& [name, status] : kNames) {
    // The short name lacks "STATUS_" and, of the graphics kernel's, "GRAPHICS_".
    if (!name.ends_with(short_name)) continue;
    const std::string_view prefix = name.substr(0, name.size() - short_name.size());
    if (prefix == "STATUS_" || prefix == "STATUS_GRAPHICS_") return status;
  }
  return std::nullopt;
}

uint32_t StatusFromHresult(uint32_t hresult) {
  for (const HresultRow& row : kHresults) {
    if (row.hresult == hresult) return static_cast<uint32_t>(row.status);
  }
  if ((hresult & 0xFFFFF000u) == kGraphicsHresultFacility)
    return kGraphicsFacility | (hresult & 0xFFFu);
  return hresult;
}

bool ConfirmsPrediction(uint32_t recorded, NtStatus predicted) {
  const uint32_t status = NormalizeStatus(recorded);
  const auto expected = static_cast<uint32_t>(predicted);
  if (status == expected) return true;
  if (!IsBadAllocationHandle(expected)) return false;
  return IsBadAllocationHandle(status) ||
         status == static_cast<uint32_t>(NtStatus::kInvalidParameter);
}

}  // namespace dp2trace::kmt
