#include "golden/accept.h"

#include <doctest/doctest.h>

#include <string>

#include "hashes.h"

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using golden::GoldenStatus;
using testing::kA;
using testing::kB;

namespace {

golden::GoldenImage Frame(uint64_t number, const std::string& hash) {
  return {{replay::ImageKind::kFrame, number, {}, false}, 22, hash};
}

golden::Manifest OneTrace() {
  golden::Manifest manifest;
  golden::ManifestTrace& trace = manifest.traces.emplace_back();
  trace.path = "b.json";
  trace.hash = kA;
  trace.tags = {"x"};
  trace.images = {Frame(1, kA)};
  return manifest;
}

golden::TraceResult ResultOf(const std::string& path, GoldenStatus status) {
  golden::TraceResult result;
  result.path = path;
  result.hash = result.expected_hash = kA;
  result.status = status;
  return result;
}

// Of a picture that is expected to be kA.
golden::ImageResult FirstFrame(GoldenStatus status, const std::string& actual) {
  return {.key = Frame(1, kA).key,
          .status = status,
          .expected = Frame(1, kA),
          .actual = Frame(1, actual)};
}

}  // namespace

TEST_CASE("Accept: a changed picture replaces the hash and keeps the rest") {
  golden::Manifest manifest = OneTrace();
  golden::TraceResult result = ResultOf("b.json", GoldenStatus::kDiffer);
  result.images = {FirstFrame(GoldenStatus::kDiffer, kB),
                   {.key = Frame(2, kA).key, .status = GoldenStatus::kNew, .actual = Frame(2, kB)}};
  result.findings = {{"DP2-STREAM-006", 1}};
  golden::Acceptance acceptance;
  golden::Accept(result, manifest, acceptance);
  CHECK(manifest.traces[0].images == std::vector{Frame(1, kB), Frame(2, kB)});
  CHECK(manifest.traces[0].findings == result.findings);
  CHECK(manifest.traces[0].tags == std::vector<std::string>{"x"});
  CHECK(acceptance.changes == std::vector<std::string>{"~ b.json: frame 1: " + kA + " -> " + kB,
                                                       "~ b.json: frame 2 is added: " + kB,
                                                       "~ b.json: DP2-STREAM-006: 0 -> 1 finding"});
  CHECK(acceptance.changed == 1);
}

TEST_CASE("Accept: a new trace takes its place in the order, one that is gone leaves") {
  golden::Manifest manifest = OneTrace();
  golden::Acceptance acceptance;
  golden::TraceResult added = ResultOf("a.json", GoldenStatus::kNew);
  added.expected_hash.clear();
  added.images = {{.key = Frame(1, kA).key, .status = GoldenStatus::kNew, .actual = Frame(1, kB)}};
  golden::Accept(added, manifest, acceptance);
  REQUIRE(manifest.traces.size() == 2);
  CHECK(manifest.traces[0].path == "a.json");
  golden::TraceResult gone = ResultOf("b.json", GoldenStatus::kMissing);
  gone.hash.clear();
  golden::Accept(gone, manifest, acceptance);
  REQUIRE(manifest.traces.size() == 1);
  CHECK(acceptance.changes == std::vector<std::string>{"+ a.json: 1 picture", "- b.json"});
}

TEST_CASE("Accept: a result is accepted once, and not over an entry that has changed since") {
  golden::Manifest manifest = OneTrace();
  golden::TraceResult result = ResultOf("b.json", GoldenStatus::kDiffer);
  result.images = {FirstFrame(GoldenStatus::kDiffer, kB)};
  golden::Acceptance acceptance;
  golden::Accept(result, manifest, acceptance);
  const golden::Manifest accepted = manifest;
  golden::Accept(result, manifest, acceptance);
  CHECK(manifest.traces == accepted.traces);
  CHECK(acceptance.changed == 1);
  CHECK(acceptance.refused.empty());

  manifest.traces[0].images[0].hash = std::string(32, 'c');
  golden::Accept(result, manifest, acceptance);
  CHECK(manifest.traces[0].images[0].hash == std::string(32, 'c'));
  CHECK(acceptance.refused ==
        std::vector<std::string>{
            "b.json: its entry has changed since the check: run golden check again"});
  CHECK(acceptance.changed == 1);
}

TEST_CASE("Accept: an unexpected pass takes the expected failure away") {
  golden::Manifest manifest = OneTrace();
  manifest.traces[0].expected_fail = golden::Exemption{"why", "2027-01-31", {}};
  golden::TraceResult result = ResultOf("b.json", GoldenStatus::kUnexpectedPass);
  result.images = {FirstFrame(GoldenStatus::kMatch, kA)};
  golden::Acceptance acceptance;
  golden::Accept(result, manifest, acceptance);
  CHECK_FALSE(manifest.traces[0].expected_fail.has_value());
  CHECK(manifest.traces[0].images == std::vector{Frame(1, kA)});
}

TEST_CASE("Accept: crashes, time-outs, render errors and expired entries are refused") {
  for (const GoldenStatus status :
       {GoldenStatus::kCrash, GoldenStatus::kTimeOut, GoldenStatus::kRenderError,
        GoldenStatus::kExpired, GoldenStatus::kIncomplete}) {
    golden::Manifest manifest = OneTrace();
    golden::Acceptance acceptance;
    golden::Accept(ResultOf("b.json", status), manifest, acceptance);
    CHECK(manifest.traces == OneTrace().traces);
    CHECK(acceptance.refused.size() == 1);
    CHECK(acceptance.changes.empty());
  }
}

TEST_CASE("Accept: what passed changes nothing") {
  for (const GoldenStatus status :
       {GoldenStatus::kMatch, GoldenStatus::kSkipped, GoldenStatus::kExpectedFail}) {
    golden::Manifest manifest = OneTrace();
    golden::Acceptance acceptance;
    golden::Accept(ResultOf("b.json", status), manifest, acceptance);
    CHECK(manifest.traces == OneTrace().traces);
    CHECK(acceptance.refused.empty());
    CHECK(acceptance.changes.empty());
  }
}
