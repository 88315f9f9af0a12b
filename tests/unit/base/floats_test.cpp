#include "base/floats.h"

#include <doctest/doctest.h>

namespace dp2trace {
namespace {

// What the caller has set is back at the end.
class Rounding {
 public:
  explicit Rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(before_); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  int before_;
};

TEST_CASE("DefaultFloats: rounds to nearest as long as it lives, then as the caller does") {
  const Rounding up(FE_UPWARD);
  {
    const DefaultFloats floats;
    CHECK(std::fegetround() == FE_TONEAREST);
  }
  CHECK(std::fegetround() == FE_UPWARD);
}

TEST_CASE("StartThread: a thread does not take the rounding of the one that starts it") {
  const Rounding down(FE_DOWNWARD);
  int rounding = -1;
  StartThread([&rounding] { rounding = std::fegetround(); }).join();
  CHECK(rounding == FE_TONEAREST);
  CHECK(std::fegetround() == FE_DOWNWARD);
}

}  // namespace
}  // namespace dp2trace
