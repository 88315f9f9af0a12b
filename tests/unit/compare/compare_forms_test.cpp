#include "compare/compare_forms.h"

#include <doctest/doctest.h>

using namespace dp2trace;           // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::compare;  // NOLINT(google-build-using-namespace): test file

namespace {

PairResult ResultOf(const std::string& name, PairState state) {
  PairResult result;
  result.pair.name = name;
  result.state = state;
  result.comparison.beyond.same_size = true;
  return result;
}

}  // namespace

TEST_CASE("compare: one picture has its line, of several those that are equal have none") {
  const Compared files = {.expected = "a.png", .actual = "b.png"};
  CHECK(ReportText(files, {ResultOf("a.png", PairState::kEqual)}) == "a.png: equal\n");
  const Compared folders = {.expected = "one", .actual = "two", .are_folders = true};
  CHECK(ReportText(folders,
                   {ResultOf("a.png", PairState::kEqual), ResultOf("b.png", PairState::kMissing),
                    ResultOf("c.png", PairState::kExtra)}) ==
        "b.png: missing: two does not have it\n"
        "c.png: extra: one does not have it\n"
        "3 pictures: 1 equal, 1 missing, 1 extra\n");
}

TEST_CASE("compare: what cannot be read says why, in both forms") {
  PairResult result = ResultOf("a.png", PairState::kUnreadable);
  result.failures.emplace_back("b.png", Failure(dp2trace::Rule{1}, "it has no pixels"));
  CHECK(ReportText({}, {result}) == "a.png: cannot read b.png: it has no pixels\n");
  CHECK(ReportJson({result}).ends_with(
      ",\"schema\":\"compare/1\",\"pictures\":[\n{\"name\":\"a.png\",\"state\":\"unreadable\",\"unreadable\":"
      "[{\"file\":\"b.png\",\"message\":\"it has no pixels\"}]}\n]}\n"));
}
