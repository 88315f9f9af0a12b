#include "json/text.h"

#include <bit>
#include <cmath>

#include "json/base64.h"

namespace dp2trace::json {

namespace {

constexpr char kLowerDigits[] = "0123456789abcdef";
constexpr char kUpperDigits[] = "0123456789ABCDEF";

bool NeedsEscape(char c) {
  return c == '"' || c == '\\' || static_cast<uint8_t>(c) < 0x20;
}

// One that needs it.
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

void Text::FloatBits(uint32_t bits) {
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

void Text::HexNumber(uint32_t value) {
  char digits[10] = {'0', 'x'};
  for (uint32_t i = 0; i < 8; ++i)
    digits[2 + i] = kUpperDigits[value >> (28 - 4 * i) & 15];
  Name({digits, sizeof digits});
}

void Text::String(std::string_view text) {
  out_.push_back('"');
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!NeedsEscape(text[i])) continue;
    out_.append(text, start, i - start);
    AppendEscaped(text[i], out_);
    start = i + 1;
  }
  out_.append(text, start);
  out_.push_back('"');
}

void Text::Base64(Bytes bytes) {
  out_.push_back('"');
  AppendBase64(bytes, out_);
  out_.push_back('"');
}

void Text::Hex(Bytes bytes) {
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
