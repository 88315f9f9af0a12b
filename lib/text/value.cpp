#include "text/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "base/flag_text.h"
#include "d3d/formats.h"

namespace dp2trace::text {
namespace {

constexpr size_t kShownBytes = 16;

// Bytes of the UTF-8 sequence at the start of `text`; 0 where there is none (RFC 3629).
size_t Utf8Length(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  const size_t length = lead < 0x80   ? 1
                        : lead < 0xC2 ? 0
                        : lead < 0xE0 ? 2
                        : lead < 0xF0 ? 3
                        : lead < 0xF5 ? 4
                                      : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) > 0x9F;
  const bool beyond = lead == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

}  // namespace

void AppendFloat(std::string& out, uint32_t bits) {
  const auto value = std::bit_cast<float>(bits);
  if (std::isnan(value)) {
    fmt::format_to(std::back_inserter(out), "nan(0x{:08x})", bits);
  } else {
    fmt::format_to(std::back_inserter(out), "{}", value);
  }
}

void AppendEnum(std::string& out, const EnumInfo& names, uint32_t value) {
  const std::string_view name = NameOf(names, value);
  if (name.empty()) {
    fmt::format_to(std::back_inserter(out), "{}", value);
  } else {
    out += name;
  }
}

void AppendFlags(std::string& out, const EnumInfo& names, uint32_t value) {
  out += FlagsText(names, value);
}

void AppendFormat(std::string& out, uint32_t format) {
  if (const d3d::FormatInfo* info = d3d::FindFormat(format)) {
    out += info->name;
  } else {
    fmt::format_to(std::back_inserter(out), "0x{:x}", format);
  }
}

void AppendHex32(std::string& out, uint32_t value) {
  fmt::format_to(std::back_inserter(out), "0x{:08x}", value);
}

void AppendStateValue(std::string& out, const d3d::StateInfo* info, uint32_t value,
                      uint32_t runtime_version) {
  if (info == nullptr) return AppendHex32(out, value);
  switch (info->type) {
    case d3d::ValueType::kU32:
    case d3d::ValueType::kHandle:
      fmt::format_to(std::back_inserter(out), "{}", value);
      return;
    case d3d::ValueType::kHex:
    case d3d::ValueType::kColor:
      return AppendHex32(out, value);
    case d3d::ValueType::kBool:
      if (value > 1) {
        fmt::format_to(std::back_inserter(out), "TRUE({})", value);
      } else {
        out += value == 0 ? "FALSE" : "TRUE";
      }
      return;
    case d3d::ValueType::kF32:
      return AppendFloat(out, value);
    case d3d::ValueType::kU16Pair:
      fmt::format_to(std::back_inserter(out), "{}:{}", value & 0xFFFF, value >> 16);
      return;
    case d3d::ValueType::kEnum:
    case d3d::ValueType::kFlags:
      break;
  }
  const EnumInfo* names = d3d::ValueNames(*info, runtime_version);
  if (names == nullptr) return AppendHex32(out, value);
  if (info->type == d3d::ValueType::kEnum) {
    AppendEnum(out, *names, value);
  } else {
    AppendFlags(out, *names, value);
  }
}

void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    const char c = text[0];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (const auto code = static_cast<uint8_t>(c);
               length == 0 || code < 0x20 || code == 0x7F ||
               (code == 0xC2 && static_cast<uint8_t>(text[1]) < 0xA0)) {
      // C0 and C1 control characters would reach a terminal; a stray byte is shown by its number.
      fmt::format_to(std::back_inserter(out), "\\u{:04x}",
                     length == 2 ? static_cast<uint8_t>(text[1]) : code);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  out += '"';
}

void AppendBytes(std::string& out, Bytes bytes) {
  fmt::format_to(std::back_inserter(out), "{} byte{} [", bytes.size(),
                 bytes.size() == 1 ? "" : "s");
  const size_t shown = std::min(bytes.size(), kShownBytes);
  for (size_t i = 0; i < shown; ++i)
    fmt::format_to(std::back_inserter(out), "{}{:02x}", i == 0 ? "" : " ", bytes[i]);
  out += shown < bytes.size() ? " ...]" : "]";
}

}  // namespace dp2trace::text
