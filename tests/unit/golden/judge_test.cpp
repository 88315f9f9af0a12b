#include "golden/judge.h"

#include <doctest/doctest.h>

#include <string>

#include "hashes.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using golden::GoldenStatus;
using testing::kA;
using testing::kB;

namespace {

const std::string kFile(32, '0');

golden::GoldenImage Frame(uint64_t number, const std::string& hash,
                          const std::string& raw_hash = {}) {
  return {{replay::ImageKind::kFrame, number, {}, false}, 22, hash, raw_hash};
}

// A manifest entry with frame 1, and the record that matches it.
struct Case {
  golden::ManifestTrace entry{.path = "t.json",
                              .hash = kFile,
                              .tags = {},
                              .skip = {},
                              .expected_fail = {},
                              .findings = {},
                              .images = {Frame(1, kA)}};
  golden::RenderRecord record;
  Case() { record.images = {{Frame(1, kA), 7}}; }
  golden::TraceResult Judge(const std::string& hash = kFile) const {
    return golden::Judge({entry.path, &entry, {}}, hash, record);
  }
};

}  // namespace

TEST_CASE("Judge: the same pictures and findings match") {
  const golden::TraceResult result = Case().Judge();
  CHECK(result.status == GoldenStatus::kMatch);
  CHECK(result.message.empty());
  REQUIRE(result.images.size() == 1);
  CHECK(result.images[0].status == GoldenStatus::kMatch);
  CHECK(result.images[0].event == 7);
}

TEST_CASE("Judge: another picture, other stored bits and another format differ") {
  Case pixels;
  pixels.record.images[0].image.hash = kB;
  CHECK(pixels.Judge().status == GoldenStatus::kDiffer);
  CHECK(pixels.Judge().message == "frame 1 differs");
  pixels.entry.hash = kB;
  CHECK(pixels.Judge().message == "frame 1 differs; the file of the trace has changed, too");
  Case bits;
  bits.record.images[0].image.raw_hash = kB;
  CHECK(bits.Judge().status == GoldenStatus::kDiffer);
  Case format;
  format.record.images[0].image.format = 21;
  CHECK(format.Judge().status == GoldenStatus::kDiffer);
}

TEST_CASE("Judge: pictures that only one side has are new or missing") {
  Case more;
  more.record.images.push_back({Frame(2, kA), 9});
  CHECK(more.Judge().status == GoldenStatus::kNew);
  CHECK(more.Judge().message == "frame 2 is new");
  Case fewer;
  fewer.record.images.clear();
  CHECK(fewer.Judge().status == GoldenStatus::kMissing);
  REQUIRE(fewer.Judge().images.size() == 1);
  CHECK(fewer.Judge().images[0].status == GoldenStatus::kMissing);
}

TEST_CASE("Judge: what differs counts before what is missing") {
  Case both;
  both.entry.images = {Frame(1, kA), Frame(2, kA), Frame(3, kA)};
  both.record.images = {{Frame(2, kB), 1}, {Frame(3, kA), 2}};
  const golden::TraceResult result = both.Judge();
  CHECK(result.status == GoldenStatus::kDiffer);
  CHECK(result.message == "frame 2 differs");
  CHECK(result.images.size() == 3);
}

TEST_CASE("Judge: other counts of findings are a status of their own") {
  Case findings;
  findings.entry.findings = {{"DP2-STREAM-006", 2}, {"DP2-STREAM-009", 1}};
  findings.record.findings = {{"DP2-STREAM-006", 3}, {"DP2-STREAM-009", 1}};
  CHECK(findings.Judge().status == GoldenStatus::kFindingsChanged);
  CHECK(findings.Judge().message == "findings: DP2-STREAM-006 3, expected 2");
  findings.record.findings = findings.entry.findings;
  CHECK(findings.Judge().status == GoldenStatus::kMatch);
}

TEST_CASE(
    "Judge: a trace that is not the one of the manifest differs, even with the same pictures") {
  CHECK(Case().Judge(kB).status == GoldenStatus::kDiffer);
}

