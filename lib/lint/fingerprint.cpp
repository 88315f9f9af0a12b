#include "lint/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "rules/rule_info.h"

namespace dp2trace::lint {
namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// Positions in a path shift with the stream: "commands/17/records/5/value" -> "commands/#/records/#/value".
void AppendWithoutNumbers(std::string& out, std::string_view path) {
  bool is_number = false;
  for (const char c : path) {
    const bool is_digit = IsDigit(c);
    if (is_digit && !is_number) out += '#';
    if (!is_digit) out += c;
    is_number = is_digit;
  }
}

// Bytes of the number at the start of the text: "17", "0x1c".
size_t NumberLength(std::string_view text) {
  if (text.starts_with("0x"))
    return std::min(text.find_first_not_of("0123456789abcdef", 2), text.size());
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

// Whether the word says that the number after it is a place in the trace.
bool IsWordOfPlace(std::string_view word, std::string_view number) {
  constexpr std::array<std::string_view, 5> kWords = {"event", "events", "draw", "frame", "offset"};
  // Places in a stream are hexadecimal: "the command header is at 0x6". Positions of texels and the like are not.
  const bool is_hex_place = word == "at" && number.starts_with("0x");
  return is_hex_place || std::ranges::find(kWords, word) != kWords.end();
}

// Numbers that shift with the stream: "events 3 to 4 are lost" -> "events # to # are lost".
void AppendWithoutPlaces(std::string& out, std::string_view message) {
  std::string_view word;           // before the number
  bool is_range_of_place = false;  // the last number was a place, and "to" follows
  for (size_t at = 0; at < message.size();) {
    const size_t end = std::min(message.find(' ', at), message.size());
    const std::string_view next = message.substr(at, end - at);
    const bool is_place = !next.empty() && IsDigit(next[0]) &&
                          (IsWordOfPlace(word, next) || (word == "to" && is_range_of_place));
    if (is_place) {
      out += '#';
      out += next.substr(NumberLength(next));
    } else {
      out += next;
    }
    if (word != "to" && next != "to") is_range_of_place = false;
    if (is_place) is_range_of_place = true;
    word = next;
    const size_t bracket = word.find_first_not_of("(\"'");
    word.remove_prefix(std::min(bracket, word.size()));
    if (end < message.size()) out += ' ';
    at = end + 1;
  }
}

// The token of a finding without its position, and the place in it.
void AppendToken(std::string& text, const Diagnostic& finding, char end) {
  AppendWithoutNumbers(text, finding.path);
  text += end;
  if (finding.excerpt.caret != 0) return;  // a line of text, which is cut around the place
  const std::string_view token = finding.excerpt.token;
  const size_t space = token.find(' ');  // after its offset
  if (space == std::string_view::npos) return;
  text += token.substr(space);
  text += fmt::format("{}+{}", end, *finding.offset - finding.excerpt.token_offset);
}

std::string Identity(const Diagnostic& finding) {
  constexpr char kEnd = '\0';
  std::string text(Info(finding.rule).id);
  text += kEnd;
  // A cause is none of the token that meets it first.
  if (finding.cause.empty()) AppendToken(text, finding, kEnd);
  text += kEnd;
  AppendWithoutPlaces(text, finding.message);
  text += kEnd;
  text += finding.actual;
  text += kEnd;
  text += finding.expected;
  return text;
}

}  // namespace

std::string Fingerprints::Next(const Diagnostic& finding) {
  const std::string text = Identity(finding);
  const std::string hash = Xxh3_128({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  return fmt::format("{}:{}", hash, ++seen_[hash]);
}

std::string_view IdentityOf(std::string_view fingerprint) {
  return fingerprint.substr(0, fingerprint.find(':'));
}

}  // namespace dp2trace::lint
