#include "lint/fingerprint.h"
#include "rules/rule.h"

#include <doctest/doctest.h>

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

TEST_CASE("Fingerprints: survive a shift of the stream and a new message") {
  Diagnostic moved = FindingAt(512, "RENDERSTATE 1");
  moved.excerpt.token = "0x0200 RENDERSTATE 1";
  moved.message = "bReserved is not 0";
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
