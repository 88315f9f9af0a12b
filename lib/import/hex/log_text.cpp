#include "import/hex/log_text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "import/hex/comments.h"

namespace dp2trace::import {
namespace {

bool IsDecimal(char c) {
  return c >= '0' && c <= '9';
}
bool IsLogBlank(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

std::string_view SkipBlanks(std::string_view text) {
  while (!text.empty() && IsLogBlank(text.front()))
    text.remove_prefix(1);
  return text;
}

namespace {

// Digits and what numbers of times and processes are made of.
bool IsStamp(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return IsDecimal(c) || IsLogBlank(c) || c == '.' || c == ':' || c == ',' || c == '-' ||
           c == '/' || c == '+';
  }) && std::ranges::any_of(text, IsDecimal);
}

// "<7>", "[   12.345]", "[1234]", "[T12]".
std::string_view WithoutBracket(std::string_view text) {
  const char close = text.empty()          ? '\0'
                     : text.front() == '[' ? ']'
                     : text.front() == '<' ? '>'
                                           : '\0';
  const size_t end = close == '\0' ? std::string_view::npos : text.find(close);
  return end == std::string_view::npos ? text : SkipBlanks(text.substr(end + 1));
}

// Not "05:06:07:08", which may be bytes: a fourth number of a time has three digits.
bool IsClock(std::string_view date) {
  const auto colons = std::ranges::count(date, ':');
  return colons == 2 || (colons == 3 && date.size() - date.rfind(':') > 3);
}

// "12:34:56.789", "2026-11-25", "2026-11-25T12:34:56Z", and DebugView's number and seconds, which tabs end.
std::string_view WithoutTime(std::string_view text) {
  const size_t end = std::min(text.find_first_of(" \t"), text.size());
  std::string_view word = text.substr(0, end);
  while (!word.empty() && (word.back() == 'Z' || word.back() == ':'))
    word.remove_suffix(1);
  const size_t t = word.find('T');
  const std::string_view date = word.substr(0, std::min(t, word.size()));
  const bool has_mark =
      IsClock(date) || std::ranges::count(date, '-') == 2 || std::ranges::count(date, '/') == 2;
  const bool is_seconds =
      end < text.size() && text[end] == '\t' && std::ranges::count(word, '.') == 1;
  const bool is_time = IsStamp(date) && (has_mark || is_seconds) &&
                       (t == std::string_view::npos || IsStamp(word.substr(t + 1)));
  if (!is_time) return text;
  const std::string_view rest = SkipBlanks(text.substr(end));
  const bool is_half_day = IsClock(date) && rest.size() > 2 && IsLogBlank(rest[2]) &&
                           (rest.starts_with("AM") || rest.starts_with("PM"));
  return is_half_day ? SkipBlanks(rest.substr(2)) : rest;
}

// "00000012  3.14159265  [1234]" with its line number, seconds of eight decimals and process: DebugView where tabs have become blanks.
std::string_view WithoutColumns(std::string_view text) {
  constexpr size_t kDigits = 8;
  const auto ends_at = [](std::string_view in, std::string_view set) {
    return std::min(in.find_first_not_of(set), in.size());
  };
  constexpr std::string_view kDecimal = "0123456789";
  if (ends_at(text, kDecimal) != kDigits) return text;
  const std::string_view seconds = SkipBlanks(text.substr(kDigits));
  const size_t point = ends_at(seconds, kDecimal);
  if (seconds.size() == text.size() - kDigits || point == 0 ||
      !seconds.substr(point).starts_with('.'))
    return text;
  const std::string_view decimals = seconds.substr(point + 1);
  if (ends_at(decimals, kDecimal) != kDigits) return text;
  const std::string_view process = SkipBlanks(decimals.substr(kDigits));
  if (!process.starts_with('[') || process.size() == decimals.size() - kDigits) return text;
  const size_t close = 1 + ends_at(process.substr(1), kDecimal);
  const bool is_process = close > 1 && close < process.size() && process[close] == ']';
  return is_process ? SkipBlanks(process.substr(close + 1)) : text;
}

// "INFO  [main] com.a.B - ", of log4j and its kin: a level, a thread in brackets, a name, and a dash between blanks.
std::string_view WithoutLevel(std::string_view text) {
  constexpr std::string_view kLevels[] = {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"};
  const size_t end = std::min(text.find_first_of(" \t"), text.size());
  if (std::ranges::find(kLevels, text.substr(0, end)) == std::end(kLevels)) return text;
  std::string_view rest = SkipBlanks(text.substr(end));
  if (rest.starts_with('[')) rest = WithoutBracket(rest);
  const size_t name = rest.find_first_of(" \t");
  const bool has_dash =
      name != std::string_view::npos && name != 0 && rest.substr(name).starts_with(" - ");
  return has_dash ? SkipBlanks(rest.substr(name + 3)) : text;
}

// The number of a line of DebugView: digits, a tab, seconds or a bracket.
std::string_view WithoutLineNumber(std::string_view text) {
  const size_t end = text.find('\t');
  if (end == std::string_view::npos || end == 0 ||
      !std::ranges::all_of(text.substr(0, end), IsDecimal))
    return text;
  const std::string_view rest = SkipBlanks(text.substr(end));
  const bool is_number = WithoutTime(rest).size() != rest.size() || rest.starts_with('[');
  return is_number ? rest : text;
}

// "VB: ", "T|d3d.c:342|", "d3d.c(342): ", "kd> ": one word with something in it that is not a digit of a dump, and a mark at its end.
std::string_view WithoutWord(std::string_view text) {
  const size_t blank = std::min(text.find_first_of(" \t"), text.size());
  size_t end = blank;
  while (end != 0 && text[end - 1] != ':' && text[end - 1] != '|' && text[end - 1] != '>' &&
         text[end - 1] != ']' && text[end - 1] != ')')
    --end;
  // "trace:d3d:dump", a channel of Wine and its function.
  const std::string_view name = text.substr(end, blank - end);
  const bool is_channel =
      std::ranges::count(text.substr(0, end), ':') >= 2 && std::ranges::any_of(name, [](char c) {
        return std::isalpha(static_cast<unsigned char>(c)) != 0 &&
               std::isxdigit(static_cast<unsigned char>(c)) == 0;
      });
  if (is_channel) end = blank;
  const std::string_view word = text.substr(0, end);
  const bool has_letter = std::ranges::any_of(word, [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 &&
           std::isxdigit(static_cast<unsigned char>(c)) == 0 && c != 'x' && c != 'X';
  });
  return has_letter || word == "(qemu)" ? SkipBlanks(text.substr(end)) : text;
}

// Digits of a dump, in front of a blank or the colon of an address.
bool BeginsDump(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  const size_t end = std::min(text.find_first_not_of("0123456789abcdefABCDEF"), text.size());
  return end >= 2 && end < text.size() && (IsLogBlank(text[end]) || text[end] == ':');
}

// "00000000:", which no column of characters holds in front of more digits.
bool BeginsAddress(std::string_view text) {
  const size_t end = text.find(':');
  return end >= 4 && end != std::string_view::npos && BeginsDump(text);
}

// "VMMDev: Guest Log: ", "Nov 28 07:43:59 host kernel: buf: ", "driver-1  | ": anything with a letter outside of a dump's digits, up to the
// first mark after which one begins. In front of an address any letter will do: "D d3d     : 00000000: ".
std::string_view WithoutWords(std::string_view text) {
  bool has_letter = false;
  bool has_other_letter = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    has_letter = has_letter || std::isalpha(c) != 0;
    has_other_letter = has_other_letter || (std::isalpha(c) != 0 && std::isxdigit(c) == 0);
    const bool is_mark = c == ':' || c == '|' || c == ']';
    const std::string_view rest = SkipBlanks(text.substr(i + 1));
    const bool is_apart = c == ']' || rest.size() + i + 1 != text.size();
    if (!is_mark || !is_apart) continue;
    if (has_other_letter ? BeginsDump(rest) : has_letter && BeginsAddress(rest)) return rest;
  }
  return text;
}

// What x64dbg quotes: DebugString: "12 00 01 00\n". The whole line where it is none of these.
std::string_view WithoutQuotes(std::string_view line) {
  constexpr std::string_view kStart = "DebugString: \"";
  std::string_view text = SkipBlanks(line);
  text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
  if (!text.starts_with(kStart) || !text.ends_with('"') || text.size() == kStart.size())
    return line;
  text = text.substr(kStart.size(), text.size() - kStart.size() - 1);
  while (text.ends_with("\\n") || text.ends_with("\\r"))
    text.remove_suffix(2);
  return text;
}

// What follows a prompt; the whole line where there is none.
std::string_view WithoutPrompt(std::string_view line) {
  for (const std::string_view mark : {"kd>", "(gdb)", "(qemu)", "(lldb)"}) {
    const size_t at = line.find(mark);
    if (at != std::string_view::npos && at < 8) return SkipBlanks(line.substr(at + mark.size()));
  }
  const size_t at = line.find('>');  // "0:000> ", "=> "
  const bool is_debugger =
      at != std::string_view::npos && at != 0 && at < 8 &&
      (at + 1 == line.size() || IsLogBlank(line[at + 1])) &&
      (line[0] == '=' || (IsStamp(line.substr(0, at)) && line.substr(0, at).find(':') < at));
  return is_debugger ? SkipBlanks(line.substr(at + 1)) : line;
}

}  // namespace

std::string PlainLog(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) return std::string(text.substr(3));
  const bool is_little = text.starts_with("\xFF\xFE") || (text.size() >= 4 && text[0] != '\0' &&
                                                          text[1] == '\0' && text[3] == '\0');
  const bool is_big = text.starts_with("\xFE\xFF") ||
                      (text.size() >= 4 && text[0] == '\0' && text[1] != '\0' && text[2] == '\0');
  if (!is_little && !is_big) return std::string(text);
  std::string out;
  for (size_t at = 0; at + 1 < text.size(); at += 2) {
    const auto low = static_cast<uint8_t>(text[at + (is_little ? 0U : 1U)]);
    const auto high = static_cast<uint8_t>(text[at + (is_little ? 1U : 0U)]);
    if (high == 0xFE && low == 0xFF) continue;
    out += high == 0 && low < 0x80 ? static_cast<char>(low) : '.';
  }
  return out;
}

