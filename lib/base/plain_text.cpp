#include "base/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace dp2trace {
namespace {

// Of a well-formed sequence.
uint32_t CodePointOf(std::string_view sequence) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(sequence[i]); };
  if (sequence.size() == 1) return byte(0);
  uint32_t code = byte(0) & (0x7FU >> sequence.size());
  for (size_t i = 1; i < sequence.size(); ++i)
    code = code << 6 | (byte(i) & 0x3FU);
  return code;
}

// Characters that move what stands around them, or end the line.
bool IsUnruly(uint32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool is_separator = code == 0x2028 || code == 0x2029;
  const bool is_direction = code == 0x061C || code == 0x200E || code == 0x200F ||
                            (code >= 0x202A && code <= 0x202E) ||
                            (code >= 0x2066 && code <= 0x2069);
  return is_control || is_separator || is_direction;
}

void AppendEscape(std::string& out, uint32_t code) {
  if (code == '\n') {
    out += "\\n";
  } else if (code == '\t') {
    out += "\\t";
  } else if (code == '\r') {
    out += "\\r";
  } else {
    out += fmt::format("\\u{:04x}", code);
  }
}

void AppendByte(std::string& out, char byte) {
  out += fmt::format("\\x{:02x}", static_cast<uint8_t>(byte));
}

// "##[error]", "##vso[task.setvariable]", "##teamcity[...]": commands wherever they stand in a line.
bool StartsCommandInLine(std::string_view text) {
  if (!text.starts_with("##")) return false;
  const size_t end =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 2);
  return end != std::string_view::npos && text[end] == '[';
}

// "::error::": a command where only blanks are before it.
bool StartsCommand(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  return first != std::string_view::npos && text.substr(first).starts_with("::");
}

bool IsHexDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// "\x" and two digits.
bool StartsByteEscape(std::string_view text) {
  return text.size() >= 4 && text[0] == '\\' && text[1] == 'x' && IsHexDigit(text[2]) &&
         IsHexDigit(text[3]);
}

uint8_t DigitOf(char c) {
  return static_cast<uint8_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

}  // namespace

size_t Utf8Length(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  const size_t length = lead < 0x80   ? 1
                        : lead < 0xC2 ? 0
                        : lead < 0xE0 ? 2
                        : lead < 0xF0 ? 3
                        : lead < 0xF5 ? 4
                                      : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) > 0x9F;
  const bool beyond = lead == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

void AppendPlain(std::string& out, std::string_view text) {
  if (StartsCommand(text)) {
    const size_t colon = text.find(':');
    out.append(text, 0, colon);
    AppendEscape(out, ':');
    text.remove_prefix(colon + 1);
  }
  while (!text.empty())
    text.remove_prefix(AppendPlainCharacter(out, text));
}

size_t AppendPlainCharacter(std::string& out, std::string_view text) {
  const size_t length = Utf8Length(text);
  if (length == 0) {
    AppendByte(out, text[0]);
    return 1;
  }
  const uint32_t code = CodePointOf(text.substr(0, length));
  if (IsUnruly(code) || StartsCommandInLine(text)) {
    AppendEscape(out, code);
  } else {
    out.append(text, 0, length);
  }
  return length;
}

std::string Plain(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  AppendPlain(out, text);
  return out;
}

std::string PlainStart(std::string_view text, size_t max_size) {
  if (text.size() <= max_size) return Plain(text);
  while (max_size != 0 && (static_cast<uint8_t>(text[max_size]) & 0xC0) == 0x80)
    --max_size;  // whole characters
  return Plain(text.substr(0, max_size)) + "...";
}

std::string CoordinateText(uint32_t value) {
  return fmt::format("{}", static_cast<int32_t>(value));
}

std::string NumberText(uint32_t value) {
  return value <= UINT16_MAX ? fmt::format("{}", value) : fmt::format("{:#x}", value);
}

std::string Counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string RangeOf(std::string_view noun, uint64_t count) {
  return count == 0   ? fmt::format("the trace has no {}", noun)
         : count == 1 ? fmt::format("the trace has only {} 1", noun)
                      : fmt::format("the trace has {}s 1 to {}", noun, count);
}

std::string AbsenceOf(std::string_view noun, uint64_t number, uint64_t count) {
  return fmt::format("there is no {} {}; {}", noun, number, RangeOf(noun, count));
}

std::string EncodeName(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const size_t length = Utf8Length(name);
    if (length == 0 || StartsByteEscape(name)) {
      AppendByte(out, name[0]);
    } else {
      out.append(name, 0, length);
    }
    name.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

std::string DecodeName(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const bool is_escape = StartsByteEscape(text);
    out += is_escape ? static_cast<char>(DigitOf(text[2]) << 4 | DigitOf(text[3])) : text[0];
    text.remove_prefix(is_escape ? 4 : 1);
  }
  return out;
}

}  // namespace dp2trace
