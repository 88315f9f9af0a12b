// The vocabulary of golden images: which picture of a trace, what it must be, what can be said about a trace.
// Source: DESIGN section 7; golden.md describes the files.
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

// How many findings of each rule; by rule id.
using FindingCounts = std::map<std::string, uint64_t>;

// A rule with another count than is due.
struct CountDifference {
  std::string rule;
  uint64_t actual = 0;
  uint64_t expected = 0;
};
// Sorted by rule; an absent rule counts as 0.
std::vector<CountDifference> Differences(const FindingCounts& actual,
                                         const FindingCounts& expected);

// What a check says about a trace; the first seven say it about single pictures, too.
enum class GoldenStatus : uint8_t {
  kMatch,  // everything is as the manifest says
  kDiffer,  // a picture has other pixels or bits, or the trace is not the one that the manifest means
  kNew,     // a trace or picture that the manifest lacks
  kMissing,          // a trace or picture of the manifest that no longer comes
  kFindingsChanged,  // the pictures match, the counts of findings do not
  kRenderError,      // the trace cannot be opened, or its replay gave up
  kCrash,            // the worker died
  kTimeOut,          // the worker was ended at its time limit
  kSkipped,          // the manifest says so, with a reason
  kExpectedFail,     // it failed, and the manifest expects that, with a reason
  kUnexpectedPass,   // the manifest expects a failure, and it passed
  kExpired,  // the entry of the manifest that skips it, or expects a failure, is past its day
};
inline constexpr size_t kGoldenStatusCount = 12;
// "match", "findings-changed", ...
std::string_view Name(GoldenStatus status);
std::optional<GoldenStatus> FindGoldenStatus(std::string_view name);
// Whether a check with this status fails: all but match, skipped and expected-fail.
bool IsFailure(GoldenStatus status);
using StatusCounts = std::array<uint64_t, kGoldenStatusCount>;

// "1 trace", "2 traces": the plural ends in s.
std::string Count(uint64_t count, std::string_view noun);
// 32 lower-case hexadecimal digits.
bool IsHash(std::string_view text);
// A path of a trace below the folder of its manifest: relative, with '/', without empty, "." and ".." parts.
bool IsPlainPath(std::string_view text);

}  // namespace dp2trace::golden
