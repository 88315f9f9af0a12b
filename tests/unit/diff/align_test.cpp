#include "diff/align.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "support/random.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using diff::OutlineHunk;
using diff::OutlineUnit;

namespace {

// A unit for each letter.
std::vector<OutlineUnit> UnitsOf(std::string_view letters) {
  std::vector<OutlineUnit> units;
  for (const char letter : letters)
    units.push_back({.hash = static_cast<uint64_t>(letter)});
  return units;
}

// "-b +x" for each letter that stands on one side only, in order.
std::string Script(std::string_view a, std::string_view b) {
  std::string script;
  for (const OutlineHunk& hunk : diff::Align(UnitsOf(a), UnitsOf(b))) {
    for (size_t i = hunk.a_begin; i < hunk.a_end; ++i)
      script += std::string("-") + a[i];
    for (size_t i = hunk.b_begin; i < hunk.b_end; ++i)
      script += std::string("+") + b[i];
  }
  return script;
}

// What a becomes by the hunks.
std::string Applied(std::string_view a, std::string_view b) {
  std::string result;
  size_t at = 0;
  for (const OutlineHunk& hunk : diff::Align(UnitsOf(a), UnitsOf(b))) {
    result += a.substr(at, hunk.a_begin - at);
    result += b.substr(hunk.b_begin, hunk.b_end - hunk.b_begin);
    at = hunk.a_end;
  }
  return result + std::string(a.substr(at));
}

}  // namespace

TEST_CASE("alignment: what was put in, taken out and replaced is all that differs") {
  CHECK(Script("abcdef", "abcdef").empty());
  CHECK(Script("abcdef", "abxcdef") == "+x");
  CHECK(Script("abcdef", "abdef") == "-c");
  CHECK(Script("abcdef", "abcxef") == "-d+x");
  CHECK(Script("", "ab") == "+a+b");
  CHECK(Script("ab", "") == "-a-b");
}

TEST_CASE("alignment: among units that repeat the shortest script is found") {
  CHECK(Script("aaaaaaaa", "aaaaaaa").size() == 2);
  CHECK(Script("abababab", "ababbab").size() == 2);
  CHECK(Script("aabbaabb", "aabbxaabb") == "+x");
}

TEST_CASE("alignment: the hunks make b of a, whatever they are") {
  testing::Random random(3);
  for (int round = 0; round < 2000; ++round) {
    std::string a;
    std::string b;
    const auto letters = static_cast<uint32_t>(2 + random.Below(20));
    for (uint64_t i = random.Below(40); i > 0; --i)
      a += static_cast<char>('a' + random.Below(letters));
    for (const char letter : a) {
      const uint64_t change = random.Below(6);
      if (change != 0) b += letter;
      if (change == 1) b += static_cast<char>('a' + random.Below(letters));
    }
    CAPTURE(a);
    CAPTURE(b);
    CHECK(Applied(a, b) == b);
  }
}

TEST_CASE("alignment: where all differs the stretch is one hunk, soon") {
  std::vector<OutlineUnit> a;
  std::vector<OutlineUnit> b;
  for (uint64_t i = 0; i < 200000; ++i) {
    a.push_back({.hash = i % 7});
    b.push_back({.hash = 100 + i % 5});
  }
  const std::vector<OutlineHunk> hunks = diff::Align(a, b);
  REQUIRE(hunks.size() == 1);
  CHECK(hunks[0].a_end == a.size());
  CHECK(hunks[0].b_end == b.size());
}
