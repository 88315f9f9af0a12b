#include "golden/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "os/path.h"

namespace dp2trace::golden {
namespace {

constexpr StatusInfo kStatuses[] = {
#define DP2TRACE_GOLDEN_STATUS(enumerator, name, outcome, acceptance, rank, expected, says) \
  {name, Outcome::outcome, AcceptAction::acceptance, rank, expected, says},
#include "golden/statuses.def"
};

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

ImageKey KeyOf(const replay::ImageInfo& info) {
  return {info.kind, info.sequence, info.slice, info.is_stencil};
}

GoldenImage ImageOf(const replay::ImageInfo& info) {
  return {KeyOf(info), static_cast<uint32_t>(info.format), info.hash, info.raw_hash};
}

std::string NameOf(const ImageKey& key) {
  std::string name = fmt::format("{} {}", replay::Name(key.kind), key.sequence);
  if (key.slice) name += fmt::format(" slice {}", *key.slice);
  if (key.is_stencil) name += " stencil";
  return name;
}

std::vector<CountDifference> Differences(const FindingCounts& actual,
                                         const FindingCounts& expected) {
  FindingCounts rules = actual;
  rules.insert(expected.begin(), expected.end());
  const auto count_in = [](const FindingCounts& counts, const std::string& rule) {
    const auto found = counts.find(rule);
    return found == counts.end() ? uint64_t{0} : found->second;
  };
  std::vector<CountDifference> differences;
  for (const auto& [rule, count] : rules) {
    const CountDifference difference{rule, count_in(actual, rule), count_in(expected, rule)};
    if (difference.actual != difference.expected) differences.push_back(difference);
  }
  return differences;
}

const StatusInfo& Info(GoldenStatus status) {
  return kStatuses[static_cast<size_t>(status)];
}

std::optional<GoldenStatus> FindGoldenStatus(std::string_view name) {
  const auto* const found = std::ranges::find(kStatuses, name, &StatusInfo::name);
  if (found == std::end(kStatuses)) return std::nullopt;
  return static_cast<GoldenStatus>(found - std::begin(kStatuses));
}

std::array<GoldenStatus, kGoldenStatusCount> StatusesByRank() {
  std::array<GoldenStatus, kGoldenStatusCount> statuses{};
  for (size_t i = 0; i < kGoldenStatusCount; ++i)
    statuses[kStatuses[i].rank] = static_cast<GoldenStatus>(i);
  return statuses;
}

bool IsFailure(GoldenStatus status) {
  const Outcome outcome = Info(status).outcome;
  return outcome == Outcome::kFailed || outcome == Outcome::kError;
}

bool IsHash(std::string_view text) {
  const auto is_digit = [](char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); };
  return text.size() == 32 && std::ranges::all_of(text, is_digit);
}

bool IsPlainPath(std::string_view text) {
  while (true) {
    const size_t slash = text.find('/');
    const std::string_view part = text.substr(0, slash);
    if (part.empty() || part == "." || part == ".." || part.find('\0') != std::string_view::npos)
      return false;
    if (dp2trace::NameOf(std::string(part)) != part)
      return false;  // it is a path of its own: "C:x"
    if (slash == std::string_view::npos) return true;
    text.remove_prefix(slash + 1);
  }
}

}  // namespace dp2trace::golden
