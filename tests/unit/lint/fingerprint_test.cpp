#include "lint/fingerprint.h"
#include "rules/rule.h"
#include "rules/rule_info.h"

#include <doctest/doctest.h>

#include <iterator>
#include <set>
#include <string>

using namespace dp2trace;        // NOLINT(google-build-using-namespace): test file
using namespace dp2trace::lint;  // NOLINT(google-build-using-namespace): test file

namespace {

// A finding inside a token at `offset`.
Diagnostic FindingAt(uint64_t offset, const std::string& token) {
  Diagnostic finding = MakeDiagnostic(Rule::kDp2Stream009, "bReserved");
  finding.event = offset / 100;
  finding.offset = offset + 1;
  finding.path = "commands/" + std::to_string(offset) + "/reserved";
  finding.actual = "1";
  finding.excerpt.token = "0x0000 " + token;
  finding.excerpt.token_offset = offset;
  return finding;
}

std::string FingerprintOf(const Diagnostic& finding) {
  return Fingerprints().Next(finding);
}

}  // namespace

TEST_CASE("Fingerprints: survive a shift of the stream") {
  Diagnostic moved = FindingAt(512, "RENDERSTATE 1");
  moved.excerpt.token = "0x0200 RENDERSTATE 1";
  CHECK(FingerprintOf(FindingAt(8, "RENDERSTATE 1")) == FingerprintOf(moved));
}

TEST_CASE("Fingerprints: differ by rule, token, place in the token, and values") {
  const Diagnostic finding = FindingAt(8, "RENDERSTATE 1");
  Diagnostic other = finding;
  other.rule = Rule::kKmtDp2006;
  CHECK(FingerprintOf(other) != FingerprintOf(finding));
  CHECK(FingerprintOf(FindingAt(8, "RENDERSTATE 2")) != FingerprintOf(finding));
  other = finding;
  other.offset = 8;
  CHECK(FingerprintOf(other) != FingerprintOf(finding));
  other = finding;
  other.actual = "2";
  CHECK(FingerprintOf(other) != FingerprintOf(finding));
}

TEST_CASE("Fingerprints: the same defect in several places is numbered") {
  Fingerprints fingerprints;
  const std::string first = fingerprints.Next(FindingAt(8, "CLEAR 1"));
  const std::string second = fingerprints.Next(FindingAt(64, "CLEAR 1"));
  CHECK(first.ends_with(":1"));
  CHECK(second.ends_with(":2"));
  CHECK(first.substr(0, 32) == second.substr(0, 32));
}

TEST_CASE("Fingerprints: of every rule, two messages are two findings") {
  // Alike but for one word, one number, one name.
  const std::string messages[] = {"v1 (COLOR 0) has no element",
                                  "v1 (COLOR 1) has no element",
                                  "v1 (TEXCOORD 0) has no element",
                                  "v2 (COLOR 0) has no element",
                                  "surface 1 of 8 x 8 x 1",
                                  "surface 1 of 8 x 8 x 2",
                                  "is locked with X already",
                                  "is locked without X already",
                                  "1 to 4 of stream 0",
                                  "1 to 5 of stream 0",
                                  "at 2, 0 of level 1",
                                  "at 3, 0 of level 1"};
  for (const RuleInfo& rule : AllRules()) {
    CAPTURE(rule.id);
    std::set<std::string> fingerprints;
    for (const std::string& message : messages)
      fingerprints.insert(FingerprintOf(MakeDiagnostic(rule.rule, message)));
    CHECK(fingerprints.size() == std::size(messages));
  }
}

TEST_CASE("Fingerprints: places in the trace have no part in a message") {
  const auto of = [](const std::string& message) {
    return FingerprintOf(MakeDiagnostic(Rule::kTrace006, message));
  };
  CHECK(of("event 3 (marker): a text") == of("event 417 (marker): a text"));
  CHECK(of("event 3 (marker): a text") != of("event 3 (marker): a field"));
  CHECK(of("events 3 to 4 are lost") == of("events 13 to 17 are lost"));
  CHECK(of("3 bytes remain (stream offset 0)") == of("3 bytes remain (stream offset 16)"));
  CHECK(of("the header is at 0x6, which is 2 mod 4") ==
        of("the header is at 0x1e, which is 2 mod 4"));
  CHECK(of("draw 7: 3 by one") == of("draw 9: 3 by one"));
  CHECK(of("draw 7: 3 by one") != of("draw 7: 4 by one"));
}

TEST_CASE("Fingerprints: a cause is none of the token that meets it first") {
  Diagnostic finding = FindingAt(8, "DRAWPRIMITIVE 1 {v_start=0}");
  finding.cause = "stage 1";
  Diagnostic other = FindingAt(64, "DRAWPRIMITIVE 1 {v_start=3}");
  other.cause = "stage 1";
  CHECK(FingerprintOf(finding) == FingerprintOf(other));
  other.message = "another";
  CHECK(FingerprintOf(finding) != FingerprintOf(other));
}
