// Which numbered things (events, frames, draws) a user asked for: the SEL of the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dp2trace {

// A set of numbers, written as a comma list of `N`, `A-B`, `A-`, `-B`, `A-B/STEP`, `last`, `all`, `none`.
class Selection {
 public:
  // Everything.
  Selection();

  // Nothing, and the reason in `error`, when the text is not a SEL. Numbers are at most 2^64 - 1; A must not exceed B.
  static std::optional<Selection> Parse(std::string_view text, std::string& error);

  bool Contains(uint64_t number) const;
  // The text holds `last`: Contains() answers for it only after Resolve().
  bool needs_last() const { return needs_last_; }
  // It held one, which was resolved: who prints the last of a trace reads on past it, and says how the trace ends.
  bool held_last() const { return held_last_; }
  // Says which number `last` is; nothing = there is no such thing.
  void Resolve(std::optional<uint64_t> last);
  // Contains() is true for every number.
  bool is_all() const;
  // No number of `number` and above is in the set.
  bool IsPast(uint64_t number) const;

 private:
  // first, first + step, ... up to last.
  struct Range {
    uint64_t first = 0;
    uint64_t last = UINT64_MAX;
    uint64_t step = 1;
  };
  static bool ParseRange(std::string_view text, Range& range);

  std::vector<Range> ranges_;
  bool needs_last_ = false;
  bool held_last_ = false;  // resolved
};

}  // namespace dp2trace
