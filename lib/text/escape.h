// Text inside of the forms that continuous integration reads. What Plain() (base/plain_text.h) escapes is written so in all of them, but
// for the line ends that the form has.
#pragma once

#include <string>
#include <string_view>

namespace dp2trace::text {

// Text and attribute values of XML 1.0; the two noncharacters that it cannot hold become '?'.
std::string EscapeXml(std::string_view text);
// The message of a workflow command of GitHub Actions, or one of its properties.
std::string EscapeCommand(std::string_view text, bool is_property);
// A cell of a Markdown table: nothing in it is markup.
std::string EscapeCell(std::string_view text);

}  // namespace dp2trace::text
