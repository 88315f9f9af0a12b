#include "compare/compare_pictures.h"

namespace dp2trace::compare {
namespace {

PairState StateOf(const image::LooseComparison& comparison, const PairOptions& options) {
  if (comparison.compared_pixels == 0) return PairState::kOutside;
  if (comparison.beyond.equal()) return PairState::kEqual;
  const bool is_accepted =
      comparison.beyond.same_size && comparison.beyond.differing_pixels <= options.max_pixels;
  return is_accepted ? PairState::kAccepted : PairState::kDifferent;
}

}  // namespace

std::string_view Name(PairState state) {
  constexpr std::string_view kNames[] = {"equal", "accepted",   "different", "missing",
                                         "extra", "unreadable", "outside"};
  return kNames[static_cast<size_t>(state)];
}

PairResult ComparePictures(const image::Picture& expected, const image::Picture& actual,
                           const PairOptions& options) {
  PairResult result;
  result.comparison = image::CompareLoosely(expected, actual, options.loose);
  result.state = StateOf(result.comparison, options);
  if (result.state == PairState::kDifferent)
    result.diagnosis = image::Diagnose(expected, actual, options.loose);
  return result;
}

}  // namespace dp2trace::compare