std::string_view WithoutLogPrefix(std::string_view line) {
  line = WithoutQuotes(line);
  const std::string_view whole = line;
  line = line.substr(0, CommentStart(line));  // words of a comment are not a prefix
  std::string_view text = WithoutPrompt(SkipBlanks(line));
  // Each of them may stand there, some more than once.
  for (size_t before = text.size() + 1; text.size() < before;) {
    before = text.size();
    text = WithoutColumns(text);
    text = WithoutLineNumber(text);
    text = WithoutBracket(text);
    text = WithoutTime(text);
    text = WithoutLevel(text);
    text = WithoutWord(text);
  }
  if (!BeginsDump(text)) text = WithoutWords(text);
  return whole.substr(line.size() - text.size());
}

std::vector<size_t> PrefixEnds(std::string_view line) {
  constexpr size_t kLongest = 256;
  std::vector<size_t> ends;
  bool is_word = false;
  line = line.substr(0, CommentStart(line.substr(0, kLongest)));
  for (size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    const bool is_blank = IsLogBlank(line[i]);
    const bool is_digit = std::isxdigit(c) != 0;
    is_word = is_word || (!is_blank && !is_digit && c != ':' && c != 'x' && c != ',' && c != '-');
    const bool is_mark = !is_blank && std::isalnum(c) == 0;
    if (is_word && (is_blank || is_mark)) ends.push_back(i + 1);
  }
  return ends;
}

