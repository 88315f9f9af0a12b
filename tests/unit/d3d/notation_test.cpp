#include "d3d/notation.h"

#include <doctest/doctest.h>

namespace dp2trace::d3d {

TEST_CASE("ColorText: alpha comes first") {
  CHECK(ColorText({0x20, 0x40, 0x60, 0xff}) == "#ff204060");
  CHECK(ColorText(0x01020304U) == "#01020304");
}

TEST_CASE("ParseColor: takes what ColorText writes, and a colour without alpha") {
  CHECK(ParseColor(ColorText(0x01a2B304U)) == 0x01a2b304U);
  CHECK(ParseColor("#204060") == 0xff204060U);
  for (const char* const text :
       {"", "#", "204060", "#20406", "#2040600", "#20406g", "#+04060", "#ff20406 "})
    CHECK_FALSE(ParseColor(text));
}

TEST_CASE("RectangleText: X,Y,WIDTH,HEIGHT of bounds") {
  CHECK(RectangleText(3, 4, 10, 6) == "3,4,7,2");
}

}  // namespace dp2trace::d3d
