#include "lint/fingerprint.h"

#include <fmt/format.h>

#include <string_view>

#include "base/hash.h"
#include "rules/rule_info.h"

namespace dp2trace::lint {
namespace {

// Positions in a path shift with the stream: "commands/17/records/5/value" -> "commands/#/records/#/value".
void AppendWithoutNumbers(std::string& out, std::string_view path) {
  bool is_number = false;
  for (const char c : path) {
    const bool is_digit = c >= '0' && c <= '9';
    if (is_digit && !is_number) out += '#';
    if (!is_digit) out += c;
    is_number = is_digit;
  }
}

std::string Identity(const Diagnostic& finding) {
  constexpr char kEnd = '\0';
  std::string text(Info(finding.rule).id);
  text += kEnd;
  AppendWithoutNumbers(text, finding.path);
  text += kEnd;
  const std::string_view token = finding.excerpt.token;
  if (const size_t space = token.find(' '); space != std::string_view::npos) {  // behind its offset
    text += token.substr(space);
    text += fmt::format("{}+{}", kEnd, *finding.offset - finding.excerpt.token_offset);
  }
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

}  // namespace dp2trace::lint
