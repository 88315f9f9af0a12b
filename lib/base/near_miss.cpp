#include "base/near_miss.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dp2trace {
namespace {

constexpr size_t kMaxWord = 64;  // characters; longer words have no near miss

char Upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

// Levenshtein distance without regard to case.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t above = row[j + 1];
      row[j + 1] =
          std::min({above + 1, row[j] + 1, diagonal + (Upper(a[i]) == Upper(b[j]) ? 0U : 1U)});
      diagonal = above;
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
