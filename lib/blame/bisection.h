// Which of several pictures is the first wrong one, where each look at one costs something.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/status.h"

namespace dp2trace::blame {

// Pictures in the order of the trace, each of a target: a picture that is wrong may have been so before, after the last one of the same
// target that is right.
struct Shown {
  uint64_t number = 0;  // of the draw or frame
  uint64_t target = 0;
};

struct FirstWrong {
  size_t index = 0;  // of the first wrong picture
  std::optional<size_t>
      last_right;  // the one before it of the same target, which is right; none: there is none
  uint64_t looks = 0;
};

// `is_wrong` looks at one picture, at none twice; what it fails with is the result. Nothing where the last picture is right.
// The picture that is found is wrong, and the one of the same target in front of it is right: the draw between the two makes the
// difference. About log2 of the count are looked at.
Result<std::optional<FirstWrong>> FindFirstWrong(
    std::span<const Shown> pictures, const std::function<Result<bool>(size_t)>& is_wrong);

}  // namespace dp2trace::blame
