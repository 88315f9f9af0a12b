#include "kmt/flags.h"

#include <doctest/doctest.h>

using namespace dp2trace;       // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::kmt;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("ReservedMask: D3DKMT_RENDERFLAGS by profile") {
  CHECK(ReservedMask(kRenderFlags, OsProfile::kVista) == 0xFFFFFFE0);
  CHECK(ReservedMask(kRenderFlags, OsProfile::kWin7) == 0xFFFFFFC0);
  CHECK(ReservedMask(kRenderFlags, OsProfile::kWin8) == 0xFFFFFFC0);
  CHECK(ReservedMask(kRenderFlags, OsProfile::kWin10) == 0xFFFFFF80);
}

TEST_CASE("ReservedMask: the other flag words") {
  CHECK(ReservedMask(kCreateDeviceFlags, OsProfile::kWin7) == 0xFFFFFFFC);
  CHECK(ReservedMask(kCreateDeviceFlags, OsProfile::kWin10) == 0xFFFFFFF8);
  CHECK(ReservedMask(kCreateContextFlags, OsProfile::kVista) == 0xFFFFFFFC);
  CHECK(ReservedMask(kCreateContextFlags, 200) == 0xFFFFFFF0);
  CHECK(ReservedMask(kCreateContextFlags, OsProfile::kWin10) == 0xFFFFFFC0);
  CHECK(ReservedMask(kLockFlags, OsProfile::kWin10) == 0xFFFFF800);
  CHECK(ReservedMask(kSignalFlags, OsProfile::kWin7) == 0xFFFFFFFE);
}

TEST_CASE("Flag tables and their name lists agree") {
  for (const FlagTable* table : AllFlagTables()) {
    CAPTURE(table->name);
    CHECK_FALSE(table->rows.empty());
  }
  CHECK(NameOf(kRenderFlagNames, render_flag::kPresentRedirected) == "PresentRedirected");
  CHECK(NameOf(kPresentFlagNames, 0x2000) == "Rotate");
  CHECK(NameOf(kClientHintNames, 9) == "DX9");
  CHECK(kClientHintNames.values.size() == 21);
  CHECK(NameOf(kSyncTypeNames, 3) == "FENCE");
  CHECK(kRenderFlagNames.is_flags);
  CHECK_FALSE(kClientHintNames.is_flags);
}
