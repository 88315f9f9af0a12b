// What a fuzz target demands: a violated condition is reported like a crash.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace dp2trace::testing {

inline void Require(bool condition, const char* what) {
  if (condition) return;
  (void)std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace dp2trace::testing