size_t MatchPrefix(std::string_view prefix, std::string_view line) {
  size_t at = 0;
  const auto skip = [&](size_t& i, const auto& is_part) {
    const bool is_there = at < line.size() && is_part(line[at]);
    while (i < prefix.size() && is_part(prefix[i]))
      ++i;
    while (at < line.size() && is_part(line[at]))
      ++at;
    return is_there;
  };
  for (size_t i = 0; i < prefix.size();) {
    bool is_same = false;
    if (IsDecimal(prefix[i])) {
      is_same = skip(i, IsDecimal);
    } else if (IsLogBlank(prefix[i])) {
      is_same = skip(i, IsLogBlank);
    } else {
      is_same = at < line.size() && line[at] == prefix[i];
      ++i;
      ++at;
    }
    if (!is_same) return std::string_view::npos;
  }
  return at;
}

bool IsTypedCommand(std::string_view line) {
  const std::string_view text = SkipBlanks(line);
  const std::string_view typed = WithoutPrompt(text);
  if (typed.size() == text.size()) return false;
  if (typed.empty()) return true;  // it waits
  const std::string_view word =
      typed.substr(0, std::min(typed.find_first_of(" \t/"), typed.size()));
  constexpr std::string_view kCommands[] = {"d",  "da",   "db",   "dc",   "dd",     "dq",     "du",
                                            "dw", "dp",   "dps",  "x",    "xp",     "p",      "g",
                                            "md", "md.b", "md.w", "md.l", "memory", "hexdump"};
  return std::ranges::find(kCommands, word) != std::end(kCommands);
}

bool IsLengthOfArray(std::string_view line) {
  const size_t mark = line.find("_len = ");
  const std::string_view end = "0123456789; \t\r";
  return mark != std::string_view::npos && line.find(';') != std::string_view::npos &&
         line.find_first_not_of(end, mark + 7) == std::string_view::npos;
}

std::string_view WithoutSemicolon(std::string_view line) {
  const size_t end = line.find_last_not_of(" \t\r;");
  return line.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

}  // namespace dp2trace::import
