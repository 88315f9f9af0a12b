#include "image/small_text.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace dp2trace::image;  // NOLINT(google-build-using-namespace): test file

namespace {

// The pixels of a text, rows separated by '/'.
std::string Drawn(std::string_view text, uint32_t width = 8) {
  Picture picture(width, kLetterHeight);
  DrawSmallText(picture, 0, 0, text, {255, 255, 255, 255}, 1);
  std::string rows;
  for (uint32_t y = 0; y < kLetterHeight; ++y) {
    for (uint32_t x = 0; x < width; ++x)
      rows += picture.at(x, y)[0] != 0 ? '#' : '.';
    rows += '/';
  }
  return rows;
}

}  // namespace

TEST_CASE("DrawSmallText: letters and digits") {
  CHECK(Drawn("L7") == "#...###./#.....#./#.....#./#.....#./###...#./");
  CHECK(Drawn("h") == Drawn("H"));
  CHECK(Drawn(" ") == std::string("......../......../......../......../......../"));
}

TEST_CASE("DrawSmallText: all letters and digits look different") {
  std::set<std::string> seen;
  for (const char c : std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789. "))
    seen.insert(Drawn(std::string(1, c)));
  CHECK(seen.size() == 38);
}

TEST_CASE("DrawSmallText: what lies outside is not drawn") {
  CHECK(Drawn("HH", 5).substr(0, 6) == "#.#.#/");
}
