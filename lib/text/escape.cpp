#include "text/escape.h"

#include <fmt/format.h>

#include "base/plain_text.h"

namespace dp2trace::text {

std::string EscapeXml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const char c = text[0];
    const std::string_view entity = c == '&'   ? "&amp;"
                                    : c == '<' ? "&lt;"
                                    : c == '>' ? "&gt;"
                                    : c == '"' ? "&quot;"
                                               : "";
    if (!entity.empty()) {
      out += entity;
      text.remove_prefix(1);
    } else if (c == '\n' || c == '\t') {
      out += c;
      text.remove_prefix(1);
    } else if (text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF")) {
      out += '?';  // no characters of XML
      text.remove_prefix(3);
    } else {
      text.remove_prefix(AppendPlainCharacter(out, text));
    }
  }
  return out;
}

std::string EscapeCommand(std::string_view text, bool is_property) {
  std::string out;
  while (!text.empty()) {
    const char c = text[0];
    const bool is_special =
        c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','));
    if (is_special) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
      text.remove_prefix(1);
    } else {
      text.remove_prefix(AppendPlainCharacter(out, text));
    }
  }
  return out;
}

std::string EscapeCell(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_{}[]<>()#+-.!|~&";
  std::string out;
  while (!text.empty()) {
    const char c = text[0];
    if (c == '\n' || c == '\r') {
      out += ' ';
      text.remove_prefix(1);
      continue;
    }
    if (kMarkup.find(c) != std::string_view::npos) out += '\\';
    text.remove_prefix(AppendPlainCharacter(out, text));
  }
  return out;
}

}  // namespace dp2trace::text
