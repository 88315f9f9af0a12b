#include "blame/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/words.h"
#include "diff/align.h"

namespace dp2trace::blame {
namespace {

// Facts that make a draw one of the same kind.
constexpr std::array<std::string_view, 5> kIdentity = {
    "operation", "primitive type", "vertex format", "vertex shader", "pixel shader"};

// By what draws of two frames are the same one, beside their operation.
struct Criteria {
  bool has_kind = false;    // marker and kIdentity
  bool has_values = false;  // transforms and constants
  bool has_vertices = false;
  bool has_textures = false;
};
// What one does not pair, the next one may.
constexpr std::array kCriteria = {
    Criteria{.has_kind = true, .has_values = true, .has_vertices = true, .has_textures = true},
    Criteria{.has_kind = true, .has_vertices = true, .has_textures = true},
    Criteria{.has_kind = true, .has_vertices = true},
    Criteria{.has_kind = true, .has_textures = true},
    Criteria{.has_kind = true},
    Criteria{}};

bool IsValue(std::string_view name) {
  return name.starts_with("transform ") || name.find(" constant ") != std::string_view::npos;
}

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

std::string ContentText(const Content& content, const Criteria& criteria) {
  std::string text;
  if (criteria.has_vertices) text += fmt::format("\n{:x}", content.vertices);
  for (const TextureContent& texture : content.textures) {
    if (criteria.has_textures) text += fmt::format("\n{}:{}", texture.slot, texture.handle);
  }
  return text;
}

std::vector<diff::OutlineUnit> UnitsOf(const Frame& frame, const std::vector<uint32_t>& draws,
                                       const Criteria& criteria) {
  std::vector<diff::OutlineUnit> units;
  for (const uint32_t draw : draws) {
    const Operation& operation = frame.operations[draw];
    const Values values = ValuesOf(frame, operation);
    std::string text = operation.name;
    if (criteria.has_kind && operation.marker) text += '\0' + operation.marker->text;
    for (const auto& [name, value] : values) {
      const bool counts =
          (criteria.has_kind && std::ranges::find(kIdentity, name) != kIdentity.end()) ||
          (criteria.has_values && IsValue(name));
      if (counts) text += fmt::format("\n{}={}", name, value);
    }
    if (operation.content) text += ContentText(*operation.content, criteria);
    units.push_back(
        {.hash = Xxh3_64({reinterpret_cast<const uint8_t*>(text.data()), text.size()})});
  }
  return units;
}

class Pairing {
 public:
  Pairing(const Frame& right, const Frame& frame)
      : right_(right), frame_(frame), before_(DrawsOf(right)), after_(DrawsOf(frame)) {}

  // For each draw of the frame its partner in the right one, by their places in the lists.
  std::map<uint32_t, uint32_t> Run() {
    std::vector<diff::OutlineHunk> open = {{0, before_.size(), 0, after_.size()}};
    for (const Criteria& criteria : kCriteria) {
      if (open.empty()) break;
      const std::vector<diff::OutlineUnit> before = UnitsOf(right_, before_, criteria);
      const std::vector<diff::OutlineUnit> after = UnitsOf(frame_, after_, criteria);
      std::vector<diff::OutlineHunk> left;
      for (const diff::OutlineHunk& part : open) {
        size_t a = part.a_begin, b = part.b_begin;
        for (const diff::OutlineHunk& hunk : diff::Align(before, after, part)) {
          Pair(a, hunk.a_begin, b);
          a = hunk.a_end;
          b = hunk.b_end;
          if (hunk.a_begin != hunk.a_end && hunk.b_begin != hunk.b_end) left.push_back(hunk);
        }
        Pair(a, part.a_end, b);
      }
      open = std::move(left);
    }
    return std::move(partners_);
  }

 private:
  void Pair(size_t a, size_t a_end, size_t b) {
    for (; a < a_end; ++a, ++b)
      partners_.emplace(after_[b], before_[a]);
  }

  const Frame& right_;
  const Frame& frame_;
  std::vector<uint32_t> before_, after_;
  std::map<uint32_t, uint32_t> partners_;
};

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

// " (uploaded by event 15)": what this frame did to the texture last, if it did.
std::string WriterText(const Frame& frame, const Operation& draw, uint32_t handle) {
  for (const Reading& reading : draw.reads) {
    const WrittenSurface& surface = frame.written[reading.written];
    if (surface.handle != handle || reading.count == 0) continue;
    const Operation& writer = surface.by[reading.count - 1];
    if (writer.draw != 0) return fmt::format(" (drawn by draw {})", writer.draw);
    const bool is_upload = writer.kind == history::Kind::kUpload;
    return fmt::format(" ({} by event {})", is_upload ? "uploaded" : "written", writer.event);
  }
  return {};
}

class Collector {
 public:
  Collector(const Frame& right, const Frame& frame) : right_(right), frame_(frame) {}

