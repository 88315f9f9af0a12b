// The words of a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dp2trace {

// What stands between blanks, tabs and carriage returns; views of the text.
std::vector<std::string_view> SplitWords(std::string_view text);

// With A to Z as a to z, whatever the language of the system.
std::string InLowerCase(std::string_view text);

}  // namespace dp2trace
