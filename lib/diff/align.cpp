// Alignment of two outlines: hashes that stand once on either side are fixed points, the longest ascending row of them holds; what lies
// between is compared step by step while that is cheap.
#include "diff/align.h"

#include <algorithm>
#include <unordered_map>

namespace dp2trace::diff {
namespace {

constexpr size_t kMostSteps = 1500;  // differences that are looked for between two fixed points

using Units = std::vector<OutlineUnit>;
struct Pair {
  size_t a = 0, b = 0;
};

class Aligner {
 public:
  Aligner(const Units& a, const Units& b) : a_(a), b_(b) {}

  std::vector<OutlineHunk> Run(const OutlineHunk& part) {
    Compare(part, 0);
    return std::move(hunks_);
  }

 private:
  void Compare(OutlineHunk part, int depth) {
    while (part.a_begin < part.a_end && part.b_begin < part.b_end &&
           a_[part.a_begin].hash == b_[part.b_begin].hash)
      ++part.a_begin, ++part.b_begin;
    while (part.a_begin < part.a_end && part.b_begin < part.b_end &&
           a_[part.a_end - 1].hash == b_[part.b_end - 1].hash)
      --part.a_end, --part.b_end;
    if (part.a_begin == part.a_end || part.b_begin == part.b_end) return Add(part);
    constexpr int kMostDepth = 64;
    const std::vector<Pair> points = depth < kMostDepth ? FixedPoints(part) : std::vector<Pair>();
    if (points.empty()) return StepByStep(part);
    OutlineHunk rest = part;
    for (const Pair& point : points) {
      Compare({rest.a_begin, point.a, rest.b_begin, point.b}, depth + 1);
      rest.a_begin = point.a + 1;
      rest.b_begin = point.b + 1;
    }
    Compare(rest, depth + 1);
  }

  void Add(const OutlineHunk& part) {
    if (part.a_begin == part.a_end && part.b_begin == part.b_end) return;
    if (!hunks_.empty() && hunks_.back().a_end == part.a_begin &&
        hunks_.back().b_end == part.b_begin) {
      hunks_.back().a_end = part.a_end;
      hunks_.back().b_end = part.b_end;
    } else {
      hunks_.push_back(part);
    }
  }

  std::vector<Pair> FixedPoints(const OutlineHunk& part) const {
    struct Count {
      size_t a = 0, b = 0, at_a = 0, at_b = 0;
    };
    std::unordered_map<uint64_t, Count> counts;
    for (size_t i = part.a_begin; i < part.a_end; ++i) {
      Count& count = counts[a_[i].hash];
      ++count.a;
      count.at_a = i;
    }
    for (size_t i = part.b_begin; i < part.b_end; ++i) {
      const auto found = counts.find(b_[i].hash);
      if (found == counts.end()) continue;
      ++found->second.b;
      found->second.at_b = i;
    }
    std::vector<Pair> pairs;
    for (size_t i = part.a_begin; i < part.a_end; ++i) {
      const Count& count = counts[a_[i].hash];
      if (count.a == 1 && count.b == 1) pairs.push_back({i, count.at_b});
    }
    return LongestAscending(pairs);
  }

  // By b; they ascend in a.
  static std::vector<Pair> LongestAscending(const std::vector<Pair>& pairs) {
    std::vector<size_t> tails;  // of the rows of each length: the smallest end
    std::vector<size_t> before(pairs.size(), SIZE_MAX);  // in its row
    for (size_t i = 0; i < pairs.size(); ++i) {
      const auto place = std::ranges::lower_bound(tails, pairs[i].b, {},
                                                  [&](size_t tail) { return pairs[tail].b; });
      if (place != tails.begin()) before[i] = *(place - 1);
      if (place == tails.end()) {
        tails.push_back(i);
      } else {
        *place = i;
      }
    }
    std::vector<Pair> row;
    for (size_t i = tails.empty() ? SIZE_MAX : tails.back(); i != SIZE_MAX; i = before[i])
      row.push_back(pairs[i]);
    std::ranges::reverse(row);
    return row;
  }

  // The shortest script (Myers, 1986), or one hunk where it is too long.
  void StepByStep(const OutlineHunk& part) {
    const auto n = static_cast<ptrdiff_t>(part.a_end - part.a_begin);
    const auto m = static_cast<ptrdiff_t>(part.b_end - part.b_begin);
    const auto most = std::min<ptrdiff_t>(n + m, kMostSteps);
    std::vector<std::vector<ptrdiff_t>> history;
    std::vector<ptrdiff_t> reach(static_cast<size_t>(2 * most + 3), 0);
    const auto at = [most](ptrdiff_t k) { return static_cast<size_t>(k + most + 1); };
    for (ptrdiff_t d = 0; d <= most; ++d) {
      history.emplace_back(reach.begin() + (most + 1 - d), reach.begin() + (most + 2 + d));
      for (ptrdiff_t k = -d; k <= d; k += 2) {
        const bool is_down = k == -d || (k != d && reach[at(k - 1)] < reach[at(k + 1)]);
        ptrdiff_t x = is_down ? reach[at(k + 1)] : reach[at(k - 1)] + 1;
        while (x < n && x - k < m && IsEqual(part, x, x - k))
          ++x;
        reach[at(k)] = x;
        if (x >= n && x - k >= m) return Unwind(part, history, d, n, m);
      }
    }
    Add(part);
  }

  bool IsEqual(const OutlineHunk& part, ptrdiff_t x, ptrdiff_t y) const {
    return a_[part.a_begin + static_cast<size_t>(x)].hash ==
           b_[part.b_begin + static_cast<size_t>(y)].hash;
  }

  void Unwind(const OutlineHunk& part, const std::vector<std::vector<ptrdiff_t>>& history,
              ptrdiff_t steps, ptrdiff_t x, ptrdiff_t y) {
    std::vector<OutlineHunk> found;
    for (ptrdiff_t d = steps; d > 0; --d) {
      // The reach before step d, for k from -d to d.
      const auto reach = [&](ptrdiff_t k) {
        return history[static_cast<size_t>(d)][static_cast<size_t>(k + d)];
      };
      const ptrdiff_t k = x - y;
      const bool is_down = k == -d || (k != d && reach(k - 1) < reach(k + 1));
      const ptrdiff_t from = is_down ? k + 1 : k - 1;
      const ptrdiff_t before_x = reach(from);
      const ptrdiff_t before_y = before_x - from;
      const auto a = part.a_begin + static_cast<size_t>(before_x);
      const auto b = part.b_begin + static_cast<size_t>(before_y);
      found.push_back({a, is_down ? a : a + 1, b, is_down ? b + 1 : b});
      x = before_x;
      y = before_y;
    }
    // NOLINTNEXTLINE(modernize-loop-convert): Clang 14 cannot compile std::views::reverse of this library
    for (auto hunk = found.rbegin(); hunk != found.rend(); ++hunk)
      Add(*hunk);
  }

  const Units& a_;
  const Units& b_;
  std::vector<OutlineHunk> hunks_;
};

}  // namespace

std::vector<OutlineHunk> Align(const Units& a, const Units& b, const OutlineHunk& part) {
  return Aligner(a, b).Run(part);
}

}  // namespace dp2trace::diff
