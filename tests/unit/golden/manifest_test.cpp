#include "golden/manifest.h"
#include "rules/rule.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file

namespace {

constexpr std::string_view kHash = "0123456789abcdef0123456789abcdef";

golden::ManifestTrace FullTrace() {
  golden::ManifestTrace trace;
  trace.path = "a/\"quoted\".json";
  trace.hash = kHash;
  trace.tags = {"x", "y"};
  trace.expected_fail = golden::Exemption{"why", "2027-01-31", golden::GoldenStatus::kDiffer};
  trace.findings = {{"DP2-STREAM-006", 2}};
  trace.images = {
      {{replay::ImageKind::kFrame, 1, {}, false}, 22, std::string(kHash)},
      {{replay::ImageKind::kRead, 1, 2, true}, 0x1234, std::string(kHash), std::string(kHash)}};
  return trace;
}

}  // namespace

TEST_CASE("Manifest: the reader accepts and refuses the published cases") {
  std::ifstream cases(DP2TRACE_SOURCE_DIR "/tests/unit/golden/manifests.jsonl");
  std::string line;
  size_t count = 0;
  while (std::getline(cases, line)) {
    CAPTURE(line);
    const size_t space = line.find(' ');
    REQUIRE(space != std::string::npos);
    CHECK(golden::ParseManifest(line.substr(space + 1)).ok() ==
          (line.substr(0, space) == "accept"));
    ++count;
  }
  CHECK(count > 30);
}

TEST_CASE("Manifest: its text gives the same manifest, and the same text again") {
  golden::Manifest manifest;
  manifest.include = {"features"};
  manifest.limits.timeout_s = 60;
  manifest.traces = {FullTrace()};
  const std::string text = golden::ManifestText(manifest);
  const Result<golden::Manifest> parsed = golden::ParseManifest(text);
  REQUIRE(parsed.ok());
  CHECK(parsed->include == manifest.include);
  CHECK(parsed->limits == manifest.limits);
  CHECK(parsed->traces == manifest.traces);
  CHECK(golden::ManifestText(*parsed) == text);
}

TEST_CASE("Manifest: one picture per line") {
  golden::Manifest manifest;
  manifest.traces = {FullTrace()};
  CHECK(
      golden::ManifestText(manifest) ==
      R"({"version":1,
"traces":[
{"path":"a/\"quoted\".json","hash":"0123456789abcdef0123456789abcdef","tags":["x","y"],)"
      R"("expected_fail":{"status":"differ","reason":"why","expires":"2027-01-31"},"findings":{"DP2-STREAM-006":2},"images":[
{"kind":"frame","sequence":1,"format":"X8R8G8B8","hash":"0123456789abcdef0123456789abcdef"},
{"kind":"read","sequence":1,"slice":2,"stencil":true,"format":"0x1234","hash":"0123456789abcdef0123456789abcdef",)"
      R"("raw_hash":"0123456789abcdef0123456789abcdef"}]}
]}
)");
}

TEST_CASE("Manifest: traces and pictures are sorted, and found by path") {
  const std::string entry = R"(","hash":"0123456789abcdef0123456789abcdef","images":[]})";
  const Result<golden::Manifest> parsed = golden::ParseManifest(
      R"({"version":1,"traces":[{"path":"b)" + entry + R"(,{"path":"a)" + entry + "]}");
  REQUIRE(parsed.ok());
  CHECK(parsed->traces[0].path == "a");
  CHECK(parsed->Find("b") == &parsed->traces[1]);
  CHECK(parsed->Find("c") == nullptr);
}

TEST_CASE("GOLDEN-MANIFEST-001 names line and pointer") {
  const Result<golden::Manifest> parsed = golden::ParseManifest(
      "{\"version\":1,\n\"traces\":[\n{\"path\":\"../x\",\"hash\":\"0\",\"images\":[]}]}");
  REQUIRE_FALSE(parsed.ok());
  CHECK(parsed.status().diagnostic().rule == Rule::kGoldenManifest001);
  CHECK(parsed.status().diagnostic().line == 3);
  CHECK(parsed.status().diagnostic().path == "/traces/0");
}
