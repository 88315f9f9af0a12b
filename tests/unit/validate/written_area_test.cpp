#include "validate/written_area.h"

#include <doctest/doctest.h>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using image::Area;
using validate::WrittenArea;

namespace {

constexpr Area kWhole = {0, 0, 64, 64};

}  // namespace

TEST_CASE("WrittenArea: boxes side by side cover what they make together") {
  WrittenArea written;
  CHECK(written.empty());
  written.Add({0, 0, 32, 32}, kWhole);
  CHECK_FALSE(written.empty());
  CHECK(written.Covers({4, 4, 32, 32}));
  CHECK_FALSE(written.Covers({4, 4, 33, 32}));
  CHECK(written.Covers({40, 0, 40, 32}));  // nothing
  written.Add({32, 0, 64, 32}, kWhole);
  CHECK(written.Covers({0, 0, 64, 32}));
  CHECK_FALSE(written.Covers(kWhole));
  written.Add({0, 32, 40, 64}, kWhole);
  written.Add({30, 16, 64, 64}, kWhole);
  CHECK(written.Covers(kWhole));
}

TEST_CASE("WrittenArea: a hole is one, and what is outside of the level does not count") {
  WrittenArea written;
  for (const Area& box :
       {Area{0, 0, 64, 10}, Area{0, 0, 10, 64}, Area{12, 10, 64, 64}, Area{10, 12, 64, 64}})
    written.Add(box, kWhole);
  CHECK_FALSE(written.Covers(kWhole));
  CHECK_FALSE(written.Covers({10, 10, 12, 12}));
  CHECK(written.Covers({12, 10, 13, 12}));
  written.Add({70, 0, 80, 64}, kWhole);
  written.Add({5, 5, 5, 9}, kWhole);
  CHECK_FALSE(written.Covers(kWhole));
  written.Add({10, 10, 12, 12}, kWhole);
  CHECK(written.Covers(kWhole));
}

TEST_CASE("WrittenArea: more than 64 boxes that lie apart count as all") {
  WrittenArea written;
  const Area line = {0, 0, 1000, 1};
  for (uint32_t i = 0; i < 64; ++i)
    written.Add({4 * i, 0, 4 * i + 2, 1}, line);
  CHECK_FALSE(written.Covers(line));
  written.Add({999, 0, 1000, 1}, line);
  CHECK(written.Covers(line));
}
