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

// What people write who take JSON for JavaScript, at byte `at`, with its remedy: a comment, a comma after the last element. Empty for
// anything else.
std::string DescribeHabit(std::string_view text, size_t at);

}  // namespace dp2trace::json
