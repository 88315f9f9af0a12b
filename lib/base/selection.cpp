#include "base/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace dp2trace {
namespace {

bool ParseNumber(std::string_view text, uint64_t& value) {
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  return !text.empty() && result.ec == std::errc() && result.ptr == end;
}

}  // namespace

Selection::Selection() : ranges_{Range{}} {}

bool Selection::ParseRange(std::string_view text, Range& range) {
  const size_t slash = text.find('/');
  const std::string_view bounds = text.substr(0, slash);
  if (slash != std::string_view::npos) {
    if (!ParseNumber(text.substr(slash + 1), range.step) || range.step == 0) return false;
  }
  const size_t dash = bounds.find('-');
  if (dash == std::string_view::npos) {
    // A single number has no step.
    if (slash != std::string_view::npos || !ParseNumber(bounds, range.first)) return false;
    range.last = range.first;
    return true;
  }
  const std::string_view first = bounds.substr(0, dash);
  const std::string_view last = bounds.substr(dash + 1);
  if (first.empty() && last.empty()) return false;
  if (!first.empty() && !ParseNumber(first, range.first)) return false;
  if (!last.empty() && !ParseNumber(last, range.last)) return false;
  return range.first <= range.last;
}

std::optional<Selection> Selection::Parse(std::string_view text, std::string& error) {
  Selection selection;
  selection.ranges_.clear();
  size_t begin = 0;
  while (true) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view item = text.substr(begin, comma - begin);
    Range range;
    if (item == "all") {
      selection.ranges_.push_back(range);
    } else if (item == "last") {
      selection.needs_last_ = true;
    } else if (item != "none") {
      if (!ParseRange(item, range)) {
        error = fmt::format(
            "'{}' is not a selection; expected N, A-B, A-, -B, A-B/STEP, last, all or none", item);
        return std::nullopt;
      }
      selection.ranges_.push_back(range);
    }
    if (comma == text.size()) return selection;
    begin = comma + 1;
  }
}

bool Selection::Contains(uint64_t number) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [number](const Range& range) {
    return range.first <= number && number <= range.last &&
           (number - range.first) % range.step == 0;
  });
}

void Selection::Resolve(std::optional<uint64_t> last) {
  if (needs_last_ && last) ranges_.push_back({*last, *last, 1});
  held_last_ = held_last_ || needs_last_;
  needs_last_ = false;
}

bool Selection::is_all() const {
  return std::any_of(ranges_.begin(), ranges_.end(), [](const Range& range) {
    return range.first == 0 && range.last == UINT64_MAX && range.step == 1;
  });
}

bool Selection::IsPast(uint64_t number) const {
  return !needs_last_ && std::all_of(ranges_.begin(), ranges_.end(),
                                     [number](const Range& range) { return range.last < number; });
}

}  // namespace dp2trace
