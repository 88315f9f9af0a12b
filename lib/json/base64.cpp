#include "json/base64.h"

#include <array>

namespace dp2trace::json {

namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kForeign = 0xFF;

constexpr std::array<uint8_t, 256> kDigits = [] {
  std::array<uint8_t, 256> digits{};
  digits.fill(kForeign);
  for (size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<uint8_t>(kAlphabet[i])] = static_cast<uint8_t>(i);
  }
  return digits;
}();

char Digit(uint32_t value) {
  return kAlphabet[value & 63];
}
uint8_t Value(char digit) {
  return kDigits[static_cast<uint8_t>(digit)];
}

// Decodes 4 digits to 3 bytes. A foreign digit has its top bits set, which survive the combination.
bool DecodeQuad(const char* text, uint8_t* out) {
  const uint8_t a = Value(text[0]);
  const uint8_t b = Value(text[1]);
  const uint8_t c = Value(text[2]);
  const uint8_t d = Value(text[3]);
  out[0] = static_cast<uint8_t>(a << 2 | b >> 4);
  out[1] = static_cast<uint8_t>(b << 4 | c >> 2);
  out[2] = static_cast<uint8_t>(c << 6 | d);
  return ((a | b | c | d) & 0xC0) == 0;
}

// The last four characters: with padding, unused bits 0.
bool DecodeLastQuad(const char* text, uint8_t* out, size_t& size) {
  const size_t padding = text[3] != '=' ? 0 : text[2] != '=' ? 1 : 2;
  char quad[4] = {text[0], text[1], text[2], text[3]};
  for (size_t i = 0; i < padding; ++i)
    quad[3 - i] = 'A';
  uint8_t bytes[3];
  if (!DecodeQuad(quad, bytes)) return false;
  size = 3 - padding;
  for (size_t i = 0; i < 3; ++i) {
    if (i < size) {
      out[i] = bytes[i];
    } else if (bytes[i] != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

void AppendBase64(Bytes bytes, std::string& out) {
  const size_t start = out.size();
  out.resize(start + (bytes.size() + 2) / 3 * 4);
  char* to = out.data() + start;
  size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3, to += 4) {
    const uint32_t group = static_cast<uint32_t>(bytes[i]) << 16 |
                           static_cast<uint32_t>(bytes[i + 1]) << 8 | bytes[i + 2];
    to[0] = Digit(group >> 18);
    to[1] = Digit(group >> 12);
    to[2] = Digit(group >> 6);
    to[3] = Digit(group);
  }
  if (i == bytes.size()) return;
  const bool two = i + 2 == bytes.size();
  const uint32_t group =
      static_cast<uint32_t>(bytes[i]) << 16 | (two ? static_cast<uint32_t>(bytes[i + 1]) << 8 : 0);
  to[0] = Digit(group >> 18);
  to[1] = Digit(group >> 12);
  to[2] = two ? Digit(group >> 6) : '=';
  to[3] = '=';
}

bool DecodeBase64(std::string_view text, uint8_t* out, size_t& size) {
  size = 0;
  if (text.size() % 4 != 0) return false;
  if (text.empty()) return true;
  size_t i = 0;
  for (; i + 4 < text.size(); i += 4, out += 3) {
    if (!DecodeQuad(text.data() + i, out)) return false;
  }
  size_t last = 0;
  if (!DecodeLastQuad(text.data() + i, out, last)) return false;
  size = i / 4 * 3 + last;
  return true;
}

}  // namespace dp2trace::json
