#include "kmt/ntstatus.h"

#include <doctest/doctest.h>

using namespace dp2trace;       // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::kmt;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("IsSuccess: the sign decides, and the old DRIVER_MISMATCH is a failure") {
  CHECK(IsSuccess(0));
  CHECK(IsSuccess(0x103));
  CHECK(IsSuccess(0x7FFFFFFF));
  CHECK_FALSE(IsSuccess(0x80000000));
  CHECK_FALSE(IsSuccess(0xC000000D));
  CHECK_FALSE(IsSuccess(0x401E0117));
}

TEST_CASE("StatusName: known values have a name, others have none") {
  CHECK(StatusName(0) == "STATUS_SUCCESS");
  CHECK(StatusName(0xC01E0106) == "STATUS_GRAPHICS_ALLOCATION_INVALID");
  CHECK(StatusName(0x401E0117) == "STATUS_GRAPHICS_DRIVER_MISMATCH");
  CHECK(StatusName(0xC0001234).empty());
}

TEST_CASE("ConfirmsPrediction: bad allocation handles are one family") {
  CHECK(ConfirmsPrediction(0xC0000008, NtStatus::kAllocationClosed));
  CHECK(ConfirmsPrediction(0xC000000D, NtStatus::kWrongAllocationDevice));
  CHECK_FALSE(ConfirmsPrediction(0xC0000008, NtStatus::kInvalidParameter));
  CHECK_FALSE(ConfirmsPrediction(0, NtStatus::kInvalidHandle));
  CHECK(ConfirmsPrediction(0xC00000E8, NtStatus::kInvalidUserBuffer));
}
