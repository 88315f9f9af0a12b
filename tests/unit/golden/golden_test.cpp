#include "golden/golden.h"

#include <doctest/doctest.h>

#include <string>

#include "support/test_folder.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using golden::GoldenStatus;

TEST_CASE("GoldenStatus: names lead back, and only three statuses pass") {
  for (size_t i = 0; i < golden::kGoldenStatusCount; ++i) {
    const auto status = static_cast<GoldenStatus>(i);
    CAPTURE(golden::Name(status));
    CHECK(golden::FindGoldenStatus(golden::Name(status)) == status);
    const bool passes = status == GoldenStatus::kMatch || status == GoldenStatus::kSkipped ||
                        status == GoldenStatus::kExpectedFail;
    CHECK(golden::IsFailure(status) == !passes);
  }
  CHECK(golden::Name(GoldenStatus::kExpired) == "expired");
  CHECK_FALSE(golden::FindGoldenStatus("fine").has_value());
}

TEST_CASE("GoldenStatus: every rank once, and the page has them in that order") {
  const auto statuses = golden::StatusesByRank();
  CHECK(statuses.front() == GoldenStatus::kCrash);
  CHECK(statuses.back() == GoldenStatus::kMatch);
  for (size_t i = 0; i < statuses.size(); ++i)
    CHECK(golden::Info(statuses[i]).rank == i);
}

TEST_CASE("GoldenStatus: README has a row for each") {
  const std::string page = testing::ReadText(DP2TRACE_SOURCE_DIR "/lib/golden/README.md");
  std::string rows = "| status | passes | says |\n| --- | --- | --- |\n";
  for (size_t i = 0; i < golden::kGoldenStatusCount; ++i) {
    const auto status = static_cast<GoldenStatus>(i);
    rows += "| `" + std::string(golden::Name(status)) + "` | " +
            (golden::IsFailure(status) ? "" : "yes ") + "| " +
            std::string(golden::Info(status).says) + " |\n";
  }
  CHECK(page.find(rows) != std::string::npos);
}

TEST_CASE("IsPlainPath: nothing leads out of the folder") {
  for (const char* const path : {"a", "a/b.json", "..a/b", "a/...", "a b"})
    CHECK(golden::IsPlainPath(path));
  for (const char* const path : {"", "/a", "a/", "a//b", ".", "..", "../a", "a/..", "a/./b"}) {
    CAPTURE(path);
    CHECK_FALSE(golden::IsPlainPath(path));
  }
}

TEST_CASE("ImageKey: kind first, then number, slice and stencil") {
  const golden::ImageKey frame{replay::ImageKind::kFrame, 2, {}, false};
  const golden::ImageKey stencil{replay::ImageKind::kFrame, 2, {}, true};
  const golden::ImageKey read{replay::ImageKind::kRead, 1, 3, false};
  CHECK(frame < stencil);
  CHECK(stencil < read);
  CHECK(golden::NameOf(stencil) == "frame 2 stencil");
  CHECK(golden::NameOf(read) == "read 1 slice 3");
}
