// Results come in order, whatever thread made them and however long it took.
#include "base/in_order.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>

namespace dp2trace {

TEST_CASE("InOrder: results are taken in order, with one thread or many") {
  for (const size_t threads : {0U, 1U, 3U, 64U}) {
    CAPTURE(threads);
    std::vector<std::string> taken;
    InOrder(
        100, threads, [](size_t i) { return std::to_string(i); },
        [&](std::string result) {
          taken.push_back(std::move(result));
          return true;
        });
    REQUIRE(taken.size() == 100);
    for (size_t i = 0; i < taken.size(); ++i)
      CHECK(taken[i] == std::to_string(i));
  }
}

TEST_CASE("InOrder: no more results wait than a few per thread, and the taker may end it") {
  std::atomic<size_t> made = 0;
  size_t taken = 0;
  InOrder(
      1000, 2, [&](size_t i) { return ++made, i; }, [&](size_t) { return ++taken < 3; });
  CHECK(taken == 3);
  CHECK(made <= 3 + 2 * 4 + 2);
}

TEST_CASE("InOrder: what a thread throws is thrown") {
  const auto fail = [](size_t i) {
    if (i == 7) throw std::runtime_error("seven");
    return i;
  };
  for (const size_t threads : {1U, 4U})
    CHECK_THROWS_WITH(InOrder(20, threads, fail, [](size_t) { return true; }), "seven");
}

}  // namespace dp2trace
