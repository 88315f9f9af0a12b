#include "json/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

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
    return fmt::format("a comma stands before '{}': remove it", found);
  return {};
}

}  // namespace dp2trace::json
