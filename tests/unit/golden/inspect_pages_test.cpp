#include "golden/inspect_pages.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "golden/trace_list.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

golden::ImageResult Image(replay::ImageKind kind, uint64_t sequence, uint64_t event = 0) {
  golden::ImageResult image;
  image.key.kind = kind;
  image.key.sequence = sequence;
  image.event = event;
  return image;
}

// Keeps what is asked of it.
struct Made {
  golden::PageMaker Maker(bool shows_any_frame = false) {
    return {[](const std::string&, uint64_t event) { return std::optional(event / 10); },
            [this](const golden::PageRequest& page) -> Result<std::string> {
              pages.push_back(page.page);
              return page.page + "/index.html";
            },
            [this](std::string_view note) { notes.emplace_back(note); }, shows_any_frame};
  }
  std::vector<std::string> pages, notes;
};

}  // namespace

TEST_CASE("InspectPages: a page for each frame, up to the limit") {
  const TestFolder folder;
  WriteText(folder / "a.json", R"([{"event":"header"}])");
  golden::TraceResult result;
  result.path = "a.json";
  result.hash = *golden::HashOfTrace(folder / "a.json");
  Made made;
  golden::InspectPages pages(folder / "", 2, made.Maker());
  const std::string first = "inspect/" + result.hash + "-1";
  CHECK(*pages.Add("report", result, Image(replay::ImageKind::kFrame, 1)) ==
        first + "/index.html#f=1");
  CHECK(*pages.Add("report", result, Image(replay::ImageKind::kDraw, 7, 15)) ==
        first + "/index.html#f=1");
  CHECK(pages.Add("report", result, Image(replay::ImageKind::kFrame, 2))->ends_with("#f=2"));
  CHECK(pages.left_out() == 0);
  CHECK(pages.Add("report", result, Image(replay::ImageKind::kFrame, 3))->empty());
  CHECK(pages.left_out() == 1);
  CHECK(made.pages.size() == 2);
  CHECK(made.notes.empty());
}

TEST_CASE("InspectPages: one page for each trace, where a page shows any frame") {
  const TestFolder folder;
  WriteText(folder / "a.json", R"([{"event":"header"}])");
  golden::TraceResult result;
  result.path = "a.json";
  result.hash = *golden::HashOfTrace(folder / "a.json");
  Made made;
  golden::InspectPages pages(folder / "", 1, made.Maker(true));
  const std::string page = "inspect/" + result.hash + "/index.html";
  CHECK(*pages.Add("report", result, Image(replay::ImageKind::kFrame, 1)) == page + "#f=1");
  CHECK(*pages.Add("report", result, Image(replay::ImageKind::kDraw, 7, 25)) == page + "#f=2");
  CHECK(made.pages.size() == 1);
  CHECK(pages.left_out() == 0);
}

TEST_CASE("InspectPages: another trace than the one that was checked has none") {
  const TestFolder folder;
  WriteText(folder / "a.json", R"([{"event":"header"}])");
  golden::TraceResult result;
  result.path = "a.json";
  Made made;
  golden::InspectPages pages(folder / "", 2, made.Maker());
  CHECK(pages.Add("report", result, Image(replay::ImageKind::kFrame, 1))->empty());
  CHECK(pages.Add("report", result, Image(replay::ImageKind::kFrame, 2))->empty());
  REQUIRE(made.notes.size() == 1);
  CHECK(made.notes[0].ends_with(
      "it is not the trace that was checked: its frames cannot be inspected"));
}
