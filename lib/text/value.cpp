#include "text/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/flag_text.h"
#include "base/plain_text.h"
#include "d3d/formats.h"
#include "d3d/notation.h"
#include "d3d/vendor_codes.h"

namespace dp2trace::text {
namespace {

constexpr size_t kShownBytes = 16;

}  // namespace

void AppendFloat(std::string& out, uint32_t bits) {
  const auto value = std::bit_cast<float>(bits);
  if (std::isnan(value)) {
    out += fmt::format("nan(0x{:08x})", bits);
  } else {
    out += fmt::format("{}", value);
  }
}

void AppendEnum(std::string& out, const EnumInfo& names, uint32_t value) {
  const std::string_view name = NameOf(names, value);
  if (name.empty()) {
    out += fmt::format("{}", value);
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
    out += fmt::format("0x{:x}", format);
  }
}

void AppendHex32(std::string& out, uint32_t value) {
  out += fmt::format("0x{:08x}", value);
}

void AppendStateValue(std::string& out, const d3d::StateInfo* info, uint32_t value,
                      uint32_t runtime_version) {
  if (info == nullptr) return AppendHex32(out, value);
  switch (info->type) {
    case d3d::ValueType::kU32:
    case d3d::ValueType::kHandle:
      out += fmt::format("{}", value);
      return;
    case d3d::ValueType::kHex:
      return AppendHex32(out, value);
    case d3d::ValueType::kColor:
      out += d3d::ColorText(value);
      return;
    case d3d::ValueType::kBool:
      if (value > 1) {
        out += fmt::format("TRUE({})", value);
      } else {
        out += value == 0 ? "FALSE" : "TRUE";
      }
      return;
    case d3d::ValueType::kF32:
      if (const d3d::VendorCode* const code = d3d::FindVendorCode(*info, value)) {
        out += code->name;
        if (code->argument == 0) return;
        out += '(';
        AppendHex32(out, value & code->argument);
        out += ')';
        return;
      }
      return AppendFloat(out, value);
    case d3d::ValueType::kU16Pair:
      out += fmt::format("{}:{}", value & 0xFFFF, value >> 16);
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
    const bool needs_backslash = text[0] == '"' || text[0] == '\\' || Utf8Length(text) == 0;
    if (needs_backslash) out += '\\';
    text.remove_prefix(AppendPlainCharacter(out, text));
  }
  out += '"';
}

void AppendBytes(std::string& out, Bytes bytes) {
  out += fmt::format("{} byte{} [", bytes.size(), bytes.size() == 1 ? "" : "s");
  const size_t shown = std::min(bytes.size(), kShownBytes);
  for (size_t i = 0; i < shown; ++i)
    out += fmt::format("{}{:02x}", i == 0 ? "" : " ", bytes[i]);
  out += shown < bytes.size() ? " ...]" : "]";
}

}  // namespace dp2trace::text
