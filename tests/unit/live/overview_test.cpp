#include "live/overview.h"

#include <doctest/doctest.h>

#include "inspect_run.h"
#include "live/trace_feed.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// Of a trace whose frames have so many clears each, in one event.
class PlayedOverview {
 public:
  explicit PlayedOverview(const std::vector<int>& frames) {
    std::string text = "[\n{\"event\":\"header\"},\n" + std::string(kTarget);
    std::string_view separator;
    for (const int count : frames) {
      std::string clears = Clear("0xFF102030");
      for (int i = 1; i < count; ++i)
        clears += "," + Clear("0xFF405060");
      text.append(separator).append(Call(clears) + "," + std::string(kPresent));
      separator = ",";
    }
    WriteText(feed_.path(), text + "]\n");
    Status status;
    overview_.emplace(feed_.Open(nullptr, status), play::Options{.validation = {}, .raster = {}},
                      keyframes_, watch);
    REQUIRE(status.ok());
  }
  live::Overview& operator*() { return *overview_; }

  live::Watch watch;

 private:
  TestFolder folder_;
  live::TraceFeed feed_{folder_ / "trace.json", 1 << 24, watch};
  live::Keyframes keyframes_{1 << 20};
  std::optional<live::Overview> overview_;
};

}  // namespace

TEST_CASE("Overview: cancelled after a short event it goes on") {
  PlayedOverview overview({2, 3});
  overview.watch.Cancel();
  CHECK_FALSE((*overview).Advance().ok());
  CHECK_FALSE((*overview).is_broken());
  CHECK((*overview).frames().empty());
  overview.watch.Start();
  while (!(*overview).is_complete())
    REQUIRE((*overview).Advance().ok());
  REQUIRE((*overview).frames().size() == 2);
  CHECK((*overview).frames()[1].draws == 3);
}

TEST_CASE("Overview: cancelled inside of a long event it is broken") {
  PlayedOverview overview({2000});
  // The header and the target come before it.
  overview.watch.Cancel();
  while (!(*overview).is_broken()) {
    REQUIRE_FALSE((*overview).is_complete());
    const Status status = (*overview).Advance();
    REQUIRE_FALSE(status.ok());
    CHECK(status.diagnostic().message == "it was cancelled");
  }
  CHECK((*overview).status().ok());
  CHECK((*overview).frames().empty());
}

TEST_CASE("Overview: a picture of the film strip has the means of whole squares") {
  image::Picture picture(321, 4);
  for (uint32_t x = 0; x < picture.width; ++x) {
    for (uint32_t y = 0; y < picture.height; ++y) {
      picture.at(x, y)[0] = static_cast<uint8_t>(x % 3 == 0 ? 30 : 0);
      picture.at(x, y)[3] = 255;
    }
  }
  const image::Picture small = live::Shrink(picture, 160, 120);
  CHECK(small.width == 107);
  CHECK(small.height == 2);  // a rest has its own mean
  for (uint32_t x = 0; x < small.width; ++x) {
    CHECK(small.at(x, 0)[0] == 10);
    CHECK(small.at(x, 1)[3] == 255);
  }
}

TEST_CASE("Overview: a small picture stays as it is") {
  image::Picture picture(160, 120);
  picture.at(159, 119)[1] = 7;
  CHECK(live::Shrink(picture, 160, 120) == picture);
}
