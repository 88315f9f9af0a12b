#include "trace/compression.h"

#include <doctest/doctest.h>

#include <vector>

using namespace dp2trace;         // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::trace;  // NOLINT(google-build-using-namespace): test file

namespace {

std::vector<uint8_t> Unpacked(const std::vector<uint8_t>& stored, size_t size) {
  std::vector<uint8_t> out(size, 0xEE);
  out.resize(DecompressRuns(stored, out));
  return out;
}

}  // namespace

TEST_CASE("Runs: words that stand alone, words that repeat, and the bytes after them") {
  using Out = std::vector<uint8_t>;
  CHECK(Unpacked({}, 0) == Out{});
  CHECK(Unpacked({9, 8, 7}, 3) == Out{9, 8, 7});
  CHECK(Unpacked({0, 1, 2, 3, 4}, 4) == Out{1, 2, 3, 4});
  CHECK(Unpacked({1, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 9) == Out{1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(Unpacked({129, 1, 2, 3, 4}, 12) == Out{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4});
  CHECK(Unpacked({255, 1, 1, 1, 1}, 516) == Out(516, 1));
}

TEST_CASE("Runs: what is cut is known as far as it goes, what does not fit is refused") {
  using Out = std::vector<uint8_t>;
  CHECK(Unpacked({1, 1, 2, 3, 4, 5, 6}, 8) == Out{1, 2, 3, 4, 5, 6});
  CHECK(Unpacked({0, 1, 2, 3, 4, 129, 1, 2}, 16) == Out{1, 2, 3, 4});
  CHECK(Unpacked({0, 1, 2, 3, 4}, 8) == Out{1, 2, 3, 4});
  CHECK(Unpacked({130, 1, 2, 3, 4}, 12).size() < 12);
  CHECK(Unpacked({0, 1, 2, 3, 4, 5}, 4).size() < 4);
}
