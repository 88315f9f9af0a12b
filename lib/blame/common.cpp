#include "blame/common.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>

#include "d3d/enums.h"

namespace dp2trace::blame {
namespace {

constexpr double kLeastGain = 0.5;

std::vector<uint64_t> CountFacts(const Frame& frame, std::span<const uint32_t> draws) {
  std::vector<uint64_t> counts(frame.facts.size());
  for (const uint32_t draw : draws) {
    for (const FactNumber fact : frame.operations[draw].facts)
      ++counts[fact];
  }
  return counts;
}

double Part(uint64_t count, uint64_t of) {
  return static_cast<double>(count) / static_cast<double>(of);
}

// States are what a driver gets wrong; which texture it is says less.
int RankOf(const Fact& fact) {
  const std::string_view name = fact.name;
  const bool is_transform = FindValue(d3d::kTransformStateNames, name) != nullptr;
  const bool is_state = (!is_transform && name.find_first_of("abcdefghijklmnopqrstuvwxyz") ==
                                              std::string_view::npos) ||
                        name.starts_with("stage ");
  if (is_state) return 0;
  if (name.starts_with("format of ") || name == "operation" || name == "primitive type") return 1;
  if (name.ends_with("shader")) return 2;
  return name.starts_with("texture ") && name != "texture stages in use" ? 4 : 3;
}

std::string CountText(uint64_t count, uint64_t of, std::string_view what, std::string_view verb) {
  if (count == of && of == 1) return fmt::format("the {} {}", what, verb);
  if (count == of && of == 2) return fmt::format("both {} {}", what, verb);
  if (count == of) return fmt::format("all {} {} {}", of, what, verb);
  return fmt::format("{} of the {} {} {}", count, of, what, verb);
}

}  // namespace

Common FindCommon(const Frame& frame, std::span<const uint32_t> wrong,
                  std::span<const uint32_t> right) {
  Common common;
  common.wrong_draws = wrong.size();
  common.right_draws = right.size();
  if (wrong.empty() || right.empty()) return common;
  const std::vector<uint64_t> wrong_counts = CountFacts(frame, wrong);
  const std::vector<uint64_t> right_counts = CountFacts(frame, right);
  const auto gain = [&](const SharedFact& shared) {
    return Part(shared.wrong, wrong.size()) - Part(shared.right, right.size());
  };
  for (FactNumber fact = 0; fact < frame.facts.size(); ++fact) {
    const SharedFact shared = {fact, wrong_counts[fact], right_counts[fact]};
    if (gain(shared) >= kLeastGain) common.facts.push_back(shared);
  }
  std::ranges::sort(common.facts, {}, [&](const SharedFact& shared) {
    return std::tuple(-gain(shared), RankOf(frame.facts.at(shared.fact)), shared.fact);
  });
  // Where something tells all of them apart, what tells most of them apart is of no interest.
  const auto is_exact = [&](const SharedFact& shared) {
    return shared.wrong == wrong.size() && shared.right == 0;
  };
  if (!common.facts.empty() && is_exact(common.facts.front()))
    std::erase_if(common.facts, [&](const SharedFact& shared) { return !is_exact(shared); });
  if (common.facts.size() > kMaxSharedFacts) {
    common.further_facts = common.facts.size() - kMaxSharedFacts;
    common.facts.resize(kMaxSharedFacts);
  }
  return common;
}

std::string SentenceOf(const Common& common, const SharedFact& shared, const FactTable& facts) {
  const Fact& fact = facts.at(shared.fact);
  const std::string subject = CountText(
      shared.wrong, common.wrong_draws,
      common.wrong_draws == 1 ? "draw whose pixels are wrong" : "draws whose pixels are wrong",
      shared.wrong == 1 ? "has" : "have");
  const std::string sentence = fmt::format("{} {} = {}; ", subject, fact.name, fact.value);
  if (common.right_draws == 1)
    return sentence + (shared.right == 0 ? "the right one does not" : "the right one does, too");
  if (shared.right == 0)
    return sentence + fmt::format("none of the {} right ones does", common.right_draws);
  return sentence + fmt::format("{} of the {} right ones {}, too", shared.right, common.right_draws,
                                shared.right == 1 ? "does" : "do");
}

}  // namespace dp2trace::blame
