#include "base/plain_text.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

bool IsWellFormed(std::string_view text) {
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

TEST_CASE("RangeOf, AbsenceOf: none, one, several") {
  CHECK(RangeOf("frame", 0) == "the trace has no frame");
  CHECK(RangeOf("frame", 1) == "the trace has only frame 1");
  CHECK(AbsenceOf("frame", 9, 3) == "there is no frame 9; the trace has frames 1 to 3");
}

TEST_CASE("Counted: one, and the plural of any other number") {
  CHECK(Counted(0, "trace") == "0 traces");
  CHECK(Counted(1, "trace") == "1 trace");
  CHECK(Counted(2, "trace") == "2 traces");
}

}  // namespace

TEST_CASE("CoordinateText, NumberText: below zero, and bits") {
  CHECK(CoordinateText(7) == "7");
  CHECK(CoordinateText(4294967288) == "-8");
  CHECK(NumberText(300) == "300");
  CHECK(NumberText(65535) == "65535");
  CHECK(NumberText(65536) == "0x10000");
}

TEST_CASE("Plain: an ordinary text stays as it is") {
  for (const char* text :
       {"", "a b", "gr\xC3\xBC\xC3\x9F", "C:\\traces\\a.dp2t", "100 % of [x]", "a::b", "# title",
        "## title", "\xE2\x82\xAC \xF0\x9F\x98\x80", "\\x41"}) {
    CAPTURE(text);
    CHECK(Plain(text) == text);
  }
}

TEST_CASE("Plain: what steers a terminal or a CI system is written as an escape") {
  CHECK(Plain("\x1b]0;owned\a") == "\\u001b]0;owned\\u0007");
  CHECK(Plain("a\nb\rc\td") == "a\\nb\\rc\\td");
  CHECK(Plain(std::string_view("a\0b", 3)) == "a\\u0000b");
  CHECK(Plain("\x7f\xC2\x9B") == "\\u007f\\u009b");
  CHECK(Plain("a\xE2\x80\xAE"
              "b\xE2\x80\xA8"
              "c\xE2\x81\xA6") == "a\\u202eb\\u2028c\\u2066");
  CHECK(Plain("\xD8\x9C\xE2\x80\x8F") == "\\u061c\\u200f");
  CHECK(Plain("::error file=a::b") == "\\u003a:error file=a::b");
  CHECK(Plain("  ::error::b") == "  \\u003a:error::b");
  CHECK(Plain("a ##[error]b ##vso[task]c") == "a \\u0023#[error]b \\u0023#vso[task]c");
}

TEST_CASE("Plain: bytes that are not UTF-8 are shown by their number") {
  CHECK(Plain("a\xFF\xC3z") == "a\\xff\\xc3z");
  CHECK(Plain("\xED\xA0\x80") == "\\xed\\xa0\\x80");
  CHECK(Plain("\xC0\x80\xF5") == "\\xc0\\x80\\xf5");
}

TEST_CASE("Plain: twice is once, and any bytes become one line of UTF-8") {
  uint32_t state = 1;
  const std::string_view pieces[] = {"::", " ",    "##",   "[",    "\n",       "\x1b", "\\", "x",
                                     "ff", "\xFF", "\xC2", "\x9B", "\xE2\x80", "\xAE", "a"};
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (int i = 0; i < 8; ++i) {
      state = state * 1664525 + 1013904223;
      text += pieces[(state >> 16) % std::size(pieces)];
    }
    CAPTURE(text);
    const std::string plain = Plain(text);
    CHECK(Plain(plain) == plain);
    CHECK(plain.find_first_of("\n\x1b") == std::string::npos);
    CHECK(plain.find("##[") == std::string::npos);
    CHECK(IsWellFormed(plain));
    CHECK(IsWellFormed(EncodeName(text)));
    CHECK(DecodeName(EncodeName(text)) == text);
  }
}

TEST_CASE("EncodeName: a name that is UTF-8 stays, unless it looks like an encoded one") {
  CHECK(EncodeName("gr\xC3\xBC\xC3\x9F.json") == "gr\xC3\xBC\xC3\x9F.json");
  CHECK(EncodeName("a\\b\nc") == "a\\b\nc");
  CHECK(EncodeName("\xFF.json") == "\\xff.json");
  CHECK(EncodeName("\\xff.json") == "\\x5cxff.json");
  CHECK(DecodeName("\\x5cxff.json") == "\\xff.json");
  CHECK(DecodeName("\\xfg") == "\\xfg");
}

TEST_CASE("PlainStart: cut between characters") {
  CHECK(PlainStart("abc", 3) == "abc");
  CHECK(PlainStart("abcd", 3) == "abc...");
  CHECK(PlainStart("ab\xC3\xBC", 3) == "ab...");
  CHECK(PlainStart(std::string(700000, 'k')).size() < 100);
}
