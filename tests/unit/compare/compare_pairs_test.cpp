#include "compare/compare_pairs.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "image/png.h"
#include "rules/rule.h"
#include "support/test_folder.h"

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::compare;  // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::testing;  // NOLINT(google-build-using-namespace): test file

namespace {

// A picture of one pixel on disk.
std::string WriteRed(const TestFolder& folder, const std::string& name, uint8_t red) {
  image::Picture picture(1, 1);
  picture.rgba = {red, 2, 3, 255};
  REQUIRE(image::WritePng(folder / name, picture).ok());
  return folder / name;
}

}  // namespace

TEST_CASE("ComparePair: equal, different, missing, extra") {
  const TestFolder folder;
  const std::string a = WriteRed(folder, "a.png", 1);
  const std::string b = WriteRed(folder, "b.png", 1);
  const std::string c = WriteRed(folder, "c.png", 9);
  CHECK(ComparePair({"x", a, b}, {}).state == PairState::kEqual);
  const PairResult different = ComparePair({"x", a, c}, {});
  CHECK(different.state == PairState::kDifferent);
  CHECK(different.comparison.beyond.differing_pixels == 1);
  CHECK(different.difference_file.empty());
  CHECK(ComparePair({"x", a, ""}, {}).state == PairState::kMissing);
  CHECK(ComparePair({"x", "", a}, {}).state == PairState::kExtra);
  CHECK(ComparePair({"x", a, folder / "none.png"}, {}).state == PairState::kMissing);
  CHECK(ComparePair({"x", folder / "none.png", a}, {}).state == PairState::kExtra);
  CHECK(Name(PairState::kUnreadable) == "unreadable");
  CHECK(Name(PairState::kAccepted) == "accepted");
}

TEST_CASE("ComparePair: what the tolerance and the number of pixels allow") {
  const TestFolder folder;
  const std::string a = WriteRed(folder, "a.png", 1);
  const std::string c = WriteRed(folder, "c.png", 9);
  CHECK(ComparePair({"x", a, c}, {}, {.loose = {.tolerance = 7}}).state == PairState::kDifferent);
  const PairResult equal = ComparePair({"x", a, c}, {}, {.loose = {.tolerance = 8}});
  CHECK(equal.state == PairState::kEqual);
  CHECK(equal.comparison.tolerated_pixels == 1);
  CHECK(ComparePair({"x", a, c}, {}, {.max_pixels = 1}).state == PairState::kAccepted);
  REQUIRE(image::WritePng(folder / "wide.png", image::Picture(2, 1)).ok());
  CHECK(ComparePair({"x", a, folder / "wide.png"}, {}, {.max_pixels = 9}).state ==
        PairState::kDifferent);
}

TEST_CASE(
    "ComparePair: the difference picture goes where it is wanted, into folders that it makes") {
  const TestFolder folder;
  const std::string a = WriteRed(folder, "a.png", 1);
  const std::string c = WriteRed(folder, "c.png", 9);
  const PairResult result = ComparePair({"x", a, c}, {folder / "deep/er/d.png", true});
  CHECK(result.difference_file == folder / "deep/er/d.png");
  CHECK(std::filesystem::exists(result.difference_file));
  CHECK(result.failures.empty());
}

TEST_CASE("ComparePair: a file that cannot be read or written is a failure that names it") {
  const TestFolder folder;
  const std::string a = WriteRed(folder, "a.png", 1);
  const std::string c = WriteRed(folder, "c.png", 9);
  WriteText(folder / "bad.png", "no picture");
  const PairResult unreadable = ComparePair({"x", a, folder / "bad.png"}, {});
  CHECK(unreadable.state == PairState::kUnreadable);
  REQUIRE(unreadable.failures.size() == 1);
  CHECK(unreadable.failures[0].second.diagnostic().rule == Rule::kIo002);
  CHECK(unreadable.failures[0].first == folder / "bad.png");
  const PairResult unwritten = ComparePair({"x", a, c}, {folder / "none/d.png", false});
  CHECK(unwritten.state == PairState::kDifferent);
  REQUIRE(unwritten.failures.size() == 1);
  CHECK(unwritten.failures[0].first == folder / "none/d.png");
}

TEST_CASE("ComparePair: a region outside of both pictures compares nothing") {
  const TestFolder folder;
  const std::string a = WriteRed(folder, "a.png", 1);
  const std::string c = WriteRed(folder, "c.png", 9);
  const PairOptions outside = {.loose = {.region = image::Region{1, 0, 5, 5}}};
  const PairResult result = ComparePair({"x", a, c}, {folder / "d.png", false}, outside);
  CHECK(result.state == PairState::kOutside);
  CHECK(result.difference_file.empty());
  REQUIRE(image::WritePng(folder / "wide.png", image::Picture(2, 1)).ok());
  // One of them has pixels there.
  CHECK(ComparePair({"x", a, folder / "wide.png"}, {}, outside).state == PairState::kDifferent);
}
