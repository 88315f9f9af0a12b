// The line of a text in which something is wrong.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace dp2trace::json {

// The line around byte `at` of the text, with a mark under that byte: up to 48 characters on each side of it. Where the line is cut, "..."
// stands.
void ExcerptLine(std::string_view text, size_t at, Excerpt& excerpt);

// What people write who take JSON for JavaScript or Python, at byte `at`, with its remedy: a comment, a comma after the last element, True, 0x1f.
// Empty for anything else.
std::string DescribeHabit(std::string_view text, size_t at);

// Where the word, number or string begins whose last byte is at `at`; `at` itself for anything else.
size_t BeginOfToken(std::string_view text, size_t at);
// Whether a comma is missing before the token that begins at `at`, where one would be legal.
bool LacksComma(std::string_view text, size_t at);

}  // namespace dp2trace::json
