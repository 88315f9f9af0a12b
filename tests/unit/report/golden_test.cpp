#include "report/golden.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using report::GoldenStatus;

TEST_CASE("GoldenStatus: names lead back, and only three statuses pass") {
  for (size_t i = 0; i < report::kGoldenStatusCount; ++i) {
    const auto status = static_cast<GoldenStatus>(i);
    CAPTURE(report::Name(status));
    CHECK(report::FindGoldenStatus(report::Name(status)) == status);
    const bool passes = status == GoldenStatus::kMatch || status == GoldenStatus::kSkipped ||
                        status == GoldenStatus::kExpectedFail;
    CHECK(report::IsFailure(status) == !passes);
  }
  CHECK(report::Name(GoldenStatus::kExpired) == "expired");
  CHECK_FALSE(report::FindGoldenStatus("fine").has_value());
}

TEST_CASE("IsPlainPath: nothing leads out of the folder") {
  for (const char* const path : {"a", "a/b.json", "..a/b", "a/...", "a b"})
    CHECK(report::IsPlainPath(path));
  for (const char* const path : {"", "/a", "a/", "a//b", ".", "..", "../a", "a/..", "a/./b"}) {
    CAPTURE(path);
    CHECK_FALSE(report::IsPlainPath(path));
  }
}

TEST_CASE("ImageKey: kind first, then number, slice and stencil") {
  const report::ImageKey frame{replay::ImageKind::kFrame, 2, {}, false};
  const report::ImageKey stencil{replay::ImageKind::kFrame, 2, {}, true};
  const report::ImageKey read{replay::ImageKind::kRead, 1, 3, false};
  CHECK(frame < stencil);
  CHECK(stencil < read);
  CHECK(report::NameOf(stencil) == "frame 2 stencil");
  CHECK(report::NameOf(read) == "read 1 slice 3");
}
