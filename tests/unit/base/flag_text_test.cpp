#include "base/flag_text.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr EnumValue kRows[] = {{"A", 1}, {"B", 2}, {"C", 8}};
constexpr EnumInfo kNames = {"E", true, kRows};

}  // namespace

TEST_CASE("FlagsText: names what it can, the rest is one number") {
  CHECK(FlagsText(kNames, 0) == "0");
  CHECK(FlagsText(kNames, 3) == "A|B");
  CHECK(FlagsText(kNames, 0x39) == "A|C|0x30");
  CHECK(FlagsText(kNames, 4) == "0x4");
}

TEST_CASE("ValueText: the name and the number of a value") {
  CHECK(ValueText(kNames, 8) == "C (8)");
  CHECK(ValueText(kNames, 7) == "7");
  CHECK(AllValuesText(kNames) == "A (1), B (2) or C (8)");
}

TEST_CASE("ValueRangesText: runs of numbers are ranges") {
  CHECK(ValueRangesText(kNames, [](uint32_t) { return true; }) == "A (1) to B (2), C (8)");
  CHECK(ValueRangesText(kNames, [](uint32_t value) { return value != 1; }) == "B (2), C (8)");
  CHECK(ValueRangesText(kNames, [](uint32_t) { return false; }).empty());
}
