#include "base/flag_text.h"

#include <fmt/format.h>

#include <cmath>

namespace dp2trace {

std::string FlagsText(const EnumInfo& names, uint32_t value) {
  if (value == 0) {
    const std::string_view none = NameOf(names, 0);
    return none.empty() ? "0" : std::string(none);
  }
  std::string text;
  uint32_t rest = value;
  for (const EnumValue& row : names.values) {
    if (row.value == 0 || (rest & row.value) != row.value) continue;
    text += fmt::format("{}{}", text.empty() ? "" : "|", row.name);
    rest &= ~row.value;
  }
  if (rest != 0) text += fmt::format("{}{:#x}", text.empty() ? "" : "|", rest);
  return text;
}

std::string ValueText(const EnumInfo& names, uint32_t value) {
  const std::string_view name = NameOf(names, value);
  return name.empty() ? fmt::format("{}", value) : fmt::format("{} ({})", name, value);
}

std::string ValueRangesText(const EnumInfo& names, const std::function<bool(uint32_t)>& holds) {
  std::string text;
  for (size_t first = 0; first < names.values.size(); ++first) {
    if (!holds(names.values[first].value)) continue;
    size_t last = first;
    while (last + 1 < names.values.size() &&
           names.values[last + 1].value == names.values[last].value + 1 &&
           holds(names.values[last + 1].value))
      ++last;
    if (!text.empty()) text += ", ";
    text += ValueText(names, names.values[first].value);
    if (last > first) text += " to " + ValueText(names, names.values[last].value);
    first = last;
  }
  return text;
}

std::string AllValuesText(const EnumInfo& names) {
  std::string text;
  for (size_t i = 0; i < names.values.size(); ++i) {
    const bool is_last = i + 1 == names.values.size();
    text += ValueText(names, names.values[i].value);
    if (!is_last) text += i + 2 == names.values.size() ? " or " : ", ";
  }
  return text;
}

std::string RealText(float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-infinity" : "infinity";
  return fmt::format("{}", value);
}

}  // namespace dp2trace
