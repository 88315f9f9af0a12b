// The help of a verb.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.h"

namespace dp2trace::app {

// The options of a verb under their headlines.
struct OptionGroup {
  std::string title;
  std::vector<Argument*> options;
};
// More options than these are in groups.
inline constexpr size_t kMostUngrouped = 12;
std::vector<OptionGroup> OptionGroupsOf(const Verb& verb);
// Rows of option_groups.def.
struct OptionRow {
  std::string_view group;
  std::string_view option;
};
std::span<const OptionRow> OptionRows();

// `width`: columns, as HelpWidth() says; single words, examples and notes may be longer.
std::string HelpText(const Verb& verb, size_t width);
// For a terminal of so many columns, 0 for none: 60 to 120, or 100.
size_t HelpWidth(uint32_t columns);

}  // namespace dp2trace::app
