#include "fast/tile/workers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <vector>

using dp2trace::fast::Workers;

TEST_CASE("Workers: every item runs once, no worker runs twice at a time") {
  for (const uint32_t count : {1U, 2U, 7U}) {
    Workers workers(count);
    for (const uint32_t items : {0U, 1U, 5U, 1000U}) {
      std::vector<std::atomic<uint32_t>> runs(items);
      std::vector<std::atomic<uint32_t>> busy(count);
      std::atomic<bool> overlaps = false;
      workers.Run(items, [&](uint32_t worker, uint32_t item) {
        if (busy[worker]++ != 0) overlaps = true;
        ++runs[item];
        --busy[worker];
      });
      CHECK(std::ranges::all_of(runs, [](const auto& run) { return run == 1; }));
      CHECK_FALSE(overlaps);
    }
  }
}
