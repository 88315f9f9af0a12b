// Builds JSON text piece by piece: keys, numbers, strings, floats and byte arrays, appended to one string.
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace dp2trace::json {

class Builder {
 public:
  std::string& string() { return out_; }
  const std::string& string() const { return out_; }
  size_t size() const { return out_.size(); }
  void Clear() { out_.clear(); }

  void Raw(char c) { out_.push_back(c); }
  void Raw(std::string_view text) { out_.append(text); }

  // The key of the next member, after a comma where the object already has one.
  void Key(std::string_view name) {
    Separate();
    out_.push_back('"');
    out_.append(name);
    out_.append("\":", 2);
  }
  // A comma where the object or array that is being written already has an element.
  void Separate() {
    const char last = out_.empty() ? '[' : out_.back();
    if (last != '{' && last != '[') out_.push_back(',');
  }

  template <std::integral T>
  void Number(T value) {
    char digits[24];
    const auto result = std::to_chars(digits, digits + sizeof digits, value);
    out_.append(digits, result.ptr);
  }
  // A text that needs no escapes: names of tables, hex, base64.
  void Name(std::string_view name) {
    out_.push_back('"');
    out_.append(name);
    out_.push_back('"');
  }
  // An f32 as the shortest number that reads back to the same bits; NaN and infinity as a string with the bits.
  void FloatBits(uint32_t bits);
  // "#aarrggbb", a D3DCOLOR.
  void Color(uint32_t argb);
  // "0x" and 8 upper-case digits.
  void HexNumber(uint32_t value);
  // A string with JSON escapes, for what else would steer a terminal, too (base/plain_text.h); a byte that is not UTF-8 becomes the text
  // "\xff".
  void String(std::string_view text);
  void Base64(Bytes bytes);
  void Hex(Bytes bytes);

 private:
  std::string out_;
};

}  // namespace dp2trace::json
