#include "blame/bisection.h"

#include <map>

namespace dp2trace::blame {
namespace {

class Bisection {
 public:
  Bisection(std::span<const Shown> pictures, const std::function<Result<bool>(size_t)>& is_wrong)
      : pictures_(pictures), is_wrong_(is_wrong) {}

  Result<std::optional<FirstWrong>> Run() {
    if (pictures_.empty()) return std::optional<FirstWrong>();
    size_t wrong = pictures_.size() - 1;
    Result<bool> look = IsWrong(wrong);
    if (!look.ok()) return look.status();
    if (!*look) return std::optional<FirstWrong>();
    // A wrong picture whose forerunner of the same target is wrong, too, is not the first: each round ends further in front.
    for (;;) {
      const Result<size_t> found = Halve(wrong);
      if (!found.ok()) return found.status();
      wrong = *found;
      const std::optional<size_t> before = Forerunner(wrong);
      if (!before) return Found(wrong, before);
      look = IsWrong(*before);
      if (!look.ok()) return look.status();
      if (!*look) return Found(wrong, before);
      wrong = *before;
    }
  }

 private:
  std::optional<FirstWrong> Found(size_t index, std::optional<size_t> before) const {
    return FirstWrong{index, before, seen_.size()};
  }

  Result<bool> IsWrong(size_t index) {
    const auto seen = seen_.find(index);
    if (seen != seen_.end()) return seen->second;
    const Result<bool> look = is_wrong_(index);
    if (look.ok()) seen_[index] = *look;
    return look;
  }

  // A wrong one after a right one or at the start, at or in front of a wrong one.
  Result<size_t> Halve(size_t wrong) {
    size_t start = 0;  // all in front are right, or nobody looked
    while (start < wrong) {
      const size_t middle = start + (wrong - start) / 2;
      const Result<bool> look = IsWrong(middle);
      if (!look.ok()) return look.status();
      if (*look) {
        wrong = middle;
      } else {
        start = middle + 1;
      }
    }
    return wrong;
  }

  std::optional<size_t> Forerunner(size_t index) const {
    for (size_t i = index; i-- > 0;) {
      if (pictures_[i].target == pictures_[index].target) return i;
    }
    return std::nullopt;
  }

  std::span<const Shown> pictures_;
  const std::function<Result<bool>(size_t)>& is_wrong_;
  std::map<size_t, bool> seen_;
};

}  // namespace

Result<std::optional<FirstWrong>> FindFirstWrong(
    std::span<const Shown> pictures, const std::function<Result<bool>(size_t)>& is_wrong) {
  return Bisection(pictures, is_wrong).Run();
}

}  // namespace dp2trace::blame
