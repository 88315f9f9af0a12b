// Which units of two outlines are the same.
#pragma once

#include <cstddef>
#include <vector>

#include "diff/outline.h"

namespace dp2trace::diff {

// A stretch of units of either side that stand between equal ones; not both are empty.
struct OutlineHunk {
  size_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;
};
// What differs within the part of both, in order.
std::vector<OutlineHunk> Align(const std::vector<OutlineUnit>& a, const std::vector<OutlineUnit>& b,
                               const OutlineHunk& part);
inline std::vector<OutlineHunk> Align(const std::vector<OutlineUnit>& a,
                                      const std::vector<OutlineUnit>& b) {
  return Align(a, b, {0, a.size(), 0, b.size()});
}

}  // namespace dp2trace::diff
