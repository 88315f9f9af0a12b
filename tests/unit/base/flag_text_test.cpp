#include "base/flag_text.h"

#include <doctest/doctest.h>

#include <limits>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr EnumValue kRows[] = {{"A", 1}, {"B", 2}, {"C", 8}};
constexpr EnumInfo kFlagNames = {"E", true, kRows};

}  // namespace

TEST_CASE("FlagsText: names what it can, the rest is one number") {
  CHECK(FlagsText(kFlagNames, 0) == "0");
  CHECK(FlagsText(kFlagNames, 3) == "A|B");
  CHECK(FlagsText(kFlagNames, 0x39) == "A|C|0x30");
  CHECK(FlagsText(kFlagNames, 4) == "0x4");
}

TEST_CASE("ValueText: the name and the number of a value") {
  CHECK(ValueText(kFlagNames, 8) == "C (8)");
  CHECK(ValueText(kFlagNames, 7) == "7");
  CHECK(AllValuesText(kFlagNames) == "A (1), B (2) or C (8)");
}

TEST_CASE("ValueRangesText: runs of numbers are ranges") {
  CHECK(ValueRangesText(kFlagNames, [](uint32_t) { return true; }) == "A (1) to B (2), C (8)");
  CHECK(ValueRangesText(kFlagNames, [](uint32_t value) { return value != 1; }) == "B (2), C (8)");
  CHECK(ValueRangesText(kFlagNames, [](uint32_t) { return false; }).empty());
}

TEST_CASE("RealText: a NaN has no sign, an infinity has") {
  CHECK(RealText(0.5F) == "0.5");
  CHECK(RealText(-std::numeric_limits<float>::quiet_NaN()) == "NaN");
  CHECK(RealText(-std::numeric_limits<float>::infinity()) == "-infinity");
}
