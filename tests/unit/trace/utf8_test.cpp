#include "trace/utf8.h"

#include <doctest/doctest.h>

#include <string>

using dp2trace::trace::IsUtf8;

TEST_CASE("UTF-8: accepts the ends of every range of the standard's table") {
  for (const char* text :
       {"", "a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "a\xC3\xA9z"}) {
    CAPTURE(text);
    CHECK(IsUtf8(text));
  }
  CHECK(IsUtf8(std::string_view("\0", 1)));
}

TEST_CASE("UTF-8: refuses overlong forms, surrogates, values that are too large, and pieces") {
  for (const char* text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE", "\xFF", "\xC3",
        "\xE2\x82", "\xF0\x9F\x8E", "\xC3z"}) {
    CHECK_FALSE(IsUtf8(text));
  }
}

TEST_CASE("UTF-8: a malformed byte is found at every place of a long text") {
  const std::string plain(29, 'a');
  CHECK(IsUtf8(plain));
  for (size_t i = 0; i < plain.size(); ++i) {
    CAPTURE(i);
    std::string text = plain;
    text[i] = '\x80';
    CHECK_FALSE(IsUtf8(text));
    text.replace(i, 1, "\xC3\xA9");
    CHECK(IsUtf8(text));
  }
}
