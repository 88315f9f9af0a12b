#include "reduce/goal.h"

#include <doctest/doctest.h>

#include <string>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

TEST_CASE("goals: what a text says") {
  const trace_model::RenderOptions options;
  for (const char* const good :
       {"finding=DP2-TSS-005", "pixel=1,2,FF00aa", "pixel=1,2,#ff00aa", "pixel=1,2,#80ff00aa",
        "pixel=0,0,#000000@24", "run=test -s {trace}"}) {
    CAPTURE(good);
    CHECK(reduce::MakeGoal(good, options).ok());
  }
  CHECK(reduce::MakeGoal("pixel=1,2,#000000", options, reduce::GoalPicture::kRead).ok());
  CHECK_FALSE(reduce::MakeGoal("pixel=1,2,#000000@24", options, reduce::GoalPicture::kRead).ok());
  for (const char* const bad :
       {"", "finding", "finding=DP2-NONE-1", "pixel=1,2", "pixel=1,2,1000000", "pixel=-1,2,#000000",
        "pixel=1,2,#000000@", "pixel=1,2,#000000@3x", "pixel=1,2,0",
        "run=", "differs-from=/no/such.png", "other=1"}) {
    CAPTURE(bad);
    CHECK_FALSE(reduce::MakeGoal(bad, options).ok());
  }
}

TEST_CASE("goals: a command of the user says yes with 0") {
  const trace_model::Model model;
  const trace_model::RenderOptions options;
  WorkBudget work(0);  // what a command takes is not counted
  // What every shell has: the trace is there, and the file is not that is named after it.
  CHECK((*reduce::MakeGoal("run=dir {trace}", options))->Holds(model, work));
  CHECK_FALSE((*reduce::MakeGoal("run=dir {trace}.none", options))->Holds(model, work));
}