  void Compare(const Operation& before, const Operation& after) {
    CompareFacts(ValuesOf(right_, before), ValuesOf(frame_, after), after.draw);
    if (before.content && after.content) CompareContent(*before.content, *after.content, after);
  }

  std::vector<Change> Take() {
    std::vector<Change> changes;
    for (auto& [key, draws] : facts_) {
      const auto& [name, before, after] = key;
      Change change{.name = std::string(name),
                    .before = {},
                    .after = {},
                    .words = {},
                    .draws = std::move(draws)};
      KeepDifferingMembers(before, after, change);
      changes.push_back(std::move(change));
    }
    for (auto& [key, draws] : contents_)
      changes.push_back({.name = key.first,
                         .before = {},
                         .after = {},
                         .words = key.second,
                         .draws = std::move(draws)});
    return changes;
  }

 private:
  void CompareFacts(const Values& before, const Values& after, uint64_t draw) {
    std::vector<std::tuple<std::string_view, std::string_view, std::string_view>> differing;
    std::set<std::string_view> names;
    const auto add = [&](std::string_view name, std::string_view old, std::string_view now) {
      differing.emplace_back(name, old, now);
      names.insert(name);
    };
    for (const auto& [name, value] : before) {
      const auto other = after.find(name);
      const std::string_view now = other == after.end() ? std::string_view() : other->second;
      if (now != value) add(name, value, now);
    }
    for (const auto& [name, value] : after) {
      if (!before.contains(name)) add(name, {}, value);
    }
    for (const auto& change : differing) {
      const auto& [name, old, now] = change;
      const bool has_appeared = old.empty() || now.empty();
      if (!has_appeared || !names.contains(CauseOf(name))) facts_[change].push_back(draw);
    }
  }

  void CompareContent(const Content& before, const Content& after, const Operation& draw) {
    if (before.vertices != after.vertices)
      contents_[{"vertices", "the vertices are others"}].push_back(draw.draw);
    std::set<uint32_t> handles;
    for (const TextureContent& now : after.textures) {
      const auto old = std::ranges::find(before.textures, now.slot, &TextureContent::slot);
      if (old == before.textures.end() || old->handle != now.handle || old->texels == now.texels ||
          !handles.insert(now.handle).second)
        continue;
      contents_[{fmt::format("texels of texture {}", now.handle),
                 fmt::format("texture {} has other texels{}", now.handle,
                             WriterText(frame_, draw, now.handle))}]
          .push_back(draw.draw);
    }
  }

  const Frame& right_;
  const Frame& frame_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::vector<uint64_t>>
      facts_;  // by name and both values
  std::map<std::pair<std::string, std::string>, std::vector<uint64_t>>
      contents_;  // by name and words
};

}  // namespace

Changes FindChanges(const Frame& right, const Frame& frame, std::span<const uint32_t> wrong) {
  Changes result;
  result.right_frame = right.number;
  const std::map<uint32_t, uint32_t> partners = Pairing(right, frame).Run();
  Collector collector(right, frame);
  for (const uint32_t place : wrong) {
    const auto partner = partners.find(place);
    if (partner == partners.end()) {
      ++result.unmatched;
      continue;
    }
    ++result.matched;
    collector.Compare(right.operations[partner->second], frame.operations[place]);
  }
  result.changes = collector.Take();
  std::ranges::stable_sort(result.changes, std::ranges::greater{},
                           [](const Change& change) { return change.draws.size(); });
  if (result.changes.size() > kMaxChanges) {
    result.further_changes = result.changes.size() - kMaxChanges;
    result.changes.resize(kMaxChanges);
  }
  return result;
}

std::string TextOf(const Change& change) {
  if (!change.words.empty()) return change.words;
  if (change.before.empty())
    return fmt::format("{} {}, there not in force", change.name, change.after);
  if (change.after.empty())
    return fmt::format("{} {}, here not in force", change.name, change.before);
  return fmt::format("{} {} -> {}{}", change.name, change.before, change.after,
                     change.is_negated ? ", negated" : "");
}

}  // namespace dp2trace::blame
