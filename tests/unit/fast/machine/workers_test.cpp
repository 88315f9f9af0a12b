#include "fast/machine/workers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>
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

TEST_CASE("Workers: ranges make up all items, none is too small") {
  constexpr uint32_t kLeast = 16;
  for (const uint32_t count : {1U, 2U, 7U}) {
    Workers workers(count);
    for (const uint32_t items : {0U, 1U, 16U, 17U, 1000U}) {
      std::vector<std::atomic<uint32_t>> runs(items);
      std::atomic<uint32_t> small = 0;
      workers.RunRanges(items, kLeast, [&](uint32_t worker, uint32_t begin, uint32_t end) {
        if (end - begin < kLeast || worker >= count) ++small;
        for (uint32_t item = begin; item < end; ++item)
          ++runs[item];
      });
      CHECK(std::ranges::all_of(runs, [](const auto& run) { return run == 1; }));
      CHECK(small <= 1);  // the last one
    }
  }
}

TEST_CASE("Workers: what was started goes on beside the caller and other work") {
  for (const uint32_t count : {1U, 2U, 7U}) {
    Workers workers(count);
    for (const uint32_t items : {0U, 1U, 5U, 1000U}) {
      std::vector<std::atomic<uint32_t>> started(items);
      std::vector<std::atomic<uint32_t>> run(items);
      std::atomic<bool> is_done = false;
      workers.Start(items, [&](uint32_t, uint32_t item) { ++started[item]; });
      workers.Run(items, [&](uint32_t, uint32_t item) { ++run[item]; });
      workers.Finish();
      CHECK(workers.is_idle());
      const auto is_one = [](const auto& runs) { return runs == 1; };
      CHECK(std::ranges::all_of(started, is_one));
      CHECK(std::ranges::all_of(run, is_one));
      // Threads other than the caller need no help.
      if (count == 1) continue;
      workers.Start(1, [&](uint32_t worker, uint32_t) { is_done = worker != 0; });
      while (!workers.is_idle())
        std::this_thread::yield();
      workers.Finish();
      CHECK(is_done);
    }
  }
}
