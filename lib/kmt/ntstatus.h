// NTSTATUS values of the D3DKMT calls. Source: lib/kmt/packets.md 8.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dp2trace::kmt {

enum class NtStatus : uint32_t {
#define DP2TRACE_STATUS(enumerator, name, value) enumerator = (value),
#include "kmt/status.def"
#undef DP2TRACE_STATUS
};

// Non-negative as a signed number, after NormalizeStatus().
bool IsSuccess(uint32_t status);

// The value that an import stores: the older, informational number of STATUS_GRAPHICS_DRIVER_MISMATCH (0x401E0117), which
// would count as success, becomes 0xC01E0009. All other values stay.
uint32_t NormalizeStatus(uint32_t status);

// "STATUS_INVALID_PARAMETER", or empty for a value that the table lacks.
std::string_view StatusName(uint32_t status);

// The status of a short name as the rule table has it: "INVALID_PARAMETER", "ALLOCATION_CLOSED".
std::optional<NtStatus> FindStatus(std::string_view short_name);

// True when a recorded status confirms a prediction: they are equal, or the prediction is one of the finer names for a bad
// allocation handle and the record is any of these or STATUS_INVALID_PARAMETER.
bool ConfirmsPrediction(uint32_t recorded, NtStatus predicted);

}  // namespace dp2trace::kmt
