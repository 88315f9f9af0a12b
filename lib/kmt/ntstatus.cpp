#include "kmt/ntstatus.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dp2trace::kmt {
namespace {

constexpr uint32_t kOldDriverMismatch = 0x401E0117;

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

bool ConfirmsPrediction(uint32_t recorded, NtStatus predicted) {
  const uint32_t status = NormalizeStatus(recorded);
  const auto expected = static_cast<uint32_t>(predicted);
  if (status == expected) return true;
  if (!IsBadAllocationHandle(expected)) return false;
  return IsBadAllocationHandle(status) ||
         status == static_cast<uint32_t>(NtStatus::kInvalidParameter);
}

}  // namespace dp2trace::kmt
