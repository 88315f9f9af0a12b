#include "blame/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/words.h"
#include "diff/align.h"

namespace dp2trace::blame {
namespace {

// Facts that make a draw the same one.
constexpr std::array<std::string_view, 5> kIdentity = {
    "operation", "primitive type", "vertex format", "vertex shader", "pixel shader"};

std::vector<uint32_t> DrawsOf(const Frame& frame) {
  std::vector<uint32_t> draws;
  for (uint32_t i = 0; i < frame.operations.size(); ++i) {
    if (frame.operations[i].draw != 0) draws.push_back(i);
  }
  return draws;
}

// Names of the facts of a draw, with their values.
using Values = std::map<std::string_view, std::string_view>;
Values ValuesOf(const Frame& frame, const Operation& operation) {
  Values values;
  for (const FactNumber number : operation.facts) {
    const Fact& fact = frame.facts.at(number);
    values.emplace(fact.name, fact.value);
  }
  return values;
}

std::vector<diff::OutlineUnit> UnitsOf(const Frame& frame, const std::vector<uint32_t>& draws) {
  std::vector<diff::OutlineUnit> units;
  for (const uint32_t draw : draws) {
    const Operation& operation = frame.operations[draw];
    const Values values = ValuesOf(frame, operation);
    std::string text = operation.name;
    if (operation.marker) text += '\0' + operation.marker->text;
    for (const std::string_view name : kIdentity) {
      const auto found = values.find(name);
      text += '\0';
      if (found != values.end()) text += found->second;
    }
    units.push_back(
        {.hash = Xxh3_64({reinterpret_cast<const uint8_t*>(text.data()), text.size()})});
  }
  return units;
}

// For each draw of the frame its partner in the right one, by their places in the lists.
std::map<uint32_t, uint32_t> Partners(const Frame& right, const Frame& frame) {
  const std::vector<uint32_t> before = DrawsOf(right);
  const std::vector<uint32_t> after = DrawsOf(frame);
  std::map<uint32_t, uint32_t> partners;
  size_t a = 0, b = 0;
  const auto pair_until = [&](size_t end) {
    for (; a < end; ++a, ++b)
      partners.emplace(after[b], before[a]);
  };
  for (const diff::OutlineHunk& hunk : diff::Align(UnitsOf(right, before), UnitsOf(frame, after))) {
    pair_until(hunk.a_begin);
    for (; a < hunk.a_end && b < hunk.b_end; ++b) {
      size_t same = a;
      while (same < hunk.a_end &&
             right.operations[before[same]].name != frame.operations[after[b]].name)
        ++same;
      if (same == hunk.a_end) continue;
      partners.emplace(after[b], before[same]);
      a = same + 1;
    }
    a = hunk.a_end;
    b = hunk.b_end;
  }
  pair_until(before.size());
  return partners;
}

// As texts have it: equal numbers have equal digits.
struct SignedNumber {
  bool is_negative = false;
  std::string_view digits;
  bool is_zero() const { return digits.find_first_of("123456789") == std::string_view::npos; }
};

std::optional<SignedNumber> NumberOf(std::string_view text) {
  while (!text.empty() && (text.front() == '(' || text.front() == '['))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ')' || text.back() == ']' || text.back() == ','))
    text.remove_suffix(1);
  SignedNumber number;
  number.is_negative = text.starts_with('-');
  number.digits = number.is_negative ? text.substr(1) : text;
  const bool is_number =
      number.digits.find_first_of("0123456789") == 0 &&
      number.digits.find_first_not_of("0123456789.e+-") == std::string_view::npos;
  return is_number ? std::optional(number) : std::nullopt;
}

bool IsNegated(const std::vector<std::string_view>& before,
               const std::vector<std::string_view>& after) {
  bool differs = false;
  for (size_t i = 0; i < before.size(); ++i) {
    const std::optional<SignedNumber> a = NumberOf(before[i]);
    const std::optional<SignedNumber> b = NumberOf(after[i]);
    if (!a || !b || a->digits != b->digits) return false;
    if (a->is_negative == b->is_negative && !a->is_zero()) return false;
    differs = differs || !a->is_zero();
  }
  return differs;
}

// "diffuse=(1 1 1 1) power=20" and "diffuse=(1 1 1 1) power=0" become "power=20" and "power=0".
void KeepDifferingMembers(std::string_view before, std::string_view after, Change& change) {
  const std::vector<std::string_view> a = SplitWords(before);
  const std::vector<std::string_view> b = SplitWords(after);
  change.before = before;
  change.after = after;
  if (a.size() != b.size()) return;
  change.is_negated = IsNegated(a, b);
  // A member begins with its name and goes on until the next one.
  std::string old_members, new_members;
  const auto has_name = [](std::string_view part) { return part.find('=') != part.npos; };
  for (size_t i = 0; i < a.size();) {
    size_t end = i + 1;
    if (!has_name(a[i]) || !has_name(b[i])) return;
    while (end < a.size() && !has_name(a[end]) && !has_name(b[end]))
      ++end;
    const bool is_equal =
        std::equal(a.begin() + static_cast<ptrdiff_t>(i), a.begin() + static_cast<ptrdiff_t>(end),
                   b.begin() + static_cast<ptrdiff_t>(i));
    for (; i < end; ++i) {
      if (is_equal) continue;
      old_members += (old_members.empty() ? "" : " ") + std::string(a[i]);
      new_members += (new_members.empty() ? "" : " ") + std::string(b[i]);
    }
  }
  change.before = old_members;
  change.after = new_members;
}

}  // namespace

Changes FindChanges(const Frame& right, const Frame& frame, std::span<const uint32_t> wrong) {
  Changes result;
  result.right_frame = right.number;
  const std::map<uint32_t, uint32_t> partners = Partners(right, frame);
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::vector<uint64_t>>
      found;  // by name and both values
  for (const uint32_t place : wrong) {
    const auto partner = partners.find(place);
    if (partner == partners.end()) {
      ++result.unmatched;
      continue;
    }
    ++result.matched;
    const uint64_t draw = frame.operations[place].draw;
    const Values before = ValuesOf(right, right.operations[partner->second]);
    const Values after = ValuesOf(frame, frame.operations[place]);
    for (const auto& [name, value] : before) {
      const auto other = after.find(name);
      if (other == after.end()) {
        found[{name, value, {}}].push_back(draw);
      } else if (other->second != value) {
        found[{name, value, other->second}].push_back(draw);
      }
    }
    for (const auto& [name, value] : after) {
      if (!before.contains(name)) found[{name, {}, value}].push_back(draw);
    }
  }
  for (auto& [key, draws] : found) {
    const auto& [name, before, after] = key;
    Change change{.name = std::string(name), .before = {}, .after = {}, .draws = std::move(draws)};
    KeepDifferingMembers(before, after, change);
    result.changes.push_back(std::move(change));
  }
  std::ranges::stable_sort(result.changes, std::ranges::greater{},
                           [](const Change& change) { return change.draws.size(); });
  if (result.changes.size() > kMaxChanges) {
    result.further_changes = result.changes.size() - kMaxChanges;
    result.changes.resize(kMaxChanges);
  }
  return result;
}

std::string TextOf(const Change& change) {
  if (change.before.empty())
    return fmt::format("{} {}, there not in force", change.name, change.after);
  if (change.after.empty())
    return fmt::format("{} {}, here not in force", change.name, change.before);
  return fmt::format("{} {} -> {}{}", change.name, change.before, change.after,
                     change.is_negated ? ", negated" : "");
}

}  // namespace dp2trace::blame