TEST_CASE("Judge: a replay that gave up is a render error, whatever it drew") {
  Case error;
  error.record.error = "why";
  CHECK(error.Judge().status == GoldenStatus::kRenderError);
  CHECK(error.Judge().message == "why");
}

TEST_CASE("Judge: a trace that the manifest lacks is new") {
  const golden::RunTrace trace{"t.json", nullptr, kFile};
  CHECK(golden::Judge(trace, kFile, Case().record).status == GoldenStatus::kNew);
}

TEST_CASE("Judge: an expected failure passes, an unexpected pass does not") {
  Case known;
  known.entry.expected_fail = golden::Exemption{"a known bug", "2027-01-31", {}};
  CHECK(known.Judge().status == GoldenStatus::kUnexpectedPass);
  known.record.images[0].image.hash = kB;
  CHECK(known.Judge().status == GoldenStatus::kExpectedFail);
  CHECK(known.Judge().actual_status == GoldenStatus::kDiffer);
  CHECK(known.Judge().message == "a known bug: frame 1 differs");
  known.entry.expected_fail->status = GoldenStatus::kMissing;
  CHECK(known.Judge().status == GoldenStatus::kDiffer);
}

TEST_CASE("JudgeFailure: crashes and time-outs are expected only by name") {
  Case known;
  known.entry.expected_fail = golden::Exemption{"a known bug", "2027-01-31", {}};
  const golden::RunTrace trace{"t.json", &known.entry, {}};
  CHECK(golden::JudgeFailure(trace, kFile, GoldenStatus::kCrash, "x").status ==
        GoldenStatus::kCrash);
  CHECK(golden::JudgeFailure(trace, kFile, GoldenStatus::kTimeOut, "x").status ==
        GoldenStatus::kTimeOut);
  CHECK(golden::JudgeFailure(trace, kFile, GoldenStatus::kRenderError, "x").status ==
        GoldenStatus::kExpectedFail);
  known.entry.expected_fail->status = GoldenStatus::kCrash;
  CHECK(golden::JudgeFailure(trace, kFile, GoldenStatus::kCrash, "x").status ==
        GoldenStatus::kExpectedFail);
}

TEST_CASE("JudgeBefore: skipped up to the last day, expired after it") {
  Case skipped;
  skipped.entry.skip = golden::Exemption{"too slow", "2027-01-31", {}};
  const golden::RunTrace trace{"t.json", &skipped.entry, {}};
  CHECK(golden::JudgeBefore(trace, "2027-01-31")->status == GoldenStatus::kSkipped);
  CHECK(golden::JudgeBefore(trace, "2027-01-31")->message == "too slow");
  CHECK(golden::JudgeBefore(trace, "2027-02-01")->status == GoldenStatus::kExpired);
  CHECK(golden::JudgeBefore(trace, "2027-02-01")->message ==
        "the entry 'skip' expired on 2027-01-31: too slow");

  Case failing;
  failing.entry.expected_fail = golden::Exemption{"a known bug", "2027-01-31", {}};
  const golden::RunTrace other{"t.json", &failing.entry, {}};
  CHECK_FALSE(golden::JudgeBefore(other, "2027-01-31").has_value());
  CHECK(golden::JudgeBefore(other, "2027-02-01")->status == GoldenStatus::kExpired);
  CHECK_FALSE(golden::JudgeBefore({"t.json", nullptr, kFile}, "2027-02-01").has_value());

  // A tolerance counts only where another renderer is judged.
  Case tolerant;
  tolerant.entry.tolerance = golden::Tolerance{2, 0, 0, {"rounding", "2027-01-31", {}}};
  const golden::RunTrace near{"t.json", &tolerant.entry, {}};
  CHECK_FALSE(golden::JudgeBefore(near, "2027-02-01").has_value());
  CHECK_FALSE(golden::JudgeBefore(near, "2027-01-31", true).has_value());
  CHECK(golden::JudgeBefore(near, "2027-02-01", true)->message ==
        "the entry 'tolerance' expired on 2027-01-31: rounding");
}
