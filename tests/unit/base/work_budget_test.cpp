#include "base/work_budget.h"

#include <doctest/doctest.h>

#include <cstdint>

using dp2trace::WorkBudget;

TEST_CASE("WorkBudget: what is there can be spent, then nothing") {
  WorkBudget work(10);
  CHECK(work.Spend(4));
  CHECK(work.spent() == 4);
  CHECK(work.Spend(6));
  CHECK_FALSE(work.is_spent());
  CHECK(work.spent() == 10);
  CHECK_FALSE(work.Spend(1));
  CHECK(work.is_spent());
}

TEST_CASE("WorkBudget: a piece that does not fit ends it, smaller pieces after it too") {
  WorkBudget work(10);
  CHECK_FALSE(work.Spend(UINT64_MAX));
  CHECK(work.spent() == 10);
  CHECK_FALSE(work.Spend(1));
  CHECK_FALSE(work.Spend(0));
}

TEST_CASE("WorkBudget: what a part spends counts, all of it where the part ran out") {
  WorkBudget work(10);
  WorkBudget part(work.left());
  part.Spend(4);
  work.SpendAs(part);
  CHECK(work.left() == 6);
  WorkBudget greedy(work.left());
  greedy.Spend(7);
  work.SpendAs(greedy);
  CHECK(work.is_spent());
  CHECK(work.left() == 0);
}
