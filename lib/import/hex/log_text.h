// The text of a log: what stands in front of its lines, and how it is encoded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dp2trace::import {

// UTF-16 as UTF-8, and neither with a byte order mark. Characters beyond ASCII in UTF-16 become '.'.
std::string PlainLog(std::string_view text);

// The line without what a log puts in front of it: priority, time, process and line number of DebugView, syslog, printk and serial loggers,
// level, thread and name of log4j, prompts of debuggers, quotes of x64dbg, and words that end in ':' , '|', '>' or ']'. The whole line where
// there is nothing of that.
std::string_view WithoutLogPrefix(std::string_view line);

// Without the blanks and tabs that it begins with.
std::string_view SkipBlanks(std::string_view text);
// Where in the line words end that may stand in front of a dump, "my driver says ", "zork-77~ ": something in them is not made of digits.
std::vector<size_t> PrefixEnds(std::string_view line);
// How much of the start of the line is as `prefix`, whatever its decimal numbers say; npos where it is not.
size_t MatchPrefix(std::string_view prefix, std::string_view line);

// A command that was typed after a prompt: "0: kd> db 12ff40".
bool IsTypedCommand(std::string_view line);

// "unsigned int x_len = 6;", as xxd -i writes after an array.
bool IsLengthOfArray(std::string_view line);
// Without what ends a statement of C.
std::string_view WithoutSemicolon(std::string_view line);

}  // namespace dp2trace::import
