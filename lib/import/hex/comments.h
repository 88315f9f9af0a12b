// Comments in a text of hex dumps: those of C, and those that '#' or ';' begin after the bytes of a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dp2trace::import {

// The line without comments of C; a blank is in the place of each. `is_open`: the line begins in a comment, and after the call, ends in one.
std::string WithoutCComments(std::string_view line, bool& is_open);

// The text begins with "//", "/*", '#' or ';'.
bool BeginsComment(std::string_view text);

// Where the first comment of a line begins, or a word after two bytes or more: what follows is not data, and what stands in front of it is not the
// prefix of a log. The size of the line where there is none.
size_t CommentStart(std::string_view line);

// A line of a dump without its comments, and without what ends a statement of C. `wrong`: what is wrong with them; empty where nothing is.
std::string WithoutDumpComments(std::string_view line, std::string& wrong);

}  // namespace dp2trace::import
