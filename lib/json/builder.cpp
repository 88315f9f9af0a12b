#include "json/builder.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/plain_text.h"
#include "json/base64.h"

namespace dp2trace::json {

namespace {

constexpr char kLowerDigits[] = "0123456789abcdef";
constexpr char kUpperDigits[] = "0123456789ABCDEF";

// Whether the character may need an escape: those beyond ASCII, and # as in "##[error]", may.
bool NeedsEscape(char c) {
  return c == '"' || c == '\\' || c == '#' || static_cast<uint8_t>(c) < 0x20 ||
         static_cast<uint8_t>(c) >= 0x7F;
}

// An ASCII character that needs it.
void AppendEscaped(char c, std::string& out) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  const auto value = static_cast<uint8_t>(c);
  out += "\\u00";
  out.push_back(kLowerDigits[value >> 4]);
  out.push_back(kLowerDigits[value & 15]);
}

}  // namespace

void Builder::FloatBits(uint32_t bits) {
  const auto value = std::bit_cast<float>(bits);
  if (!std::isfinite(value)) {
    char digits[10] = {'0', 'x'};
    for (uint32_t i = 0; i < 8; ++i)
      digits[2 + i] = kLowerDigits[bits >> (28 - 4 * i) & 15];
    Name({digits, sizeof digits});
    return;
  }
  if (bits == 0x80000000) {
    out_ += "-0.0";  // "-0" would be the integer 0
    return;
  }
  char digits[64];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  out_.append(digits, result.ptr);
}

void Builder::Color(uint32_t argb) {
  char digits[9] = {'#'};
  for (uint32_t i = 0; i < 8; ++i)
    digits[1 + i] = kLowerDigits[argb >> (28 - 4 * i) & 15];
  Name({digits, sizeof digits});
}

void Builder::HexNumber(uint32_t value) {
  char digits[10] = {'0', 'x'};
  for (uint32_t i = 0; i < 8; ++i)
    digits[2 + i] = kUpperDigits[value >> (28 - 4 * i) & 15];
  Name({digits, sizeof digits});
}

void Builder::String(std::string_view text) {
  out_.push_back('"');
  while (!text.empty()) {
    const auto end =
        std::ranges::find_if(text, NeedsEscape);  // NOLINT(*-qualified-auto): no pointer everywhere
    out_.append(text.begin(), end);
    text.remove_prefix(static_cast<size_t>(end - text.begin()));
    if (text.empty()) break;
    if (text[0] != '#' && static_cast<uint8_t>(text[0]) < 0x7F) {
      AppendEscaped(text[0], out_);
      text.remove_prefix(1);
      continue;
    }
    if (Utf8Length(text) == 0) out_.push_back('\\');  // "\\xff"
    text.remove_prefix(AppendPlainCharacter(out_, text));
  }
  out_.push_back('"');
}

void Builder::Base64(Bytes bytes) {
  out_.push_back('"');
  AppendBase64(bytes, out_);
  out_.push_back('"');
}

void Builder::Hex(Bytes bytes) {
  const size_t start = out_.size();
  out_.resize(start + 2 * bytes.size() + 2);
  char* to = out_.data() + start;
  *to++ = '"';
  for (const uint8_t byte : bytes) {
    *to++ = kLowerDigits[byte >> 4];
    *to++ = kLowerDigits[byte & 15];
  }
  *to = '"';
}

}  // namespace dp2trace::json
