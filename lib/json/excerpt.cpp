#include "json/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/plain_text.h"

namespace dp2trace::json {
namespace {

constexpr size_t kSide = 48;
constexpr std::string_view kCut = "...";

bool GoesOn(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

uint32_t CountCharacters(std::string_view text) {
  return static_cast<uint32_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !GoesOn(c); }));
}

bool IsWord(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The word that the byte is part of; empty where it is part of none.
std::string_view WordAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && IsWord(text[end]))
    ++end;
  while (at > 0 && IsWord(text[at - 1]))
    --at;
  return text.substr(at, end - at);
}

// Words of other languages, and what JSON has in their place.
constexpr std::pair<std::string_view, std::string_view> kForeignWords[] = {
    {"True", "true"},          {"TRUE", "true"},          {"False", "false"},
    {"FALSE", "false"},        {"None", "null"},          {"Null", "null"},
    {"NULL", "null"},          {"nil", "null"},           {"undefined", "null"},
    {"NaN", "\"0x7fc00000\""}, {"nan", "\"0x7fc00000\""}, {"Infinity", "\"0x7f800000\""},
    {"inf", "\"0x7f800000\""}};

// Empty where the word is legal, or nobody knows what is meant.
std::string DescribeWord(std::string_view word, bool is_key) {
  if (is_key) return fmt::format("a key is in double quotes: \"{}\"", word);
  if (word.starts_with("0x") || word.starts_with("0X"))
    return fmt::format("a hexadecimal number is in double quotes: \"{}\"", word);
  const auto* const found =
      std::ranges::find(kForeignWords, word, &std::pair<std::string_view, std::string_view>::first);
  if (found == std::end(kForeignWords)) return {};
  return fmt::format("JSON does not have {}: write {}", word, found->second);
}

}  // namespace

void ExcerptLine(std::string_view text, size_t at, Excerpt& excerpt) {
  at = std::min(at, text.size());
  const size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  const size_t line_end = std::min(text.find_first_of("\r\n", at), text.size());
  size_t begin = at - line > kSide ? at - kSide : line;
  size_t end = line_end - at > kSide ? at + kSide : line_end;
  while (begin > line && GoesOn(text[begin]))
    --begin;
  while (end < line_end && GoesOn(text[end]))
    ++end;
  std::string before(begin == line ? std::string_view() : kCut);
  std::string_view shown = text.substr(begin, at - begin);
  // Blanks at the start of a line say nothing.
  if (begin == line) shown.remove_prefix(std::min(shown.find_first_not_of(" \t"), shown.size()));
  before += Plain(shown);
  excerpt.token = before + Plain(text.substr(at, end - at));
  if (end != line_end) excerpt.token += kCut;
  excerpt.caret = CountCharacters(before) + 1;
}

std::string DescribeHabit(std::string_view text, size_t at) {
  if (at >= text.size()) return {};
  const char found = text[at];
  if (found == '/' || found == '#') {
    return fmt::format(
        "'{}' starts a comment, which JSON does not have: remove it, or make it the "
        "text of a marker event",
        found);
  }
  const size_t before = text.substr(0, at).find_last_not_of(" \t\r\n");
  const bool is_after_comma = before != std::string_view::npos && text[before] == ',';
  if ((found == ']' || found == '}') && is_after_comma)
    return fmt::format("trailing comma before '{}': remove it", found);
  if (found == '\'') return "strings need double quotes, not single ones";
  if (found == '+') return "a number does not begin with '+': remove it";
  if (found == '.') return "a number begins with a digit: write 0.5 for .5";
  const std::string_view word = WordAt(text, at);
  if (word.empty()) return {};
  const size_t end = static_cast<size_t>(word.data() - text.data()) + word.size();
  const size_t after = text.find_first_not_of(" \t\r\n", end);
  const bool is_in_string = end < text.size() && text[end] == '"';
  const bool is_key = after != std::string_view::npos && text[after] == ':' && !is_in_string;
  return DescribeWord(word, is_key);
}

size_t BeginOfToken(std::string_view text, size_t at) {
  if (at >= text.size()) return at;
  if (text[at] == '"') {
    // No escape ends a key or a value that stands where a comma is missing, as a rule; where one does, the place is a little late.
    const size_t begin = at == 0 ? std::string_view::npos : text.rfind('"', at - 1);
    return begin == std::string_view::npos ? at : begin;
  }
  const auto is_part = [](char c) { return IsWord(c) || c == '-' || c == '+' || c == '.'; };
  while (at > 0 && is_part(text[at - 1]))
    --at;
  return at;
}

bool LacksComma(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  const char first = text[at];
  if (first != '"' && first != '{' && first != '[' && first != '-' && !IsWord(first)) return false;
  const size_t before = text.substr(0, at).find_last_not_of(" \t\r\n");
  if (before == std::string_view::npos) return false;
  const char last = text[before];
  return last == '"' || last == '}' || last == ']' || IsWord(last);
}

}  // namespace dp2trace::json
