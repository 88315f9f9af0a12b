// The vocabulary of golden images: which picture of a trace, what it must be, what can be said about a trace.
// Source: lib/design.md 7; lib/golden/README.md describes the files.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/images.h"

namespace dp2trace::golden {

// Which of a trace's frames and reads.
struct ImageKey {
  replay::ImageKind kind = replay::ImageKind::kFrame;
  uint64_t sequence = 0;
  std::optional<uint32_t> slice;
  bool is_stencil = false;
  auto operator<=>(const ImageKey&) const = default;
};
ImageKey KeyOf(const replay::ImageInfo& info);
// "frame 3", "read 1 slice 2 stencil".
std::string NameOf(const ImageKey& key);

struct GoldenImage {
  ImageKey key;
  uint32_t format = 0;        // D3DFORMAT of the surface; `hash` covers it
  std::string hash = {};      // XXH3-128 of the picture: its name in a store
  std::string raw_hash = {};  // of the stored bits; empty where the picture holds them all

  // Whether the stored bits are the same, too.
  bool operator==(const GoldenImage&) const = default;
};
GoldenImage ImageOf(const replay::ImageInfo& info);

// How many findings of each rule; by rule id.
using FindingCounts = std::map<std::string, uint64_t>;

// A rule with another count than is expected.
struct CountDifference {
  std::string rule;
  uint64_t actual = 0;
  uint64_t expected = 0;
};
// Sorted by rule; an absent rule counts as 0.
std::vector<CountDifference> Differences(const FindingCounts& actual,
                                         const FindingCounts& expected);

// What a check says about a trace: statuses.def.
enum class GoldenStatus : uint8_t {
#define DP2TRACE_GOLDEN_STATUS(enumerator, ...) enumerator,
#include "golden/statuses.def"
};
inline constexpr size_t kGoldenStatusCount = 0
// NOLINTNEXTLINE(bugprone-macro-parentheses): a summand
#define DP2TRACE_GOLDEN_STATUS(...) +1
#include "golden/statuses.def"
    ;

enum class Outcome : uint8_t { kPassed, kSkipped, kFailed, kError };
inline constexpr size_t kOutcomeCount = 4;
// What `golden accept` does with a trace.
enum class AcceptAction : uint8_t { kNothing, kRefused, kTaken };

struct StatusInfo {
  std::string_view name;  // "match", "findings-changed", ...
  Outcome outcome = Outcome::kPassed;
  AcceptAction acceptance = AcceptAction::kNothing;
  uint8_t rank = 0;              // what a reader wants to see first: from 0, each once
  bool can_be_expected = false;  // by an `expected_fail` of the manifest
  std::string_view says;         // for the documentation
};
const StatusInfo& Info(GoldenStatus status);
inline std::string_view Name(GoldenStatus status) {
  return Info(status).name;
}
std::optional<GoldenStatus> FindGoldenStatus(std::string_view name);
// By rank.
std::array<GoldenStatus, kGoldenStatusCount> StatusesByRank();
// Whether a check with this status fails.
bool IsFailure(GoldenStatus status);
using StatusCounts = std::array<uint64_t, kGoldenStatusCount>;

// 32 lower-case hexadecimal digits.
bool IsHash(std::string_view text);
// A path of a trace below the folder of its manifest: relative, with '/', without empty, "." and ".." parts.
bool IsPlainPath(std::string_view text);

}  // namespace dp2trace::golden
