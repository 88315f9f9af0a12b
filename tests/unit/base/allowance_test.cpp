#include "base/allowance.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

using dp2trace::Allowance;
using dp2trace::MemoryShare;

TEST_CASE("Allowance: memory is held and given back; what does not fit exceeds it for good") {
  Allowance allowance(100);
  CHECK(allowance.Take(60));
  CHECK(allowance.Fits(40));
  CHECK_FALSE(allowance.Fits(41));
  CHECK_FALSE(allowance.is_exceeded());
  CHECK_FALSE(allowance.Take(41));
  CHECK(allowance.is_exceeded());
  CHECK(
      allowance.Reason() ==
      "41 more bytes of memory are needed, 60 of at most 100 are in use; --max-memory raises the limit");
  allowance.Give(60);
  CHECK(allowance.in_use() == 0);
  CHECK_FALSE(allowance.Take(UINT64_MAX));
  // What was refused was not held.
  allowance.Give(41);
  CHECK(allowance.in_use() == 0);
}

TEST_CASE("Allowance: work ends it, too") {
  Allowance allowance(100, 10);
  CHECK(allowance.Spend(10));
  CHECK_FALSE(allowance.is_exceeded());
  CHECK_FALSE(allowance.Spend(1));
  CHECK(allowance.is_exceeded());
  CHECK(allowance.Reason().find("10 steps") != std::string::npos);
  CHECK(allowance.Reason().find("--max-steps") != std::string::npos);
}

TEST_CASE("MemoryShare: ends with its object") {
  const auto allowance = std::make_shared<Allowance>(100);
  {
    MemoryShare share(allowance, 70);
    CHECK(share.is_granted());
    share = MemoryShare(allowance, 30);
    CHECK(allowance->in_use() == 30);
    CHECK_FALSE(MemoryShare(allowance, 71).is_granted());
  }
  CHECK(allowance->in_use() == 0);
}
