// How an integer is printed and parsed by name: the row type of every table of enumerations and flags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace dp2trace {

struct EnumValue {
  std::string_view name;    // the documentation's name without prefix
  uint32_t value;           // for flags: one bit, or a multi-bit constant
  uint8_t first_level = 6;  // driver levels that define it
  uint8_t last_level = 9;
};

struct EnumInfo {
  std::string_view name;  // the documentation's name of the enumeration, e.g. "D3DCMPFUNC"
  bool is_flags = false;
  std::span<const EnumValue> values;
};

// The name of `value` in the table, or empty.
constexpr std::string_view NameOf(const EnumInfo& info, uint32_t value) {
  for (const EnumValue& row : info.values) {
    if (row.value == value) return row.name;
  }
  return {};
}

// The row called `name`, or null.
constexpr const EnumValue* FindValue(const EnumInfo& info, std::string_view name) {
  for (const EnumValue& row : info.values) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace dp2trace
