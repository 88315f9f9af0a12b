#include "golden/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/plain_text.h"

namespace dp2trace::golden {
namespace {

TraceResult Start(const RunTrace& trace, const std::string& hash) {
  TraceResult result;
  result.path = trace.path;
  result.hash = hash;
  if (trace.expected != nullptr) {
    result.expected_hash = trace.expected->hash;
    result.expected_findings = trace.expected->findings;
  }
  return result;
}

ImageResult MatchImage(const GoldenImage& expected, const RenderedImage& actual) {
  const GoldenStatus status =
      expected == actual.image ? GoldenStatus::kMatch : GoldenStatus::kDiffer;
  return {.key = expected.key,
          .status = status,
          .expected = expected,
          .actual = actual.image,
          .event = actual.event};
}

// The pictures of both sides, in the order of their keys.
std::vector<ImageResult> PairImages(const std::vector<GoldenImage>& expected,
                                    const std::vector<RenderedImage>& actual) {
  std::vector<ImageResult> images;
  auto e = expected.begin();
  auto a = actual.begin();
  while (e != expected.end() || a != actual.end()) {
    if (a == actual.end() || (e != expected.end() && e->key < a->image.key)) {
      images.push_back({.key = e->key, .status = GoldenStatus::kMissing, .expected = *e});
      ++e;
    } else if (e == expected.end() || a->image.key < e->key) {
      images.push_back({.key = a->image.key,
                        .status = GoldenStatus::kNew,
                        .actual = a->image,
                        .event = a->event});
      ++a;
    } else {
      images.push_back(MatchImage(*e++, *a++));
    }
  }
  return images;
}

const ImageResult* FirstWith(const TraceResult& result, GoldenStatus status) {
  const auto found = std::ranges::find(result.images, status, &ImageResult::status);
  return found == result.images.end() ? nullptr : &*found;
}

// "DP2-STREAM-006 1, expected 2; ..."
std::string DescribeFindings(const FindingCounts& actual, const FindingCounts& expected) {
  std::string text = "findings:";
  for (const CountDifference& difference : Differences(actual, expected)) {
    text += fmt::format("{} {} {}, expected {}", text.ends_with(':') ? "" : ",", difference.rule,
                        difference.actual, difference.expected);
  }
  return text;
}

// Status and message of a trace that was replayed, the worst first.
void Summarize(TraceResult& result, const RenderRecord& record) {
  using enum GoldenStatus;
  if (!record.error.empty()) {
    result.status = record.failure;
    result.message = record.error;
    return;
  }
  if (result.expected_hash.empty()) {
    result.status = kNew;
    result.message = fmt::format("the manifest lacks this trace; it gives {}",
                                 Counted(result.images.size(), "picture"));
    return;
  }
  for (const GoldenStatus status : {kDiffer, kMissing, kNew}) {
    if (const ImageResult* const image = FirstWith(result, status)) {
      result.status = status;
      result.message = Describe(*image);
      if (result.hash != result.expected_hash)
        result.message += "; the file of the trace has changed, too";
      return;
    }
  }
  if (result.hash != result.expected_hash) {
    result.status = kDiffer;
    result.message = fmt::format(
        "the pictures match, the file of the trace has changed: its hash is {}, expected {}",
        result.hash, result.expected_hash);
  } else if (result.findings != result.expected_findings) {
    result.status = kFindingsChanged;
    result.message = DescribeFindings(result.findings, result.expected_findings);
  }
}

bool IsExpected(const Exemption& exemption, GoldenStatus status) {
  if (exemption.status) return *exemption.status == status;
  return IsFailure(status) && status != GoldenStatus::kCrash && status != GoldenStatus::kTimeOut;
}

// Turns the failure that the manifest expects into one that passes.
void Excuse(const RunTrace& trace, TraceResult& result) {
  if (trace.expected == nullptr || !trace.expected->expected_fail) return;
  const Exemption& exemption = *trace.expected->expected_fail;
  if (result.status == GoldenStatus::kMatch) {
    result.status = GoldenStatus::kUnexpectedPass;
    result.message = fmt::format("a failure is expected: {}", exemption.reason);
  } else if (IsExpected(exemption, result.status)) {
    result.actual_status = std::exchange(result.status, GoldenStatus::kExpectedFail);
    result.message = fmt::format("{}: {}", exemption.reason, result.message);
  }
}

TraceResult Expired(const RunTrace& trace, std::string_view what, const Exemption& exemption) {
  TraceResult result = Start(trace, trace.expected->hash);
  result.status = GoldenStatus::kExpired;
  result.message =
      fmt::format("the entry '{}' expired on {}: {}", what, exemption.expires, exemption.reason);
  result.findings = result.expected_findings;
  return result;
}

}  // namespace

std::optional<TraceResult> JudgeBefore(const RunTrace& trace, std::string_view today,
                                       bool has_tolerance) {
  if (trace.expected == nullptr) return std::nullopt;
  const ManifestTrace& expected = *trace.expected;
  if (expected.skip && expected.skip->expires < today)
    return Expired(trace, "skip", *expected.skip);
  if (expected.expected_fail && expected.expected_fail->expires < today)
    return Expired(trace, "expected_fail", *expected.expected_fail);
  if (has_tolerance && expected.tolerance && expected.tolerance->until.expires < today)
    return Expired(trace, "tolerance", expected.tolerance->until);
  if (!expected.skip) return std::nullopt;
  TraceResult result = Start(trace, expected.hash);
  result.status = GoldenStatus::kSkipped;
  result.message = expected.skip->reason;
  result.findings = result.expected_findings;
  return result;
}

TraceResult Judge(const RunTrace& trace, const std::string& hash, const RenderRecord& record) {
  static const std::vector<GoldenImage> kNone;
  TraceResult result = Start(trace, hash);
  result.images =
      PairImages(trace.expected != nullptr ? trace.expected->images : kNone, record.images);
  result.findings = record.findings;
  result.listed_findings = record.listed_findings;
  Summarize(result, record);
  Excuse(trace, result);
  if (result.status != GoldenStatus::kMatch) result.output = record.output;
  return result;
}

TraceResult JudgeFailure(const RunTrace& trace, const std::string& hash, GoldenStatus status,
                         std::string message) {
  TraceResult result = Start(trace, hash);
  result.findings = result.expected_findings;
  result.status = status;
  result.message = std::move(message);
  Excuse(trace, result);
  return result;
}

}  // namespace dp2trace::golden
