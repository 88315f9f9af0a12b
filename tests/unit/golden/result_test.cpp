#include "golden/result.h"
#include "hashes.h"
#include "rules/rule.h"

#include <doctest/doctest.h>

#include <string>

using namespace dp2trace;  // NOLINT(google-build-using-namespace): test file
using golden::GoldenStatus;
using testing::kA;
using testing::kB;

namespace {

// The line that reading a line and writing it again gives; the reason where it cannot be read.
std::string Again(const std::string& line) {
  json::Document document;
  const Result<golden::TraceResult> result = golden::ParseResultLine(document, line, 1);
  return result.ok() ? golden::ResultLine(*result) : result.status().diagnostic().message;
}

golden::GoldenImage Frame(const std::string& hash, const std::string& raw_hash = {}) {
  return {{replay::ImageKind::kFrame, 1, {}, false}, 22, hash, raw_hash};
}

}  // namespace

TEST_CASE("ResultLine: a match is short") {
  golden::TraceResult result;
  result.path = "a.json";
  result.hash = result.expected_hash = kA;
  result.images = {{.key = Frame(kA).key,
                    .status = GoldenStatus::kMatch,
                    .expected = Frame(kA),
                    .actual = Frame(kA),
                    .event = 3}};
  const std::string line = golden::ResultLine(result);
  CHECK(
      line ==
      R"({"type":"result","index":0,"trace":"a.json","status":"match","hash":")" + kA +
          R"(","images":[{"kind":"frame","sequence":1,"status":"match","format":"X8R8G8B8","hash":")" +
          kA + R"(","event":3}]})");
  CHECK(Again(line) == line);
}

TEST_CASE("ResultLine: everything survives reading") {
  golden::TraceResult result;
  result.index = 12;
  result.path = "a \"b\",\"status\":\"crash\".json";
  result.hash = kA;
  result.expected_hash = kB;
  result.status = GoldenStatus::kExpectedFail;
  result.actual_status = GoldenStatus::kDiffer;
  result.message = "why\n";
  golden::ImageResult differ{.key = Frame(kA).key,
                             .status = GoldenStatus::kDiffer,
                             .expected = Frame(kB, kA),
                             .actual = Frame(kA),
                             .event = 3};
  differ.comparison.emplace();
  differ.comparison->same_size = false;
  differ.comparison->expected = {9, 9};
  differ.comparison->actual = {8, 7};
  differ.comparison->differing_pixels = 5;
  differ.comparison->right = differ.comparison->bottom = 9;
  differ.comparison->largest_difference = 255;
  differ.comparison->first = image::PixelDifference{7, 8, {1, 2, 3, 4}, {255, 254, 253, 252}};
  differ.draw = golden::CausingDraw{2, 5, 36, "CLEAR"};
  golden::ImageResult missing{.key = {replay::ImageKind::kRead, 2, 3, true},
                              .status = GoldenStatus::kMissing,
                              .expected = Frame(kB)};
  golden::ImageResult added{.key = {replay::ImageKind::kRead, 3, {}, false},
                            .status = GoldenStatus::kNew,
                            .actual = Frame(kB),
                            .event = 1};
  result.images = {differ, missing, added};
  result.findings = {{"DP2-STREAM-006", 2}};
  result.expected_findings = {{"DP2-STREAM-009", 1}};
  Diagnostic finding = MakeDiagnostic(Rule::kDp2Stream006, "text");
  finding.event = 4;
  finding.offset = 8;
  finding.path = "commands/1";
  result.listed_findings = {finding};
  const std::string line = golden::ResultLine(result);
  CHECK(Again(line) == line);
  json::Document document;
  const Result<golden::TraceResult> read = golden::ParseResultLine(document, line, 1);
  REQUIRE(read.ok());
  CHECK(read->path == result.path);
  CHECK(read->expected_findings == result.expected_findings);
  CHECK(read->listed_findings == result.listed_findings);
  CHECK(read->images[0].comparison == result.images[0].comparison);
  CHECK(read->images[0].draw == result.images[0].draw);
  CHECK(read->images[0].expected == result.images[0].expected);
  CHECK_FALSE(read->images[1].actual.has_value());
  CHECK_FALSE(read->images[2].expected.has_value());
}

TEST_CASE("ResultLine: findings that are gone are not taken for unchanged ones") {
  golden::TraceResult result;
  result.path = "a.json";
  result.expected_findings = {{"DP2-STREAM-009", 1}};
  json::Document document;
  CHECK(golden::ParseResultLine(document, golden::ResultLine(result), 1)->expected_findings ==
        result.expected_findings);
  std::swap(result.findings, result.expected_findings);
  CHECK(
      golden::ParseResultLine(document, golden::ResultLine(result), 1)->expected_findings.empty());
}

TEST_CASE("ParseResultLine: what is not a result is refused") {
  for (
      const char* const line :
      {"", "[]", "{}", R"({"type":"result","index":0,"trace":"a","status":"fine"})",
       R"({"type":"result","index":-1,"trace":"a","status":"match"})",
       R"({"type":"result","index":0,"trace":"a","status":"match","more":1})",
       R"({"type":"result","index":0,"trace":"../a","status":"match"})",
       R"({"type":"result","index":0,"trace":"a","status":"match","hash":"x\"y"})",
       R"({"type":"result","index":0,"trace":"a","status":"match","images":[{"kind":"frame","sequence":1,"status":"match"}]})"}) {
    CAPTURE(line);
    json::Document document;
    CHECK_FALSE(golden::ParseResultLine(document, line, 1).ok());
  }
}

TEST_CASE("Describe: numbers, first pixel and draw of a difference") {
  golden::ImageResult image{.key = Frame(kA).key,
                            .status = GoldenStatus::kDiffer,
                            .expected = Frame(kB),
                            .actual = Frame(kA),
                            .event = 3};
  CHECK(golden::Describe(image) == "frame 1 differs");
  image.comparison.emplace();
  CHECK(golden::Describe(image) ==
        "frame 1 has the same pixels, its stored bits or its format differ");
  image.comparison->differing_pixels = 1;
  image.comparison->right = image.comparison->bottom = 1;
  image.comparison->first = image::PixelDifference{0, 0, {1, 2, 3, 4}, {1, 2, 3, 5}};
  image.comparison->largest_difference = 1;
  image.draw = golden::CausingDraw{2, 5, 36, "CLEAR"};
  CHECK(
      golden::Describe(image) ==
      "frame 1: 1 pixel differs, in region 0,0,1,1; first at 0,0: expected #04010203, actual #05010203; largest difference 1; "
      "in the replay last written by draw 2 (event 5, CLEAR)");
}
