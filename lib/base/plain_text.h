// Text of an input, a file name or an argument where people and programs read lines: a terminal, the log of a CI system, a report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dp2trace {

// Bytes of the well-formed sequence at the start of `text`, which is not empty; 0: there is none (RFC 3629).
size_t Utf8Length(std::string_view text);

// The text as UTF-8 on one line that does nothing but be read. Written as escapes: control characters, line and paragraph separators and
// marks of the direction of writing ("\n", "\u001b", "\u202e"), bytes that are not UTF-8 ("\xff"), and the starts of commands to CI systems
// ("::" before everything else, "##[" and "##vso["). A text without these stays as it is, and so does one that has been through here.
std::string Plain(std::string_view text);
void AppendPlain(std::string& out, std::string_view text);
// Appends the first character of a text that is not empty, as AppendPlain() does inside of a line. Returns its bytes.
size_t AppendPlainCharacter(std::string& out, std::string_view text);

// The same, at most about so many characters, and then "...": for keys and values that are quoted in messages.
std::string PlainStart(std::string_view text, size_t max_size = 80);

// "1 trace", "2 traces": the plural of the noun ends in s.
std::string Counted(uint64_t count, std::string_view noun);
// An unsigned coordinate that somebody has computed below zero: "-8" for 4294967288; "7" for 7.
std::string CoordinateText(uint32_t value);
// A number of a state that counts something: "300"; in hexadecimal from 65,536 on, where it is more likely made of bits.
std::string NumberText(uint32_t value);

// What a trace has of something that is numbered from 1: "the trace has frames 1 to 3", of the noun "frame" and their number.
std::string RangeOf(std::string_view noun, uint64_t count);
// "there is no frame 9; the trace has frames 1 to 3".
std::string AbsenceOf(std::string_view noun, uint64_t number, uint64_t count);

// The name of a file as UTF-8, for forms that are: a byte that is not becomes "\xff" as above, and a backslash before what looks like such
// an escape "\x5c". Any other name stays as it is.
std::string EncodeName(std::string_view name);
// The name that was encoded so.
std::string DecodeName(std::string_view text);

}  // namespace dp2trace
