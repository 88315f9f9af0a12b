#include "base/near_miss.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace dp2trace {
namespace {

constexpr size_t kMaxWord = 64;  // characters; longer words have no near miss

char Upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

// Letters added, left out, changed, or exchanged with their neighbour, without regard to case.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before;
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool is_same = Upper(a[i - 1]) == Upper(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (is_same ? 0U : 1U)});
      const bool is_exchanged = i > 1 && j > 1 && Upper(a[i - 1]) == Upper(b[j - 2]) &&
                                Upper(a[i - 2]) == Upper(b[j - 1]);
      if (is_exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string NearMissClause(std::string_view word, std::span<const std::string_view> names) {
  if (word.empty() || word.size() > kMaxWord) return {};
  std::string_view best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string_view name : names) {
    const size_t distance = Distance(word, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best.empty() ? std::string() : "; did you mean " + std::string(best) + "?";
}

}  // namespace dp2trace
